/// The experiment "lag.pair": the lag between two series with moments of their own, with intervals and a false-alarm
/// probability. pair_report.hpp says what it writes.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/pair/report.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::pair {

namespace {

PairSettings pair_settings(const Config& config) {
  PairSettings settings;
  settings.lag_low = config.real("lag.low");
  settings.lag_high = config.real("lag.high");
  settings.detrend = config.flag("detrend");
  settings.tails = config.flag("lag.tails");
  settings.outliers = config.flag("outliers");
  settings.negative = config.flag("negative");
  settings.draws = static_cast<int>(config.integer("unrelated.draws"));
  return settings;
}

/// One set of lags for all profiles, so that they share a figure: as wide as the widest range.
std::vector<double> common_lags(const PairInputs& inputs, const PairSettings& settings) {
  constexpr int kLags = 301;
  Interval all{0, 0};
  for (const PairInput& pair : inputs.pairs) {
    const Interval range = lag_range(settings, scaled_curve(pair.driver), scaled_curve(pair.response));
    all = all.low == all.high ? range : Interval{std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  return spread_lags(all, kLags);
}

class Pair : public Experiment {
 public:
  std::string_view name() const override { return "lag.pair"; }
  std::string_view summary() const override {
    return "the lag between two irregularly sampled series, its interval, and its false-alarm probability";
  }
  int result_version() const override { return 6; }

  Schema schema() const override {
    Schema schema;
    declare_pair_input(schema);
    schema.real("lag.low", 0, Range::any(), "",
                "smallest lag tested; with lag.high = 0 too: minus half of the shorter curve");
    schema.real("lag.high", 0, Range::any(), "", "largest lag tested, in the file's unit of time");
    schema.flag("lag.tails", false,
                "also try echoes with an exponential tail; the lag is then the mean of the response function");
    schema.flag("detrend", false, "remove a straight line from each curve");
    schema.flag("outliers", true, "give less weight to points with errors much larger than stated");
    schema.flag("negative", false, "negative response: low where the driver is high");
    schema.integer("unrelated.draws", 99, Range::between(0, 10000), "",
                   "simulated unrelated pairs for the false-alarm probability; its smallest value is 1 / (1 + draws)");
    schema.real("level", 0.01, Range::between(0, 1), "",
                "false-alarm probability up to which a pair is reported as related");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const double low = config.real("lag.low"), high = config.real("lag.high");
    if (low >= high && !(low == 0 && high == 0))
      complaints.add(config.source("lag.high"), concat("lag.high is ", high, "; it must be above lag.low, ", low, "."));
    const double from = config.real("data.from"), to = config.real("data.to");
    if (from >= to && !(from == 0 && to == 0))
      complaints.add(config.source("data.to"), concat("data.to is ", to, "; it must be above data.from, ", from, "."));
    if (config.text("data.file").empty() &&
        config.integer("generated.related") + config.integer("generated.unrelated") == 0)
      complaints.add(config.source("generated.related"),
                     "there is neither a file nor a pair to simulate; give data.file or a number of pairs.");
  }

  Inputs open(const Config& config) const override { return series::open_series(config); }

  void check_inputs(const Config& config, const Inputs& opened) const override {
    const PairInputs inputs = pair_inputs(config, opened, Random(1));
    try {
      common_lags(inputs, pair_settings(config));
    } catch (const ArgumentError& wrong) {
      throw DataError(concat(config.text("data.file"), ": ", wrong.what()));
    }
  }

  void run(const Config& config, Inputs opened, const Random& random, Results& results,
           Workbench& bench) const override {
    const PairInputs inputs = pair_inputs(config, opened, random.stream("generated"));
    opened = {};  // the pairs are copies
    PairSettings settings = pair_settings(config);
    settings.profile_lags = common_lags(inputs, settings);
    std::vector<PairOutcome> outcomes;
    bench.progress(0);
    settings.told = [&](double part) {
      bench.progress((static_cast<double>(outcomes.size()) + part) / static_cast<double>(inputs.pairs.size()));
    };
    for (std::size_t p = 0; p < inputs.pairs.size(); ++p)
      outcomes.push_back(
          study_pair(inputs.pairs[p].driver, inputs.pairs[p].response, settings, random.stream(concat("study ", p))));
    write_pairs(inputs, outcomes, config.real("level"), results);
  }

  void conclude(Results& merged) const override { conclude_pairs(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_pair() { return std::make_unique<Pair>(); }

}  // namespace fovea::lag::pair
