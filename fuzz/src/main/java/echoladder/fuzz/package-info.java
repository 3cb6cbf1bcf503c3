/** What the fuzz targets share; the targets are tests, each in the package of what it fuzzes. */
@NullMarked
package echoladder.fuzz;

import org.jspecify.annotations.NullMarked;
