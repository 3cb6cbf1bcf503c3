package echoladder.harness.study;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuPlacement;
import echoladder.linux.cpu.CpuTopology;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a study's {@code load.cpus} can say of the processors that server and client run on. */
public final class Cpus {
  /** Both run wherever the kernel puts them. */
  public static final String SHARED = "shared";

  /** Whole cores for each: {@link CpuPlacement#apart}. */
  public static final String APART = "apart";

  private static final Pattern LISTS = Pattern.compile("server=([0-9,-]+) client=([0-9,-]+)");

  private Cpus() {}

  /**
   * What it means on this host.
   *
   * @param sys where sysfs is, /sys
   * @param allowed what this process may run on
   * @return null = shared
   * @throws IllegalArgumentException where this host cannot do it, or where it says something else
   */
  public static @Nullable CpuPlacement placement(String said, Path sys, CpuList allowed) {
    if (said.equals(SHARED)) {
      return null;
    }
    if (said.equals(APART)) {
      return CpuPlacement.apart(CpuTopology.cores(sys, allowed));
    }
    Matcher lists = LISTS.matcher(said);
    if (!lists.matches()) {
      throw new IllegalArgumentException(
          "'%s' is neither shared nor apart nor lists of processors such as 'server=0-1 client=2'".formatted(said));
    }
    return CpuPlacement.of(CpuList.parse(lists.group(1)), CpuList.parse(lists.group(2)), allowed);
  }
}
