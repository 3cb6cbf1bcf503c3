package echoladder.servers.contract;

/** A test class of which each instance is for one server, so that {@link ExpectedFailure} knows which. */
public interface OfVariant {
  /** The server. */
  Variant variant();
}
