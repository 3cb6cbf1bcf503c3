/** Published claims, measured again: claims.yaml, the workloads that it runs, rules and their verdicts, the ledger. */
@NullMarked
package echoladder.harness.claims;

import org.jspecify.annotations.NullMarked;
