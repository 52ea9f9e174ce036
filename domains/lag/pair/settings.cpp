#include "fovea/domains/lag/pair/settings.hpp"

namespace fovea::lag::pair {

const Keys<PairAsked>& pair_keys() {
  using A = PairAsked;
  using Errors = datasets::simulated::ErrorPlan;
  const auto study = [](auto member) { return inside(&A::study, member); };
  const auto errors = [](auto member) { return inside(&A::errors, member); };
  static const auto keys =
      Keys<A>()
          .group(series::series_keys("simulated light curves with a known lag"), &A::series)
          .key("data.driver", &A::driver, "name of the driver; empty: 'driver', 'continuum', or else the first")
          .key("data.response", &A::response, "name of the response; empty: each of the other series")
          .key("data.group", &A::group, "name of a pair, object or recording to be read; empty: all")
          .key("data.from", &A::from, Range::any(), "", "first time that is used; with data.to = 0 too: all")
          .key("data.to", &A::to, Range::any(), "", "last time that is used")
          .key("generated.related", &A::related, Range::between(0, 1000), "",
               "without a file: simulated pairs with a lag")
          .key("generated.unrelated", &A::unrelated, Range::between(0, 1000), "",
               "without a file: simulated pairs without")
          .key("generated.error_factor", errors(&Errors::factor), Range::between(0.01, 100), "",
               "ratio of true to stated errors")
          .key("generated.error_degrees", errors(&Errors::degrees), Range::between(0, 100), "",
               "degrees of freedom of Student's t for the errors, in units of the stated ones; 0: normal")
          .key("generated.outliers", errors(&Errors::outliers), Range::between(0, 1), "",
               "share of points with an additional error of 5 to 10 stated errors")
          .key("lag.low", study(&PairSettings::lag_low), Range::any(), "",
               "smallest lag tested; with lag.high = 0 too: minus half of the shorter curve")
          .key("lag.high", study(&PairSettings::lag_high), Range::any(), "",
               "largest lag tested, in the file's unit of time")
          .key("lag.tails", study(&PairSettings::tails),
               "also try echoes with an exponential tail; the lag is then the mean of the response function")
          .key("detrend", study(&PairSettings::detrend), "remove a straight line from each curve")
          .key("outliers", study(&PairSettings::outliers),
               "give less weight to points with errors much larger than stated")
          .key("negative", study(&PairSettings::negative), "negative response: low where the driver is high")
          .key("unrelated.draws", study(&PairSettings::draws), Range::between(0, 10000), "",
               "simulated unrelated pairs for the false-alarm probability; its smallest value is 1 / (1 + draws)")
          .key("level", &A::level, Range::between(0, 1), "",
               "false-alarm probability up to which a pair is reported as related");
  return keys;
}

}  // namespace fovea::lag::pair
