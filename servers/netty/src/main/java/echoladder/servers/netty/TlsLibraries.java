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
  private static final int COULD_NOT_RUN = 3;
  private static final String OPTION = "--tls";
  private static final String ON = "on";
  private static final String FOLDER = "websocket";
  private static final List<String> NAMES = List.of("netty-handler-", "netty-codec-base-");

  private TlsLibraries() {}

  /** Whether arguments ask for TLS. */
  static boolean asked(String[] args) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].equalsIgnoreCase(OPTION + "=" + ON)
          || (args[i].equals(OPTION) && i + 1 < args.length && args[i + 1].equalsIgnoreCase(ON))) {
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
        folders.add(Path.of(entry).resolveSibling(FOLDER));
      }
      for (Path folder : folders) {
        add(folder, path);
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

  private static void add(Path folder, List<URL> path) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path jar : files.sorted().toList()) {
        if (NAMES.stream().anyMatch(name -> String.valueOf(jar.getFileName()).startsWith(name))) {
          path.add(url(jar));
        }
      }
    }
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }
}
