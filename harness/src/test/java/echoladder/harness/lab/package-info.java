@NullMarked
package echoladder.harness.lab;

import org.jspecify.annotations.NullMarked;
