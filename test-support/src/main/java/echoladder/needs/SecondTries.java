package echoladder.needs;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The tests that failed, were tried again by the build, and passed, each with how it failed: none is kept quiet. */
final class SecondTries {
  private static final List<String> REPORTS = List.of("target/surefire-reports", "target/failsafe-reports");
  private static final Set<String> FAILED_AT_FIRST = Set.of("flakyFailure", "flakyError");

  private final List<String> found = new ArrayList<>();

  private SecondTries() {}

  /** From the reports that surefire and failsafe have left in the modules of a build, one or two folders below its root. */
  static SecondTries of(Path root) throws IOException {
    SecondTries tries = new SecondTries();
    try (Stream<Path> folders = Files.walk(root, 2)) {
      for (Path module : folders.filter(Files::isDirectory).sorted().toList()) {
        for (String reports : REPORTS) {
          tries.readAll(module.resolve(reports));
        }
      }
    }
    return tries;
  }

  private void readAll(Path reports) throws IOException {
    if (Files.isDirectory(reports)) {
      try (Stream<Path> files = Files.list(reports)) {
        for (Path file : files.filter(file -> file.toString().endsWith(".xml")).sorted().toList()) {
          read(file);
        }
      }
    }
  }

  private void read(Path file) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      String test = "";
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (xml.getLocalName().equals("testcase")) {
          test = xml.getAttributeValue(null, "classname") + "." + xml.getAttributeValue(null, "name");
        } else if (FAILED_AT_FIRST.contains(xml.getLocalName())) {
          String message = xml.getAttributeValue(null, "message");
          found.add(test + ": " + (message == null ? xml.getAttributeValue(null, "type") : message.strip().replaceAll("\\s+", " ")));
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException(file + " is no report of a test: " + e.getMessage(), e);
    }
  }

  void print(PrintStream out) {
    if (!found.isEmpty()) {
      out.println("passed only when tried again: " + found.size() + "; each is a defect, of the test or of what it tests");
      found.forEach(test -> out.println("- " + test));
    }
  }
}
