/** Certificates of a run, and TLS as the harness itself speaks it. */
@NullMarked
package echoladder.client.tls;

import org.jspecify.annotations.NullMarked;
