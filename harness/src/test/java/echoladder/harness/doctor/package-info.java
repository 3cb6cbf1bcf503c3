@NullMarked
package echoladder.harness.doctor;

import org.jspecify.annotations.NullMarked;
