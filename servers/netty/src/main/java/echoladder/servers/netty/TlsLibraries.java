package echoladder.servers.netty;

import echoladder.linux.ErrorText;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The jars that Netty needs for TLS besides. Each jar of a class path is a descriptor, and a plain server is to have none that it does
 * not use: a server with TLS runs in a class loader of its own, whose class path has them.
 */
final class TlsLibraries {
  /** The folder of BoringSSL's jars, beside the server's own. */
  static final String BORINGSSL = "boringssl";

  private static final int COULD_NOT_RUN = 3;
  private static final String WEBSOCKET = "websocket";
  private static final List<String> OF_WEBSOCKET = List.of("netty-handler-", "netty-codec-base-");
  private static final List<String> OF_BORINGSSL = List.of("netty-tcnative-");

  private TlsLibraries() {}

  /** Whether arguments ask for TLS. */
  static boolean asked(String[] args) {
    return says(args, "--tls", "on");
  }

  private static boolean says(String[] args, String option, String value) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].equalsIgnoreCase(option + "=" + value)
          || (args[i].equals(option) && i + 1 < args.length && args[i + 1].equalsIgnoreCase(value))) {
        return true;
      }
    }
    return false;
  }

  /** Runs the server with them. Exit status 3 where they are not there. */
  static void serve(String[] args) {
    try {
      Set<Path> folders = new LinkedHashSet<>();
      List<URL> path = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        path.add(url(Path.of(entry)));
        folders.add(Path.of(entry).resolveSibling(""));
      }
      boolean boring = says(args, "--tls-engine", TlsEngine.BORINGSSL.toString());
      for (Path folder : folders) {
        add(folder.resolve(WEBSOCKET), OF_WEBSOCKET, path);
        if (boring) {
          add(folder.resolve(BORINGSSL), OF_BORINGSSL, path);
        }
      }
      // Never closed: the server ends with its process.
      ClassLoader loader = new URLClassLoader("tls", path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      Thread.currentThread().setContextClassLoader(loader);
      loader.loadClass(NettyEcho.class.getName()).getMethod("serve", String[].class).invoke(null, (Object) args);
    } catch (ReflectiveOperationException | IOException e) {
      System.err.println("netty: its libraries for TLS cannot be used: " + ErrorText.of(e));
      System.exit(COULD_NOT_RUN);
    }
  }

  /** Adds the jars of a folder whose names begin with one of {@code names}. */
  private static void add(Path folder, List<String> names, List<URL> path) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path jar : files.sorted().toList()) {
        if (names.stream().anyMatch(name -> String.valueOf(jar.getFileName()).startsWith(name))) {
          path.add(url(jar));
        }
      }
    }
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }
}
