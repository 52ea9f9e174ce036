#include "fovea/domains/lag/attention/learned.hpp"

#include <algorithm>
#include <map>

#include "fovea/domains/lag/attention/confirmation.hpp"

namespace fovea::lag::attention {

namespace {

// Of learning and filling gaps before the last learning: what fills a gap changes what is learned, which fills it.
constexpr int kFillRounds = 2;

/// Keys of the required causes of one target; those whose lag is not looked at are left out.
std::vector<Index> required_keys(const KeyProducts& products, Index target, const methods::LagSettings& settings) {
  std::vector<Index> keys;
  for (const methods::Link& link : settings.required) {
    const auto place = std::lower_bound(settings.lags.begin(), settings.lags.end(), link.lag);
    if (link.effect == target && place != settings.lags.end() && *place == link.lag)
      keys.push_back(products.key(link.cause, place - settings.lags.begin(), Content::plain));
  }
  return keys;
}

/// p-value of what the contents chosen of one (source, lag) are as conditions: the most significant of them, each given
/// the others but not those of its own (source, lag), by Bonferroni.
double p_value_of_group(const std::vector<std::size_t>& group, const RowsGiven& given, const TargetRows& rows,
                        const RowConditions::TargetFit& fit) {
  double least = 1;
  for (const std::size_t member : group) {
    if (group.size() == 1)
      return given.columns.test_condition(fit, static_cast<Index>(member), given.degrees(rows.count()) + 1).p_value;
    std::vector<Index> others;
    for (std::size_t c = 0; c < given.keys.size(); ++c)
      if (std::find(group.begin(), group.end(), c) == group.end()) others.push_back(given.keys[c]);
    const RowsGiven fewer = rows_given(rows, others, given.held);
    const RowConditions::TargetFit left = fewer.columns.fit_target(rows.target());
    least =
        std::min(least, fewer.columns.test(left, rows.key(given.keys[member]), fewer.degrees(rows.count())).p_value);
  }
  return static_cast<double>(group.size()) * least;
}

/// The model without those conditions, other than own past and required ones, that the rows do not confirm: where few
/// rows or a course of the variance make a key, what it would leave of the target is less than noise. The contents of
/// one (source, lag) say nearly the same, so that each is superfluous beside the others: they stand or fall together.
void drop_unconfirmed(TargetModel& model, const Learned& learned, const datasets::series::SeriesTable& table,
                      const methods::LagSettings& settings, Index target, Index held) {
  const std::vector<Index>& chosen = model.tests.chosen;
  if (chosen.size() < 2) return;
  const std::vector<Index> required = required_keys(*learned.products, target, settings);
  const TargetRows rows(*learned.products, table, settings.lags, target);
  const RowsGiven given = rows_given(rows, chosen, held);
  const RowConditions::TargetFit fit = given.columns.fit_target(rows.target());
  const Index width = learned.columns().cols(), series = table.series();
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> groups;  // (place of the lag, source)
  for (std::size_t c = 0; c < chosen.size(); ++c) groups[{chosen[c] / width, chosen[c] % width % series}].push_back(c);
  std::vector<char> kept(chosen.size(), 0);
  for (const auto& [place, group] : groups) {
    const bool own = place.second == target;
    const bool asked = std::any_of(group.begin(), group.end(), [&](std::size_t c) {
      return std::find(required.begin(), required.end(), chosen[c]) != required.end();
    });
    if (own || asked || p_value_of_group(group, given, rows, fit) <= kWorthConfirming)
      for (const std::size_t c : group) kept[c] = 1;
  }
  std::vector<Index> left;
  for (std::size_t c = 0; c < chosen.size(); ++c)
    if (kept[c]) left.push_back(chosen[c]);
  if (left.size() < chosen.size()) model.tests = tests_given(*learned.products, target, left);
}

/// Heads that found nothing have the prior's weights, one a key: a wide table has no room for them.
void drop_idle_heads(SingleEffects& heads) {
  std::vector<Index> on;
  for (Index head = 0; head < heads.weights.rows(); ++head)
    if (heads.on(head)) on.push_back(head);
  heads.weights = heads.weights(on, Eigen::all).eval();
  heads.effects = heads.effects(on, Eigen::all).eval();
  std::erase_if(heads.evidence, [](double evidence) { return !(evidence > 0); });
}

/// One round: products of all keys, then each target by itself.
Learned learn(const Matrix<double>& filled, const datasets::series::SeriesTable& table,
              const methods::LagSettings& settings, const HeldFixed& held, bool confirmed,
              methods::SearchMeter& meter) {
  Learned learned;
  learned.products = std::make_unique<KeyProducts>(content_columns(filled, held), table, settings.lags, held.rank());
  meter.done(kProductsPart * static_cast<double>(table.series()));
  learned.models.resize(table.series());
#pragma omp parallel for schedule(dynamic)
  for (Index j = 0; j < table.series(); ++j) {
    learned.models[j] = learn_target(*learned.products, j, table.series(), settings.lags.size(),
                                     required_keys(*learned.products, j, settings));
    drop_idle_heads(learned.models[j].heads);
    if (confirmed && !table.values.hasNaN())
      drop_unconfirmed(learned.models[j], learned, table, settings, j, held.rank());
    meter.done(1);
  }
  return learned;
}

/// The plain chosen keys as a forecast in the table's own units.
std::vector<std::vector<ForecastTerm>> forecasts_of(const Learned& learned, const Matrix<double>& filled,
                                                    const std::vector<Index>& lags) {
  const Index series = filled.cols(), width = kContents * series;
  const Vector<double> means = filled.colwise().mean().transpose();
  const Vector<double> spread = (filled.rowwise() - means.transpose()).colwise().norm().transpose();
  std::vector<std::vector<ForecastTerm>> forecasts(series);
  for (Index j = 0; j < series; ++j) {
    const SparseTests& tests = learned.models[j].tests;
    for (std::size_t c = 0; c < tests.chosen.size(); ++c) {
      const Index key = tests.chosen[c], source = key % width;
      if (source >= series || spread[source] <= 0) continue;
      forecasts[j].push_back(
          {source, lags[key / width], tests.coefficients[static_cast<Index>(c)] * spread[j] / spread[source]});
    }
  }
  return forecasts;
}

}  // namespace

int rounds_of_learning(const datasets::series::SeriesTable& table) {
  return table.values.hasNaN() ? 1 + kFillRounds : 1;
}

Learned learn_with_gaps(const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
                        const HeldFixed& held, methods::SearchMeter& meter) {
  Matrix<double> filled = bridged(table);
  for (int round = 0; round + 1 < rounds_of_learning(table); ++round)
    fill_by_forecast(filled, table,
                     forecasts_of(learn(filled, table, settings, held, false, meter), filled, settings.lags));
  return learn(filled, table, settings, held, true, meter);
}

}  // namespace fovea::lag::attention
