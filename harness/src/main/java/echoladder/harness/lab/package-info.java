/** Throwaway kernels: where limits can be met that this host does not let anybody reach. */
@NullMarked
package echoladder.harness.lab;

import org.jspecify.annotations.NullMarked;
