package echoladder.harness.host;

import echoladder.harness.doctor.HostFacts;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first answer of a control process: it describes itself and its host.
 *
 * @param version of the ladder there
 * @param bootId of the kernel there: hosts that have one are namespaces, or containers, of one machine
 * @param pid of the control process there
 * @param program hashes of the ladder's own files by their names
 * @param processors that it may run on
 * @param environment as environment.json has it, of that host
 * @param facts that the doctor judges by
 */
public record HostHello(
    String version, String bootId, long pid, Map<String, String> program, int processors, Map<String, @Nullable Object> environment,
    HostFacts facts) {}
