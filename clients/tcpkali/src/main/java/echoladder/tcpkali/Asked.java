package echoladder.tcpkali;

/**
 * What tcpkali was asked for, as far as it is judged by it.
 *
 * @param connections in all
 * @param messagesPerSecondEach over each connection; 0 = nothing was to be sent
 * @param messageBytes size of a message
 * @param connectsPerSecond of the ramp
 * @param lookedAt connections whose times it gives
 */
record Asked(
    int connections, double messagesPerSecondEach, int messageBytes, double connectsPerSecond, int lookedAt) {

  static Asked of(TcpkaliCommand command) {
    Integer coverage = command.coverage();
    return new Asked(
        command.connections(),
        command.messagesPerSecondEach(),
        command.messageBytes(),
        command.connectsPerSecond(),
        coverage == null ? command.connections() : coverage);
  }

  double messagesPerSecond() {
    return connections * messagesPerSecondEach;
  }

  /**
   * Messages per second at the busiest moment: the sends follow each other as the connects did, so after a ramp shorter
   * than the period of a connection they come in bursts at the rate of the connects.
   */
  double burstPerSecond() {
    boolean bursts = connections / connectsPerSecond < 1 / messagesPerSecondEach;
    return bursts ? Math.max(connectsPerSecond, messagesPerSecond()) : messagesPerSecond();
  }
}
