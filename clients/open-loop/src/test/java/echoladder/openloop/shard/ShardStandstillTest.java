package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.linux.process.ProcessTree;
import echoladder.openloop.ClientProcess;
import echoladder.openloop.LoadMain;
import echoladder.openloop.Measured;
import echoladder.openloop.Stopped;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** A shard that stands still, as by SIGSTOP, in a debugger or on a frozen machine: nobody waits for it for ever. */
@Timeout(120)
class ShardStandstillTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(4);

  @Test
  void aShardThatStandsStillIsKilledAndNamed() throws Exception {
    ShardProcess shard = ShardProcess.start(ClientProcess.javaCommand(), new Silence(LONG, SHORT, LONG));
    try {
      String status = JsonMapper.shared().writeValueAsString(ShardRequest.of(ShardRequest.Op.STATUS));
      // Without a load it has none, and says so.
      assertThat(shard.ask(status)).contains("OPEN comes first");
      Stopped.process(shard.pid());
      assertThatThrownBy(() -> shard.ask(status))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "client shard, pid %d, said nothing for 4 s, so it was killed: it stood still (SIGSTOP, a debugger), or its machine did; see"
                  .formatted(shard.pid())
                  + " runbooks/symptoms/client-died.md");
    } finally {
      shard.close();
    }
  }

  /** The end of stdin, with which a shard otherwise ends, is nothing to one that stands still. The guard of its parent ends it. */
  @Test
  void aShardThatStandsStillEndsAfterItsParentIsKilled() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      List<String> command = new ArrayList<>(ClientProcess.javaCommand(Shards.RESERVED_DESCRIPTORS + 50));
      command.addAll(
          List.of(
              LoadMain.class.getName(), "--target", server.target().toString(), "--connections", "80", "--rate", "100", "--duration", "90s"));
      Process load =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      List<ProcessHandle> shards = new ArrayList<>();
      try {
        await().atMost(60, TimeUnit.SECONDS).until(() -> server.record().accepted() == 80);
        shards.addAll(load.descendants().filter(ShardStandstillTest::isShard).toList());
        assertThat(shards).hasSize(2);
        assertThat(shards)
            .allSatisfy(
                shard ->
                    assertThat(Files.readString(Path.of("/proc/" + shard.pid() + "/environ")).split("\0"))
                        .anyMatch(entry -> entry.matches("ECHOLADDER_GUARDED_BY=[^:]+:" + load.pid() + ":\\d+")));
        shards.forEach(shard -> Stopped.process(shard.pid()));
        load.destroyForcibly().waitFor();
        // Longer than the guard waits before it kills.
        await().atMost(60, TimeUnit.SECONDS).until(() -> shards.stream().noneMatch(ProcessTree::runs));
      } finally {
        load.descendants().forEach(ProcessHandle::destroyForcibly);
        load.destroyForcibly();
        shards.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  private static boolean isShard(ProcessHandle process) {
    return CommandLines.of(process).contains(ShardMain.class.getName());
  }
}
