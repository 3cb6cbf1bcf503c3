/** Users who come and go in stages: when each one's requests are due, and the figures by stage and request. */
@NullMarked
package echoladder.openloop.staged;

import org.jspecify.annotations.NullMarked;
