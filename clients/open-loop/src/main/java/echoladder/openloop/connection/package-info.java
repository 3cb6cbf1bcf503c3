/** Which addresses connections come from and go to, and which targets may be loaded. */
@NullMarked
package echoladder.openloop.connection;

import org.jspecify.annotations.NullMarked;
