package echoladder.harness.host;

import echoladder.harness.common.Refusal;
import echoladder.linux.cpu.CpuList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The variables of one host of an inventory. What only Ansible could fill in is refused by its name.
 *
 * @param of the host's, by name
 * @param file as messages name the inventory
 */
record Variables(JsonNode of, String host, String file) {
  private static final Pattern ADDRESS = Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");

  private Refusal refusal(String name, String value, String why) {
    return Refusal.badUsage("--hosts %s: %s of %s is '%s'; %s".formatted(file, name, host, value, why));
  }

  /** A value; null where there is none. */
  @Nullable String text(String name) {
    JsonNode value = of.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    return plain(name, value);
  }

  private String plain(String name, JsonNode value) {
    if (!value.isValueNode()) {
      throw refusal(name, value.toString(), "one value is expected");
    }
    String text = value.asString();
    if (text.contains("{{")) {
      throw refusal(name, text, "templates are not filled in here: write the value itself");
    }
    return text;
  }

  /** A port; null where there is none. */
  @Nullable Integer port(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65_535) {
      throw refusal(name, text, "a port from 1 to 65535 is expected");
    }
    return Integer.valueOf(text);
  }

  /** Values of a list, or of one value with commas; none where there is none. */
  List<String> list(String name) {
    JsonNode value = of.path(name);
    if (value.isArray()) {
      List<String> all = new ArrayList<>();
      value.forEach(one -> all.add(plain(name, one)));
      return all;
    }
    String text = text(name);
    return text == null || text.isBlank() ? List.of() : List.of(text.trim().split("\\s*,\\s*", -1));
  }

  /** IPv4 addresses, as a list or with commas; none where there is none. */
  List<String> addresses(String name) {
    List<String> all = list(name);
    for (String address : all) {
      if (!ADDRESS.matcher(address).matches()) {
        throw refusal(name, address, "IPv4 addresses are expected, without a prefix");
      }
    }
    return all;
  }

  /** A command line's words. */
  List<String> words(String name) {
    String text = text(name);
    if (text == null) {
      return List.of();
    }
    try {
      return AnsibleWords.of(text);
    } catch (IllegalArgumentException e) {
      throw refusal(name, text, String.valueOf(e.getMessage()));
    }
  }

  /** Processors in the kernel's form. */
  String cpus(String text) {
    try {
      return CpuList.parse(text).toString();
    } catch (IllegalArgumentException e) {
      throw refusal("echo_ladder_cores", text, "processors are listed as 0-3,8: " + e.getMessage());
    }
  }
}
