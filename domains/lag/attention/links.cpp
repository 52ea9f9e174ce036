#include "fovea/domains/lag/attention/links.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/core/statistics/tests/two_classes.hpp"
#include "fovea/domains/lag/attention/residual_links.hpp"
#include "fovea/domains/lag/attention/target.hpp"

namespace fovea::lag::attention {

namespace {

constexpr int kFillRounds = 2;          // of learning and filling gaps before the last learning
constexpr double kViewedWeight = 0.05;  // attention below it has no credible lags
constexpr double kCredible = 0.95;
constexpr double kReserve = 1.25;  // of a q-value, for what the p-values themselves may be off in their tails

struct Learned {
  Matrix<double> columns;
  std::unique_ptr<KeyProducts> products;
  std::vector<TargetModel> models;
};

void check_lags(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  const auto& lags = settings.lags;
  require(!lags.empty() && lags.front() >= 1 &&
              std::adjacent_find(lags.begin(), lags.end(), std::greater_equal<>()) == lags.end(),
          "attention over the past: the lags must be at least one, ascending, each >= 1.");
  require(lags.back() < table.steps(), "attention over the past: the longest lag is ", lags.back(),
          ", but the table has only ", table.steps(), " steps; shorten the lags.");
  require(settings.level > 0 && settings.level < 1, "attention over the past: level = ", settings.level,
          ", but must be between 0 and 1.");
}

/// Parts of the work on one target, for the progress: what it is to learn is 1.
constexpr double kProductsPart = 0.5, kTestsPart = 0.3;

Learned learn(const Matrix<double>& filled, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
              methods::SearchMeter& meter) {
  Learned learned;
  learned.columns = content_columns(filled);
  learned.products = std::make_unique<KeyProducts>(learned.columns, table, lags);
  meter.done(kProductsPart * static_cast<double>(table.series()));
  learned.models.resize(static_cast<std::size_t>(table.series()));
#pragma omp parallel for schedule(dynamic)
  for (Index j = 0; j < table.series(); ++j) {
    learned.models[static_cast<std::size_t>(j)] = learn_target(*learned.products, j, table.series(), lags.size());
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
  std::vector<std::vector<ForecastTerm>> forecasts(static_cast<std::size_t>(series));
  for (Index j = 0; j < series; ++j) {
    const SparseTests& tests = learned.models[static_cast<std::size_t>(j)].tests;
    for (std::size_t c = 0; c < tests.chosen.size(); ++c) {
      const Index key = tests.chosen[c], source = key % width;
      if (source >= series || spread[source] <= 0) continue;
      forecasts[static_cast<std::size_t>(j)].push_back(
          {source, lags[static_cast<std::size_t>(key / width)],
           tests.coefficients[static_cast<Index>(c)] * spread[j] / spread[source]});
    }
  }
  return forecasts;
}

int rounds_of_filling(const datasets::series::SeriesTable& table) { return table.values.hasNaN() ? kFillRounds : 0; }

Learned learn_with_gaps(const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
                        methods::SearchMeter& meter) {
  Matrix<double> filled = bridged(table);
  for (int round = 0; round < rounds_of_filling(table); ++round)
    fill_by_forecast(filled, table, forecasts_of(learn(filled, table, lags, meter), filled, lags));
  return learn(filled, table, lags, meter);
}

AttentionView view_of(const SingleEffects& heads, const KeyProducts& products, Index source,
                      const std::vector<Index>& lags, std::size_t place) {
  const Index plain = products.key(source, place, Content::plain), bent = products.key(source, place, Content::bent);
  AttentionView view;
  double none = 1, largest = 0, bent_weight = 0, all_weight = 0;
  for (Index head = 0; head < heads.weights.rows(); ++head) {
    if (!heads.on(head)) continue;
    const double weight = heads.weights(head, plain) + heads.weights(head, bent);
    none *= 1 - std::min(weight, 1.0);
    bent_weight += heads.weights(head, bent);
    all_weight += weight;
    view.gradient += heads.weights(head, plain) * heads.effects(head, plain);
    if (weight > largest) largest = weight, view.head = head;
  }
  view.weight = 1 - none;
  view.bent_share = all_weight > 0 ? bent_weight / all_weight : 0;
  if (view.weight < kViewedWeight) return view;
  std::vector<std::pair<double, Index>> by_lag;
  double sum = 0;
  for (std::size_t l = 0; l < lags.size(); ++l) {
    by_lag.emplace_back(heads.weights(view.head, products.key(source, l, Content::plain)) +
                            heads.weights(view.head, products.key(source, l, Content::bent)),
                        lags[l]);
    sum += by_lag.back().first;
  }
  std::sort(by_lag.begin(), by_lag.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double held = 0;
  for (std::size_t l = 0; l < by_lag.size() && held < kCredible * sum; ++l) {
    held += by_lag[l].first;
    view.credible_lags.push_back(by_lag[l].second);
  }
  std::sort(view.credible_lags.begin(), view.credible_lags.end());
  return view;
}

/// Every link of one target, by cause and lag, with its view; plain_t has |t| of the plain content.
struct TargetLinks {
  std::vector<methods::Link> links;
  std::vector<AttentionView> views;
  std::vector<double> plain_t;
};

TargetLinks links_of_target(const Learned& learned, Index target, Index series, const std::vector<Index>& lags,
                            const std::optional<DenseTests>& dense) {
  const TargetModel& model = learned.models[static_cast<std::size_t>(target)];
  const SparseTests tests = dense ? dense->of(target) : model.tests;
  TargetLinks result;
  for (Index i = 0; i < series; ++i)
    for (std::size_t l = 0; l < lags.size(); ++l) {
      const LinkTest test = test_link(tests, *learned.products, i, l, target, model.rows);
      result.links.push_back({i, target, lags[l], test.correlation, test.t, test.p_value});
      result.links.back().log10_p = test.log10_p;
      result.views.push_back(view_of(model.heads, *learned.products, i, lags, l));
      result.plain_t.push_back(std::abs(test.plain_t));
    }
  return result;
}

/// q-values and counts of the links for which `chosen` holds, as one family.
template <typename Chosen>
void discover_among(std::vector<methods::Link>& links, double level, Chosen chosen) {
  std::vector<std::size_t> places;
  std::vector<double> p;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (!chosen(links[k])) continue;
    places.push_back(k);
    p.push_back(links[k].p_value);
  }
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t k = 0; k < places.size(); ++k) {
    links[places[k]].q_value = std::min(kReserve * q[k], 1.0);
    links[places[k]].counts = kReserve * q[k] <= level;
  }
  methods::add_small_q_values(links, places, kReserve);
}

/// A lagged effect that is sampled too slowly leaves something within the step: such pairs do not count at lag 0.
Index drop_echoes_of_lagged_links(std::vector<methods::Link>& links) {
  std::set<std::pair<Index, Index>> joined;
  for (const methods::Link& link : links)
    if (link.counts && link.lag > 0) joined.insert(std::minmax(link.cause, link.effect));
  Index dropped = 0;
  for (methods::Link& link : links) {
    if (link.lag > 0 || !link.counts || !joined.contains(std::minmax(link.cause, link.effect))) continue;
    link.counts = false;
    ++dropped;
  }
  return dropped;
}

/// Where factors are hidden only the upper of two classes of |t| counts, and nothing within a step.
void cut_in_two_classes(std::vector<methods::Link>& links, const std::vector<double>& plain_t, HiddenFactors& hidden) {
  std::vector<double> values;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (!links[k].self() && links[k].lag > 0 && std::isfinite(plain_t[k])) values.push_back(plain_t[k]);
  if (values.size() < 2) return;
  hidden.cut = two_class_cut(values);
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (links[k].self() || (links[k].lag > 0 && plain_t[k] > hidden.cut)) continue;
    links[k].q_value = 1;
    links[k].log10_q = kNan;
    links[k].counts = false;
  }
}

void add_notes(AttentionFindings& found, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
               bool dense, Index echoes) {
  auto& notes = found.findings.notes;
  if (found.hidden.found)
    notes.push_back(concat(
        "One hidden factor moves most series within a step: their residuals have ", rounded_text(found.hidden.share, 2),
        " of the largest possible common correlation. Past values are proxies for it, so that small partial effects "
        "are everywhere. Only lagged links with |t| above ",
        rounded_text(found.hidden.cut, 3),
        ", the cut between two classes, are reported as significant, without a guaranteed false discovery rate.",
        dense ? ""
              : " There are too few rows to condition on every lagged value, so the tests condition on a selection."));
  if (echoes > 0)
    notes.push_back(
        concat(counted(echoes, "pair"), " would be significant within a step too, but already have a lagged link."));
  if (table.values.hasNaN())
    notes.push_back(
        "Missing values of a cause were replaced by forecasts; rows with a missing value of the effect were left out.");
  Index fewest = table.steps();
  for (const TargetAttention& target : found.targets) fewest = std::min(fewest, target.rows);
  if (fewest < 30)
    notes.push_back(concat("A target has only ", counted(fewest, "row"), " with ", counted(lags.back(), "step"),
                           " of past: the p-values are reliable only if the residuals are close to normal."));
}

/// Appends the links at lag 0 of the wanted targets, each with an empty view.
void append_links_within_a_step(AttentionFindings& found, std::vector<double>& plain_t,
                                std::vector<methods::Link> within, const std::set<Index>& wanted) {
  for (methods::Link& link : within) {
    if (!wanted.contains(link.effect)) {
      if (!wanted.contains(link.cause)) continue;
      std::swap(link.cause, link.effect);
    }
    found.findings.links.push_back(link);
    found.views.emplace_back();
    plain_t.push_back(std::abs(link.statistic));
  }
}

/// By effect, cause, lag.
void sort_links(AttentionFindings& found) {
  std::vector<std::size_t> order(found.views.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& links = found.findings.links;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(links[a].effect, links[a].cause, links[a].lag) <
           std::tuple(links[b].effect, links[b].cause, links[b].lag);
  });
  AttentionFindings sorted = found;
  for (std::size_t k = 0; k < order.size(); ++k) {
    sorted.findings.links[k] = links[order[k]];
    sorted.views[k] = std::move(found.views[order[k]]);
  }
  found = std::move(sorted);
}

