package echoladder.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.UnknownHostException;
import java.nio.BufferOverflowException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorTextTest {
  static Stream<Arguments> reasons() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("/x"), "there is no /x"),
        Arguments.of(new AccessDeniedException("/x"), "Permission denied (/x)"),
        Arguments.of(new FileAlreadyExistsException("/x"), "/x is there already"),
        Arguments.of(new DirectoryNotEmptyException("/x"), "the folder /x is not empty"),
        Arguments.of(new NotDirectoryException("/x"), "/x is no folder"),
        Arguments.of(new FileSystemException("/x", null, "No space left on device"), "No space left on device (/x)"),
        Arguments.of(new MalformedInputException(1), "it is not UTF-8 text"),
        Arguments.of(new ClosedByInterruptException(), "it was interrupted"),
        Arguments.of(new EOFException(), "it ends too early"),
        Arguments.of(new UnknownHostException("nowhere"), "there is no host nowhere"),
        Arguments.of(new UncheckedIOException(new NoSuchFileException("/x")), "there is no /x"),
        Arguments.of(new IOException(new IllegalStateException("the pipe broke")), "the pipe broke"),
        Arguments.of(new ExecutionException(new EOFException()), "it ends too early"),
        Arguments.of(new InvocationTargetException(new IllegalStateException()), "illegal state"),
        Arguments.of(new NoSuchFieldException("allConnections"), "there is no field allConnections"),
        Arguments.of(new NoSuchMethodException("a.B.serve()"), "there is no method a.B.serve()"),
        Arguments.of(new ClassNotFoundException("a.B"), "there is no class a.B"),
        Arguments.of(
            new IOException("Unexpected end-of-input\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1]"),
            "Unexpected end-of-input"),
        Arguments.of(new BufferOverflowException(), "buffer overflow"),
        Arguments.of(new IOException("only 3 bytes of the value were taken"), "only 3 bytes of the value were taken"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void isSaidWithoutAClass(Exception e, String said) {
    assertThat(ErrorText.of(e)).isEqualTo(said);
  }
}
