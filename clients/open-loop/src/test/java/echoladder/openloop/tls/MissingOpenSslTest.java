package echoladder.openloop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import echoladder.openloop.ClientProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host whose OpenSSL cannot be loaded: the complaint is a sentence, and no error of a class. */
class MissingOpenSslTest {
  @TempDir private Path dir;

  /** Prints what the client complains of. */
  public static void main(String[] args) {
    System.out.println(TlsSessions.complaint(new Tls(Tls.LATEST, "localhost", null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"libcrypto.so.3", "libssl.so.3"})
  void theComplaintNamesTheLibraryAndThePackagesThatHaveIt(String library) throws Exception {
    // The loader takes the first file of that name, and this one is none of its own.
    Files.createFile(dir.resolve(library));
    List<String> command = new ArrayList<>(ClientProcess.javaCommand());
    command.add(MissingOpenSslTest.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", dir.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("TLS needs OpenSSL 3, and " + library + " could not be loaded", "libssl3t64");
  }
}