std::set<Index> wanted_targets(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  std::set<Index> wanted(settings.targets.begin(), settings.targets.end());
  if (wanted.empty())
    for (Index j = 0; j < table.series(); ++j) wanted.insert(j);
  require(*wanted.begin() >= 0 && *wanted.rbegin() < table.series(),
          "attention over the past: a target's number is outside 0 to ", table.series() - 1, ".");
  return wanted;
}

void describe_targets(AttentionFindings& found, const std::vector<TargetModel>& models) {
  for (const TargetModel& model : models) {
    TargetAttention target;
    for (Index head = 0; head < model.heads.weights.rows(); ++head) target.heads_on += model.heads.on(head) ? 1 : 0;
    target.rows = model.rows;
    if (model.rows > 0)
      target.explained = std::clamp(1 - model.tests.residual_square / static_cast<double>(model.rows), 0.0, 1.0);
    found.targets.push_back(target);
  }
}

}  // namespace

AttentionFindings attend_to_the_past(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  check_lags(table, settings);
  const std::set<Index> wanted = wanted_targets(table, settings);
  const auto& lags = settings.lags;
  const double rounds = 1 + rounds_of_filling(table);
  methods::SearchMeter meter(settings, static_cast<double>(table.series()) * rounds * (1 + kProductsPart) +
                                           static_cast<double>(wanted.size()) * kTestsPart);
  const Learned learned = learn_with_gaps(table, lags, meter);
  const ResidualCorrelations residuals =
      residual_correlations(residuals_of(learned.models, learned.columns, table, lags));
  AttentionFindings found;
  found.hidden = look_for_hidden_factors(residuals);
  describe_targets(found, learned.models);
  Index fewest = table.steps();
  for (const TargetAttention& target : found.targets) fewest = std::min(fewest, target.rows);
  std::optional<DenseTests> dense;
  if (found.hidden.found && table.series() * static_cast<Index>(lags.size()) <= fewest / 4)
    dense.emplace(*learned.products, table.series(), lags.size());

  const std::vector<Index> targets(wanted.begin(), wanted.end());
  std::vector<TargetLinks> parts(targets.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < targets.size(); ++k) {
    parts[k] = links_of_target(learned, targets[k], table.series(), lags, dense);
    meter.done(kTestsPart);
  }
  std::vector<double> plain_t;
  for (TargetLinks& part : parts) {
    found.findings.links.insert(found.findings.links.end(), part.links.begin(), part.links.end());
    std::move(part.views.begin(), part.views.end(), std::back_inserter(found.views));
    plain_t.insert(plain_t.end(), part.plain_t.begin(), part.plain_t.end());
  }
  if (settings.contemporaneous) append_links_within_a_step(found, plain_t, links_within_a_step(residuals), wanted);

  auto& links = found.findings.links;
  discover_among(links, settings.level, [](const methods::Link& link) { return link.self(); });
  discover_among(links, settings.level, [](const methods::Link& link) { return !link.self(); });
  if (found.hidden.found) cut_in_two_classes(links, plain_t, found.hidden);
  const Index echoes = drop_echoes_of_lagged_links(links);
  add_notes(found, table, lags, dense.has_value(), echoes);
  sort_links(found);
  return found;
}

}  // namespace fovea::lag::attention
