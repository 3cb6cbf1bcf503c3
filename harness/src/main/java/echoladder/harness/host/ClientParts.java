package echoladder.harness.host;

import echoladder.client.LoadPlan;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.linux.cpu.CpuList;
import echoladder.openloop.ClientHost;
import echoladder.openloop.shard.ShardLine;
import echoladder.openloop.shard.Shards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Divides a load over the client hosts of a run. */
record ClientParts(List<Fleet.Member> clients) {
  /** As {@link Fleet#examinations} says. */
  Map<String, Examination> examinations(int connections) {
    Map<String, Examination> found = new LinkedHashMap<>();
    for (Fleet.Member client : clients) {
      long tuples = Math.max(1, client.host().sources().size());
      found.put(
          client.host().name(),
          Doctor.examine(new Question(connections, Role.CLIENT, ServerModel.unnamed(), 0, tuples), client.hello().facts()));
    }
    return found;
  }

  /** As {@link Fleet#shares} says. */
  Map<String, Integer> shares(LoadPlan plan) {
    double portsEach = (double) plan.ports() / plan.connections();
    Map<String, Examination> found = examinations(plan.connections());
    Map<String, Shares.Able> able = new LinkedHashMap<>();
    for (Fleet.Member client : clients) {
      String host = client.host().name();
      able.put(host, new Shares.Able(Shares.carried(Objects.requireNonNull(found.get(host)), portsEach), processors(client)));
    }
    return Shares.of(plan.connections(), able);
  }

  /** Those that the inventory gives it, else all that its control process may run on. */
  private static int processors(Fleet.Member client) {
    String cores = client.host().cores();
    return cores == null ? client.hello().processors() : CpuList.parse(cores).stream().toArray().length;
  }

  List<ClientHost> divide(LoadPlan plan) throws IOException {
    Map<String, Integer> shares;
    try {
      shares = shares(plan);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    List<ClientHost> parts = new ArrayList<>();
    for (Fleet.Member client : clients) {
      Integer share = shares.get(client.host().name());
      if (share != null) {
        // Phases are drawn by seed and number within the part, so each part has its own seed.
        long seed = plan.seed() + 7_919L * (parts.size() + 1);
        parts.add(new Part(client, plan.part(share, seed, client.host().sources(), client.host().cores())));
      }
    }
    return parts;
  }

  /** A client host with its part of a load. */
  private record Part(Fleet.Member member, LoadPlan plan) implements ClientHost {
    @Override
    public String name() {
      return member.host().name();
    }

    @Override
    public int shards() {
      long each = Math.max(1, member.hello().facts().nofileHard() - Shards.RESERVED_DESCRIPTORS);
      return (int) Math.ceilDiv(plan.connections(), each);
    }

    @Override
    public int loops() {
      int all = member.host().cores() == null ? Shards.loopsBeside(processors(member)) : processors(member);
      return Math.max(1, Math.min(all, plan.connections()) / shards());
    }

    @Override
    public ShardLine open() throws IOException {
      return RemoteShardLine.open(member.link());
    }
  }
}
