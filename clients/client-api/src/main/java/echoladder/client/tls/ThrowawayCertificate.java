package echoladder.client.tls;

import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate authority and a server's certificate that it has signed, for one run: ECDSA on P-256, for localhost, 127.0.0.1 and ::1,
 * valid for {@link #DAYS} days. The JDK's keytool makes them, so nothing else need be installed. The authority's key is forgotten at
 * once; the server's is a file only while a server starts.
 *
 * @param authority the certificate at which a client ends the chain, PEM
 * @param chain the server's certificate, PEM
 * @param key the server's private key, PKCS #8 as PEM
 */
public record ThrowawayCertificate(String authority, String chain, String key) {
  /** The name that clients ask for. */
  public static final String NAME = "localhost";

  private static final int DAYS = 30;
  private static final int BOUND_S = 60;
  private static final String CERTIFICATE_FILE = "server.pem";
  private static final String KEY_FILE = "server-key.pem";
  private static final String STORE = "store.p12";
  // Of a store that is deleted before this process uses what is in it.
  private static final String PASSWORD = "throwaway";
  private static final String AUTHORITY = "authority";
  private static final String SERVER = "server";

  /** Makes a new one, which takes a second or two. */
  public static ThrowawayCertificate make() throws IOException {
    return make("san=dns:" + NAME + ",ip:127.0.0.1,ip:::1");
  }

  /**
   * Makes one for other names.
   *
   * @param names the extension of the server's certificate, as keytool takes it
   */
  public static ThrowawayCertificate make(String names) throws IOException {
    try (OwnedFolder folder = OwnedFolder.temporary("certificate")) {
      Path store = folder.dir().resolve(STORE);
      pair(store, AUTHORITY, "CN=Echo Ladder authority of one run", List.of("-ext", "bc:c", "-ext", "ku:c=keyCertSign"));
      pair(store, SERVER, "CN=" + NAME, List.of("-signer", AUTHORITY, "-ext", names, "-ext", "ku:c=digitalSignature"));
      return read(store);
    }
  }

  private static void pair(Path store, String alias, String subject, List<String> more) throws IOException {
    List<String> argv = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keystore", store.toString(),
        "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", alias, "-keyalg", "EC", "-groupname", "secp256r1",
        "-sigalg", "SHA256withECDSA", "-dname", subject, "-validity", Integer.toString(DAYS)));
    argv.addAll(more);
    Path said = store.resolveSibling(alias + ".log");
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(BOUND_S, TimeUnit.SECONDS)) {
        throw new IOException("keytool did not end within " + BOUND_S + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "keytool made no certificate, and ended with " + process.exitValue() + ": " + Files.readString(said).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool made a certificate", e);
    } finally {
      process.destroy();
    }
  }

  private static ThrowawayCertificate read(Path store) throws IOException {
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Key key = keys.getKey(SERVER, PASSWORD.toCharArray());
      return new ThrowawayCertificate(
          pem("CERTIFICATE", keys.getCertificate(AUTHORITY).getEncoded()),
          pem("CERTIFICATE", keys.getCertificate(SERVER).getEncoded()),
          pem("PRIVATE KEY", key.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException("what keytool made cannot be read: " + e.getMessage(), e);
    }
  }

  /** What a file in PEM has: bytes in DER, of the kind {@code what}. */
  public static String pem(String what, byte[] der) {
    return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what
        + "-----\n";
  }

  /**
   * Writes certificate and key into a folder, for their owner alone, and gives the options by which a server is told of them.
   *
   * @throws IOException where they cannot be written, or are there
   */
  public List<String> writtenTo(Path folder) throws IOException {
    Path certificate = file(folder.resolve(CERTIFICATE_FILE), chain);
    Path privateKey = file(folder.resolve(KEY_FILE), key);
    return List.of("--tls-cert", certificate.toString(), "--tls-key", privateKey.toString());
  }

  private static Path file(Path path, String text) throws IOException {
    Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(path, text, StandardOpenOption.WRITE).toAbsolutePath();
  }
}
