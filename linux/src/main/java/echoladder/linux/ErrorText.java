package echoladder.linux;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/** Why something failed, in words for the user: exceptions of the JDK say it by their class, and some by nothing else. Pure. */
public final class ErrorText {
  /** What names classes: that of a cause, the place where Jackson read, and the way to it. */
  private static final Pattern CLASS =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:: |$)|\\s*at \\[Source: [^]]*\\]|\\s*\\(through reference chain: .*");

  private ErrorText() {}

  /** A clause without a full stop, which follows a colon. It names the file that it is about. */
  public static String of(Throwable e) {
    return switch (e) {
      case UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause());
      case ExecutionException task when task.getCause() != null -> of(task.getCause());
      case InvocationTargetException called when called.getCause() != null -> of(called.getCause());
      case NoSuchFileException file -> "there is no " + file.getFile();
      case AccessDeniedException file -> "Permission denied (" + file.getFile() + ")";
      case FileAlreadyExistsException file -> file.getFile() + " is there already";
      case DirectoryNotEmptyException file -> "the folder " + file.getFile() + " is not empty";
      case NotDirectoryException file -> file.getFile() + " is no folder";
      case FileSystemException file when file.getReason() != null -> file.getReason() + " (" + file.getFile() + ")";
      case CharacterCodingException ignored -> "it is not UTF-8 text";
      case ClosedByInterruptException ignored -> "it was interrupted";
      case EOFException ignored -> "it ends too early";
      case UnknownHostException host -> "there is no host " + host.getMessage();
      case NoSuchFieldException field -> "there is no field " + field.getMessage();
      case NoSuchMethodException method -> "there is no method " + method.getMessage();
      case ClassNotFoundException type -> "there is no class " + type.getMessage();
      default -> message(e);
    };
  }

  private static String message(Throwable e) {
    String said = e.getMessage() == null ? "" : CLASS.matcher(e.getMessage()).replaceAll("").strip();
    return said.isEmpty() ? words(e.getClass().getSimpleName().replaceAll("(Exception|Error)$", "")) : said;
  }

  /** {@code BufferOverflow} as "buffer overflow". */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT).strip();
  }
}
