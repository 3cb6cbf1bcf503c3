package echoladder.client;

import java.time.Duration;
import java.util.List;

/**
 * A load of users that come and go in stages, each of whom asks for several things at once, over HTTP, a connection
 * for each, and does so again and again. The same users can be driven in two ways, which is the point of it.
 *
 * @param loop what a user's next requests wait for
 * @param stages at least one; each changes the number of users evenly from where the one before left it, the first
 *     from 0
 * @param requests what a user asks for at once, 1 to 8
 * @param pause of a user between the last of its answers and its next requests
 * @param answerWithin an answer that takes longer is an error; it is awaited all the same
 * @param warmUpUsers users that ask before the first stage, unrecorded; 0 to the most of any stage
 */
public record StagedLoad(
    Loop loop, List<Stage> stages, List<Request> requests, Duration pause, Duration answerWithin, int warmUpUsers) {
  /** The most users: one event loop has to drive them all. */
  public static final int MOST_USERS = 5_000;

  /** What a user's next requests wait for. */
  public enum Loop {
    /** For its answers and the pause: a slow server is asked less. */
    CLOSED,
    /** For nothing: they are intended when they would be if every answer took just as long as it has to. */
    OPEN
  }

  /**
   * One stage.
   *
   * @param users at its end, 0 to {@link #MOST_USERS}
   * @param over how long it takes to get there
   */
  public record Stage(int users, Duration over) {}

  /**
   * One request of a user.
   *
   * @param name in results: lower-case letters, digits and '-'
   * @param path with its query, asked for by GET
   * @param answer what the body of a right answer begins with
   * @param takes how long the server is asked to take: an answer that comes earlier is none
   */
  public record Request(String name, String path, String answer, Duration takes) {}

  public StagedLoad {
    stages = List.copyOf(stages);
    requests = List.copyOf(requests);
    Preconditions.check(!stages.isEmpty(), "stages", "none", "at least one");
    for (Stage stage : stages) {
      Preconditions.check(stage.users >= 0 && stage.users <= MOST_USERS, "users", stage.users, "0 to " + MOST_USERS);
      Preconditions.check(!stage.over.isNegative() && !stage.over.isZero(), "over", stage.over, "above 0");
    }
    int peak = peak(stages);
    Preconditions.check(peak >= 1, "users", peak, "at least one at the end of some stage");
    Preconditions.check(!requests.isEmpty() && requests.size() <= 8, "requests", requests.size(), "1 to 8");
    Preconditions.check(!pause.isNegative(), "pause", pause, "0 or more");
    Preconditions.check(!answerWithin.isNegative() && !answerWithin.isZero(), "answer-within", answerWithin, "above 0");
    Preconditions.check(warmUpUsers >= 0 && warmUpUsers <= peak, "warm-up-users", warmUpUsers, "0 to " + peak);
    Preconditions.check(
        cycle(requests, pause).toNanos() >= 1_000_000, "pause", pause, "with the slowest request at least 1 ms");
  }

  /** Refuses a plan that is not that of these users. */
  void check(Protocol protocol, int connections, boolean comeAndGo, Duration steady) {
    Preconditions.check(protocol == Protocol.HTTP, "protocol", protocol, "a staged load asks over HTTP");
    Preconditions.check(connections == connections(), "connections", connections, connections() + " of its users");
    Preconditions.check(!comeAndGo, "churn, storm", "one", "not with users in stages");
    Preconditions.check(steady.equals(length()), "duration", steady, "that of the stages, " + length());
  }

  private static int peak(List<Stage> stages) {
    return stages.stream().mapToInt(Stage::users).max().orElse(0);
  }

  private static Duration cycle(List<Request> requests, Duration pause) {
    return requests.stream().map(Request::takes).reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b).plus(pause);
  }

  /** The most users that there are at any time. */
  public int peakUsers() {
    return peak(stages);
  }

  /** Connections held: one for each request of each user. */
  public int connections() {
    return peakUsers() * requests.size();
  }

  /** All stages together. */
  public Duration length() {
    return stages.stream().map(Stage::over).reduce(Duration.ZERO, Duration::plus);
  }

  /** From one time that a user asks to the next where every answer takes just as long as it has to. */
  public Duration cycle() {
    return cycle(requests, pause);
  }

  /** Requests per second that so many users can make at most in a closed loop: its ceiling. */
  public double ceilingPerS(double users) {
    return users * requests.size() / (cycle().toNanos() / 1e9);
  }

  /** The users at the beginning of a stage, counted from 0. */
  public int usersBefore(int stage) {
    return stage == 0 ? 0 : stages.get(stage - 1).users;
  }

  /** Users planned for that long after the beginning of the first stage; 0 before and after. */
  public double usersAt(long ns) {
    long from = 0;
    for (int s = 0; s < stages.size(); s++) {
      long over = stages.get(s).over.toNanos();
      if (ns >= from && ns < from + over) {
        int before = usersBefore(s);
        return before + (stages.get(s).users - before) * ((double) (ns - from) / over);
      }
      from += over;
    }
    return 0;
  }

  /** The mean of the ceiling over all stages, requests per second: what the open loop intends. */
  public double meanCeilingPerS() {
    double userSeconds = 0;
    for (int s = 0; s < stages.size(); s++) {
      userSeconds += (usersBefore(s) + stages.get(s).users) / 2.0 * (stages.get(s).over.toNanos() / 1e9);
    }
    return ceilingPerS(userSeconds / (length().toNanos() / 1e9));
  }
}
