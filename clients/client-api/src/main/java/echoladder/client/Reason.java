package echoladder.client;

/**
 * One reason why a measurement is not valid.
 *
 * @param reason from the closed list
 * @param detail what was seen and the threshold it broke, one sentence, e.g. "9,412 of 10,000 connections established"
 */
public record Reason(ReasonCode reason, String detail) {}
