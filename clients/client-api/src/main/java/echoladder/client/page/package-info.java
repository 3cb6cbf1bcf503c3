/** Pages that a server answers with: fetched within one deadline, read strictly. */
@NullMarked
package echoladder.client.page;

import org.jspecify.annotations.NullMarked;
