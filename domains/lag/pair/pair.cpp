/// The experiment "lag.pair": the lag between two series with moments of their own, with intervals and a false-alarm
/// probability. pair_report.hpp says what it writes.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/pair/report.hpp"
#include "fovea/domains/lag/series/experiment.hpp"

namespace fovea::lag::pair {

namespace {

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

class Pair final : public series::SeriesExperiment<PairAsked, pair_keys> {
 public:
  std::string_view name() const override { return "lag.pair"; }
  std::string_view summary() const override {
    return "the lag between two irregularly sampled series, its interval, and its false-alarm probability";
  }
  int result_version() const override { return 8; }

  void check_settings(const PairAsked& asked, const Complain& complain) const override {
    const auto check_ends = [&](const std::string& first, double low, const std::string& last, double high) {
      if (low >= high && !(low == 0 && high == 0))
        complain(last, concat(last, " is ", high, "; it must be above ", first, ", ", low, "."));
    };
    check_ends("lag.low", asked.study.lag_low, "lag.high", asked.study.lag_high);
    check_ends("data.from", asked.from, "data.to", asked.to);
    if (asked.series.made() && asked.related + asked.unrelated == 0)
      complain("generated.related",
               "there is neither a file nor a pair to simulate; give data.file or a number of pairs.");
  }

  void check_series(const PairAsked& asked, const Inputs& opened) const override {
    const PairInputs inputs = pair_inputs(asked, opened, Random(1));
    try {
      common_lags(inputs, asked.study);
    } catch (const ArgumentError& wrong) {
      throw DataError(concat(asked.series.file, ": ", wrong.what()));
    }
  }

  void search(const PairAsked& asked, Inputs opened, const Random& random, Results& results,
              Workbench& bench) const override {
    const PairInputs inputs = pair_inputs(asked, opened, random.stream("generated"));
    opened = {};  // the pairs are copies
    PairSettings settings = asked.study;
    settings.profile_lags = common_lags(inputs, settings);
    std::vector<PairOutcome> outcomes;
    bench.progress(0);
    settings.told = [&](double part) {
      bench.progress((static_cast<double>(outcomes.size()) + part) / static_cast<double>(inputs.pairs.size()));
    };
    for (std::size_t p = 0; p < inputs.pairs.size(); ++p)
      outcomes.push_back(
          study_pair(inputs.pairs[p].driver, inputs.pairs[p].response, settings, random.stream(concat("study ", p))));
    write_pairs(inputs, outcomes, asked.level, results);
    if (!asked.series.made())
      results.title(concat(Place(asked.series.file).name(), ": ", counted(std::ssize(outcomes), "pair"), " of curves"));
  }

  void conclude(Results& merged) const override { conclude_pairs(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_pair() { return std::make_unique<Pair>(); }

}  // namespace fovea::lag::pair
