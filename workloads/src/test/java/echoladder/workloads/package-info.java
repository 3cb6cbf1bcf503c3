@NullMarked
package echoladder.workloads;

import org.jspecify.annotations.NullMarked;
