package echoladder.servers.jdkhttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.FirstWait;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** HTTP echo on the JDK's HttpServer: one thread watches all connections, each request gets one of the executor's. */
@Command(name = "jdk-http", description = "HTTP echo on the JDK's HttpServer.")
public final class JdkHttpEcho implements EchoProgram {
  /** What runs the handlers; named as on the command line. */
  enum Threads {
    platform,
    virtual
  }

  @Mixin private final HttpOptions http = new HttpOptions();

  @Option(
      names = "--threads",
      paramLabel = "KIND",
      defaultValue = "virtual",
      description = "What runs a request: platform (a pool, or one each) or virtual (one each); default ${DEFAULT-VALUE}")
  private Threads threads = Threads.virtual;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      defaultValue = "200",
      description = "Threads of the platform pool, 0 to 100000; 0 = no pool but a thread for each request; default ${DEFAULT-VALUE}")
  private int poolSize = 200;

  public static void main(String[] args) {
    ServerFrame.main(new JdkHttpEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    http.check();
    BadOption.unlessWithin("--pool-size", poolSize, 0, 100_000);
    return JdkHttpServer.start(options, http, context, runners());
  }

  private JdkHttpServer.Runners runners() {
    return switch (threads) {
      // Its queue is bounded by the connections: HttpServer hands on one request of each at a time.
      case platform -> {
        if (poolSize == 0) {
          yield new JdkHttpServer.Runners(Executors.newThreadPerTaskExecutor(platformThreads()), pool(1));
        }
        ThreadPoolExecutor pool = pool(poolSize);
        yield new JdkHttpServer.Runners(pool, pool.getQueue()::add);
      }
      case virtual -> {
        FirstWait.ofVirtualThreads();
        yield new JdkHttpServer.Runners(Executors.newVirtualThreadPerTaskExecutor(), pool(1));
      }
    };
  }

  private static ThreadFactory platformThreads() {
    return Thread.ofPlatform().daemon().name("http-", 0).factory();
  }

  /** With its first thread there: later there may be none to be had. */
  private static ThreadPoolExecutor pool(int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), platformThreads());
    pool.prestartCoreThread();
    return pool;
  }
}
