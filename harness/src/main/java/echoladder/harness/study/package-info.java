/** study.yaml: read, checked, and what it says. */
@NullMarked
package echoladder.harness.study;

import org.jspecify.annotations.NullMarked;
