package echoladder.openloop.staged;

import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures.Times;
import echoladder.client.figures.Stamps;
import echoladder.openloop.result.Quantiles;
import echoladder.openloop.result.Recorders;
import org.HdrHistogram.Histogram;

/** What one stage showed of one request. Not thread-safe. */
final class StagePage {
  final Histogram response = Recorders.emptyHistogram();
  final Histogram service = Recorders.emptyHistogram();
  final Histogram server = Recorders.emptyHistogram();
  long intended;
  long answered;
  long stamped;
  /** Right answers that came within the stage, of whatever stage. */
  long completed;
  long late;
  long wrongStatus;
  long wrongBody;
  long failed;
  long unanswered;
  long youngestNs = Long.MAX_VALUE;

  void add(StagePage other) {
    response.add(other.response);
    service.add(other.service);
    server.add(other.server);
    intended += other.intended;
    answered += other.answered;
    stamped += other.stamped;
    completed += other.completed;
    late += other.late;
    wrongStatus += other.wrongStatus;
    wrongBody += other.wrongBody;
    failed += other.failed;
    unanswered += other.unanswered;
    youngestNs = Math.min(youngestNs, other.youngestNs);
  }

  RequestFigures figures(String request, double seconds, boolean open) {
    return new RequestFigures(
        request,
        intended,
        answered,
        completed / seconds,
        late + wrongStatus + wrongBody + failed + unanswered,
        late,
        wrongStatus,
        wrongBody,
        failed,
        unanswered,
        open ? times(response) : Times.NONE,
        times(service),
        Stamps.suffice(stamped, answered) ? times(server) : null,
        unanswered == 0 ? null : (Double) Quantiles.shareBelow(open ? response : service, youngestNs));
  }

  static Times times(Histogram histogram) {
    if (histogram.getTotalCount() == 0) {
      return Times.NONE;
    }
    return new Times(
        histogram.getTotalCount(),
        Math.round(histogram.getMean()),
        Quantiles.quantile(histogram, 50),
        Quantiles.quantile(histogram, 90),
        Quantiles.quantile(histogram, 95),
        Quantiles.quantile(histogram, 99),
        histogram.getMaxValue());
  }
}
