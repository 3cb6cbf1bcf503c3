package echoladder.servers.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the tests of a clause of the contract that a server's library may be unable to keep. A server.yaml names the clause
 * under {@code cannot} by {@link Name}, with the reason; {@link ExpectedFailure} then expects these tests to fail.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Clause {
  /** Which clause. */
  Name value();

  /** The clauses of which a server may be excused. */
  enum Name {
    /** A client that sends and never reads costs bounded memory. */
    BACK_PRESSURE("back-pressure"),
    /** Every byte received before the client's FIN is returned before the server's own. */
    BYTES_BEFORE_FIN("bytes-before-fin");

    private final String inYaml;

    Name(String inYaml) {
      this.inYaml = inYaml;
    }

    /** As a server.yaml has it. */
    @Override
    public String toString() {
      return inYaml;
    }
  }
}
