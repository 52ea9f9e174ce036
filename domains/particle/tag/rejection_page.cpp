#include "fovea/domains/particle/tag/rejection_page.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/delong.hpp"
#include "fovea/core/statistics/rejection.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/domains/particle/tag/jet_numbers.hpp"

namespace fovea::particle::tag {

namespace {

constexpr Index kDraws = 400, kMassBins = 40, kScoreBins = 40;
constexpr double kLeastDivergence = 1e-9;

/// The jets whose class is known, and what scores them; the tagger first.
struct Tested {
  std::vector<JetNumber> taggers;
  std::vector<Index> outcomes, items;
};

Tested tested_jets(const study::StudyOutcome& outcome, const RejectionSettings& settings) {
  Tested tested;
  JetNumber ours{"tagger", "1", {}};
  for (std::size_t k = 0; k < outcome.test_targets.size(); ++k) {
    if (std::isnan(outcome.test_targets[k])) continue;
    ours.values.push_back(outcome.predictions.mean(static_cast<Index>(k), 0));
    tested.outcomes.push_back(static_cast<Index>(outcome.test_targets[k]));
    tested.items.push_back(outcome.split.test[k]);
  }
  tested.taggers = jet_numbers(outcome.cases, tested.items, settings.resonance, settings.fewer);
  tested.taggers.insert(tested.taggers.begin(), std::move(ours));
  return tested;
}

std::vector<double> efficiencies() {
  std::vector<double> points;
  for (int k = 2; k <= 50; ++k) points.push_back(0.02 * k);
  return points;
}

double drawable(double rejection) { return std::isfinite(rejection) ? rejection : kNan; }

/// One curve a tagger; the first with its band.
void write_curves(const Tested& tested, const Random& random, Results& results) {
  results.coordinate("efficiency", efficiencies(), "1", "signal efficiency");
  std::vector<std::string> variables;
  for (std::size_t t = 0; t < tested.taggers.size(); ++t) {
    const JetNumber& tagger = tested.taggers[t];
    RejectionBand band = rejection_band(tagger.values, tested.outcomes, efficiencies(), random, t == 0 ? kDraws : 10);
    std::transform(band.rejection.begin(), band.rejection.end(), band.rejection.begin(), drawable);
    variables.push_back(t == 0 ? "rejection" : concat("rejection_", t));
    results.add(variables.back(), {"efficiency"}, band.rejection, "1", tagger.name);
    if (t > 0) continue;
    for (double& high : band.high) high = drawable(high);
    results.add("rejection_low", {"efficiency"}, band.low, "1", "95 % interval of the tagger, over jets");
    results.add("rejection_high", {"efficiency"}, band.high, "1", "upper end");
    results.add("background_kept", {"efficiency"},
                std::vector<std::int64_t>(band.background_kept.begin(), band.background_kept.end()), "1",
                "background jets that the point rests on");
  }
  results.figure({.kind = "lines",
                  .name = "rejection",
                  .title = "Background rejection",
                  .caption =
                      "One over the share of background jets that are kept, at each share of signal jets that is "
                      "kept. Band: 95 % interval over jets. A curve ends where no background jet is left.",
                  .variables = variables,
                  .x = "efficiency",
                  .log_y = true,
                  .band_low = "rejection_low",
                  .band_high = "rejection_high",
                  .value_label = "background rejection"});
}

/// One tagger compared with the first.
struct ComparedTagger {
  std::string name;
  ValueInterval auc, half, third;
  double p = kNan;
};

std::vector<ComparedTagger> compared(const Tested& tested, const Random& random) {
  std::vector<std::vector<double>> scores;
  for (const JetNumber& tagger : tested.taggers) scores.push_back(tagger.values);
  const RocAreas areas = roc_areas(scores, tested.outcomes);
  const Index signal = std::count(tested.outcomes.begin(), tested.outcomes.end(), Index{1});
  const Index fewer = std::min(signal, std::ssize(tested.outcomes) - signal);
  std::vector<ComparedTagger> all;
  for (Index t = 0; t < std::ssize(scores); ++t) {
    const double area = areas.areas[t];
    const AreaInterval interval = area_interval(area, areas.standard_error(t), fewer);
    const RejectionBand band =
        rejection_band(scores[t], tested.outcomes, std::vector<double>{0.3, 0.5}, random, kDraws);
    const auto rejection = [&](std::size_t k) { return ValueInterval{band.rejection[k], band.low[k], band.high[k]}; };
    all.push_back({tested.taggers[t].name, {area, interval.low, interval.high}, rejection(1), rejection(0)});
    if (t > 0) all.back().p = difference_p_value(areas.areas[0] - area, areas.difference_error(0, t));
  }
  return all;
}

/// AUC by DeLong, and the rejections that papers report.
void write_table(const Tested& tested, const Random& random, Results& results) {
  rows("tagger", compared(tested, random), &ComparedTagger::name, "tagger")
      .interval("auc", &ComparedTagger::auc, "AUC")
      .ends("low", "high")
      .with_ends()
      .number("auc_p", &ComparedTagger::p, "p, as good as the tagger")
      .interval("rejection_50", &ComparedTagger::half, "1/e_B at e_S = .5")
      .ends("low at .5", "high at .5")
      .with_ends()
      .interval("rejection_30", &ComparedTagger::third, "1/e_B at e_S = .3")
      .ends("low at .3", "high at .3")
      .with_ends()
      .write(results)
      .table(results,
             {.name = "taggers",
              .title = "Compared with single numbers",
              .caption = "AUC with DeLong's 95 % interval, and the p-value that the number is as good as the tagger "
                         "on these jets; rejections with 95 % intervals over jets.",
              .digits = 4});
}

/// Densities of the logarithm of the odds, in which both ends can be seen.
void write_scores_by_class(const study::StudyOutcome& outcome, const Tested& tested, Results& results) {
  std::vector<double> odds;
  for (const double p : tested.taggers[0].values) {
    const double kept = std::clamp(p, 1e-6, 1 - 1e-6);
    odds.push_back(std::log(kept / (1 - kept)));
  }
  const auto [least, most] = std::minmax_element(odds.begin(), odds.end());
  const double low = std::floor(*least), width = std::max(1.0, std::ceil(*most) - low) / kScoreBins;
  std::vector<double> middle;
  for (Index k = 0; k < kScoreBins; ++k) middle.push_back(low + (static_cast<double>(k) + 0.5) * width);
  std::vector<std::vector<double>> density(2, std::vector<double>(kScoreBins));
  std::vector<double> count(2);
  for (std::size_t i = 0; i < odds.size(); ++i) {
    const auto bin = std::clamp<Index>(static_cast<Index>((odds[i] - low) / width), 0, kScoreBins - 1);
    const std::size_t y = tested.outcomes[i];
    density[y][bin] += 1, count[y] += 1;
  }
  results.coordinate("log_odds", middle, "1", "score: log of the odds");
  std::vector<std::string> variables;
  for (std::size_t y = 0; y < 2; ++y) {
    for (double& value : density[y]) value /= count[y] * width;
    variables.push_back(y == 1 ? "signal_density" : "background_density");
    results.add(variables.back(), {"log_odds"}, density[y], "1", outcome.target.classes[y]);
  }
  results.figure({.kind = "histogram",
                  .name = "scores_by_class",
                  .title = "Scores of both classes",
                  .caption = "Density of the log odds of the test jets; 0 is a probability of one half.",
                  .variables = variables,
                  .x = "log_odds",
                  .value_label = "density"});
}

std::vector<double> shares(const std::vector<double>& masses, double width) {
  std::vector<double> density(kMassBins);
  for (const double mass : masses) {
    const auto bin = static_cast<Index>(mass / width);
    if (bin < kMassBins) density[bin] += 1 / (static_cast<double>(masses.size()) * width);
  }
  return density;
}

/// What a cut at half of the signal does to the mass of the background.
void write_sculpting(const Tested& tested, Results& results, const study::Cases& cases) {
  const RejectionPoint half = rejection_at(tested.taggers[0].values, tested.outcomes, 0.5);
  const std::vector<double> masses = jet_masses(cases, tested.items);
  std::vector<double> before, after;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (tested.outcomes[i] != 0) continue;
    before.push_back(masses[i]);
    if (tested.taggers[0].values[i] >= half.cut) after.push_back(masses[i]);
  }
  if (after.empty()) {
    results.note("No tested background jet passes the cut at a signal efficiency of .5, so its mass is not shown.");
    return;
  }
  std::vector<double> sorted = before;
  std::sort(sorted.begin(), sorted.end());
  const double width = std::max(1.0, std::ceil(sorted[sorted.size() * 99 / 100] * 1.2 / kMassBins));
  std::vector<double> middle;
  for (Index k = 0; k < kMassBins; ++k) middle.push_back((static_cast<double>(k) + 0.5) * width);
  results.coordinate("jet_mass", middle, "GeV", "mass of the jet");
  results.add("mass_before", {"jet_mass"}, shares(before, width), "1/GeV", "all background jets");
  results.add("mass_after", {"jet_mass"}, shares(after, width), "1/GeV", "background jets that pass");
  const double divergence = jensen_shannon_divergence(before, after, kMassBins);
  results.scalar("inverse_jsd", 1 / std::max(divergence, kLeastDivergence), "1",
                 "1 / JSD of the mass of background jets, all and those that pass at e_S = .5");
  results.figure({.kind = "histogram",
                  .name = "sculpting",
                  .title = "Mass of the background that passes",
                  .caption = concat("Cut at a signal efficiency of .5; ", after.size(), " of ", before.size(),
                                    " background jets pass. 1/JSD = ", plain_text(std::round(10 / divergence) / 10),
                                    "; with few jets chance alone lowers it."),
                  .variables = {"mass_before", "mass_after"},
                  .x = "jet_mass",
                  .value_label = "density"});
}

}  // namespace

void write_rejection(const study::StudyOutcome& outcome, const RejectionSettings& settings, const Random& random,
                     Results& results) {
  if (!outcome.target.rule().binary()) return;
  const Tested tested = tested_jets(outcome, settings);
  const auto signal = std::count(tested.outcomes.begin(), tested.outcomes.end(), Index{1});
  if (signal < 2 || static_cast<std::ptrdiff_t>(tested.outcomes.size()) - signal < 2) return;
  write_curves(tested, random.stream("curves"), results);
  write_table(tested, random.stream("table"), results);
  write_scores_by_class(outcome, tested, results);
  if (settings.sculpting) write_sculpting(tested, results, outcome.cases);
}

}  // namespace fovea::particle::tag
