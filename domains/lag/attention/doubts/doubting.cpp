#include "fovea/domains/lag/attention/doubts/doubting.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/tests/score_test.hpp"
#include "fovea/datasets/series/rows.hpp"

namespace fovea::lag::attention {

namespace {

// Rows that carry a test, at least: a product of two normal variables has a ninth of all, a square a fifteenth.
constexpr double kFewestCarrying = 15;
// Of the cells of a series that are one value, as the zeros of rain: what else it does is in too few rows for a limit.
constexpr double kSparse = 0.5;
constexpr Index kLongestOrder = 6, kFurtherSteps = 3;
constexpr std::size_t kMostRows = 10000;            // more would find faults that are too small to matter
constexpr double kRowsOfRegression = 6;             // of a target's regression, at least
constexpr std::size_t kMostDoubtedProducts = 1000;  // of a target; where there are more, those of its conditions alone
constexpr std::size_t kTogether = 64;               // columns of products, for memory's sake
constexpr double kMany = 1. / 3;   // of the series: then every target has some of them behind its causes
constexpr double kOfTarget = .05;  // at which a target of a table with such effects is said to have one

struct Value {
  Index series, lag;
  auto operator<=>(const Value&) const = default;
};

/// What one target shows.
struct Shown {
  std::vector<Index> sources;          ///< series in its regression, itself among them
  Doubt bend, further;                 ///< with p-values that count the tests of this target
  std::vector<Index> steps;            ///< rows of its regression
  std::vector<Eigen::VectorXd> noise;  ///< of each source: e w / variance, a row
  std::vector<double> information;     ///< of each source: sum w^2 / variance
};

class Doubting {
 public:
  Doubting(const Learned& learned, const datasets::series::SeriesTable& table, const std::vector<Index>& lags)
      : learned_(learned), table_(table), lags_(lags), series_(table.series()), shown_(table.series()) {
    find_sources();
  }

  /// Series in the regression of each target, itself among them; ascending.
  std::vector<std::vector<Index>> sources() const {
    std::vector<std::vector<Index>> all;
    for (const Shown& one : shown_) all.push_back(one.sources);
    return all;
  }

  const std::vector<Shown>& show() {
    choose_order();
    noise_ = Eigen::MatrixXd::Zero(table_.steps(), series_);
    information_ = Eigen::VectorXd::Zero(series_);
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (Index j = 0; j < series_; ++j) {
      test_target(j);
#pragma omp ordered
      add_noise(shown_[j]);
    }
    return shown_;
  }

  /// Noise on one series, or on all (-1). p-value 1 where too small a share, or none, is seen.
  Doubt noise_on(Index series) const {
    const Eigen::VectorXd sum = series < 0 ? Eigen::VectorXd(noise_.rowwise().sum()) : noise_.col(series);
    const double information = series < 0 ? information_.sum() : information_[series];
    Doubt doubt{.kind = DoubtKind::noise, .series = series};
    if (!(information > 0)) return doubt;
    const double over_rest = sum.sum() / information;
    doubt.size = over_rest / (1 + over_rest);
    if (over_rest > 0 && doubt.size > kNoisy) doubt.p_value = normal_two_sided(sum.sum() / sum.norm()) / 2;
    return doubt;
  }

 private:
  /// Whether most cells of a series are one value.
  bool sparse(Index series) const {
    std::vector<double> known;
    for (Index t = 0; t < table_.steps(); ++t)
      if (!std::isnan(table_.values(t, series))) known.push_back(learned_.columns()(t, series));
    return has_ties(Eigen::Map<const Eigen::VectorXd>(known.data(), std::ssize(known)), kSparse);
  }

  void find_sources() {
    const Index width = learned_.columns().cols();
    for (Index j = 0; j < series_; ++j) {
      std::set<Index> sources{j};
      for (const Index key : learned_.models[j].tests.chosen) sources.insert(key % width % series_);
      shown_[j].sources.assign(sources.begin(), sources.end());
    }
  }

  /// Rows of a target that reach `reach` steps back, thinned evenly.
  std::vector<Index> steps_of(Index target, Index reach) const {
    std::vector<Index> steps;
    for (const Index step : steps_with_past(table_, reach))
      if (!std::isnan(table_.values(step, target))) steps.push_back(step);
    const std::size_t stride = (steps.size() + kMostRows - 1) / kMostRows;
    for (std::size_t k = 0; k * stride < steps.size(); ++k) steps[k] = steps[k * stride];
    if (stride > 1) steps.resize((steps.size() + stride - 1) / stride);
    return steps;
  }

  Eigen::VectorXd column(Index number, Index lag, const std::vector<Index>& steps) const {
    const auto values = learned_.products->columns().col(number);
    Eigen::VectorXd at(std::ssize(steps));
    for (std::size_t k = 0; k < steps.size(); ++k) at[static_cast<Index>(k)] = values[steps[k] - lag];
    return at;
  }

  /// Values of series at the steps `first` to `last` before, the newest first.
  Eigen::MatrixXd values_of(const std::vector<Index>& sources, Index first, Index last,
                            const std::vector<Index>& steps) const {
    Eigen::MatrixXd x(std::ssize(steps), (last - first + 1) * std::ssize(sources));
    for (Index lag = first, c = 0; lag <= last; ++lag)
      for (const Index source : sources) x.col(c++) = column(source, lag, steps);
    return x;
  }

  Index most_order(std::size_t sources, std::size_t rows) const {
    const double most = static_cast<double>(rows) / (kRowsOfRegression * static_cast<double>(sources));
    return std::clamp<Index>(static_cast<Index>(most), 1, std::min(kLongestOrder, lags_.back()));
  }

  void choose_order() {
    const Index most = std::min(kLongestOrder, lags_.back());
    Matrix<double> criteria = Matrix<double>::Zero(series_, most);
#pragma omp parallel for schedule(dynamic)
    for (Index j = 0; j < series_; ++j) {
      const std::vector<Index> steps = steps_of(j, most);
      if (steps.empty()) continue;
      const std::vector<Index>& sources = shown_[j].sources;
      const Index longest = most_order(sources.size(), steps.size());
      const ScoreTest regression(values_of(sources, 1, longest, steps), column(j, 0, steps));
      for (Index k = 1; k <= most; ++k)
        criteria(j, k - 1) = regression.criterion(std::min(k, longest) * std::ssize(sources));
    }
    Index best = 0;
    for (Index k = 1; k < most; ++k)
      if (criteria.col(k).sum() < criteria.col(best).sum()) best = k;
    order_ = best + 1;
  }

  void test_target(Index target) {
    Shown& shown = shown_[target];
    const std::vector<Index>& chosen = learned_.models[target].tests.chosen;
    const Index width = learned_.columns().cols();
    Index reach = order_ + kFurtherSteps;
    for (const Index key : chosen) reach = std::max(reach, lags_[key / width]);
    shown.steps = steps_of(target, reach);
    const Index order = std::min(order_, most_order(shown.sources.size(), shown.steps.size()));
    std::vector<Index> beyond;
    std::set<Value> given;
    for (const Index key : chosen) {
      const Value value{key % width % series_, lags_[key / width]};
      given.insert(value);
      if (key % width >= series_ || value.lag > order) beyond.push_back(key);
    }
    const Index near = order * std::ssize(shown.sources), count = near + std::ssize(beyond);
    shown.noise.clear();
    if (sparse(target) || std::ssize(shown.steps) < 2 * count + 20) return;
    Eigen::MatrixXd x(std::ssize(shown.steps), count);
    x.leftCols(near) = values_of(shown.sources, 1, order, shown.steps);
    for (Index c = near; c < count; ++c)
      x.col(c) = column(beyond[c - near] % width, lags_[beyond[c - near] / width], shown.steps);
    const ScoreTest regression(x, column(target, 0, shown.steps));
    const Eigen::MatrixXd further = values_of(shown.sources, order + 1, order + kFurtherSteps, shown.steps);
    test_memory(shown, regression, further, order);
    test_bends(shown, regression, given);
    see_noise(shown, regression, further, near, count);
    shown.bend.effect = shown.further.effect = target;
  }

  void test_memory(Shown& shown, const ScoreTest& regression, const Eigen::MatrixXd& further, Index order) const {
    Index at = 0;
    const Eigen::VectorXd t = regression.test(further, kFewestCarrying);
    const double largest = t.cwiseAbs().maxCoeff(&at);
    const auto sources = std::ssize(shown.sources);
    shown.further = {.kind = DoubtKind::memory,
                     .series = shown.sources[at % sources],
                     .lag = order + 1 + at / sources,
                     .p_value = std::min(static_cast<double>(t.size()) * normal_two_sided(largest), 1.0)};
  }

  /// Outliers are pulled in: their products are all of a sum.
  Eigen::VectorXd tame(const Value& value, const std::vector<Index>& steps) const {
    const bool pulled = learned_.products->holds(value.series, Content::pulled);
    const Index content = static_cast<Index>(pulled ? Content::pulled : Content::plain);
    return column(content * series_ + value.series, value.lag, steps);
  }

  void test_bends(Shown& shown, const ScoreTest& regression, const std::set<Value>& given) const {
    std::vector<Value> values(given.begin(), given.end());
    for (Index s = 0; s < series_; ++s)
      if (!given.contains({s, lags_.front()})) values.push_back({s, lags_.front()});
    if (given.size() * values.size() > kMostDoubtedProducts) values.resize(given.size());
    std::vector<std::pair<std::size_t, std::size_t>> squares, products;
    for (std::size_t v = 0; v < values.size(); ++v) squares.emplace_back(v, v);
    for (std::size_t a = 0; a < given.size(); ++a)
      for (std::size_t b = a + 1; b < values.size(); ++b) products.emplace_back(a, b);
    Eigen::MatrixXd columns(std::ssize(shown.steps), std::ssize(values));
    for (std::size_t v = 0; v < values.size(); ++v) columns.col(static_cast<Index>(v)) = tame(values[v], shown.steps);
    shown.bend.p_value = 1;
    for (const auto* pairs : {&squares, &products})
      for (std::size_t first = 0; first < pairs->size(); first += kTogether) {
        const std::size_t end = std::min(first + kTogether, pairs->size());
        Eigen::MatrixXd z(columns.rows(), static_cast<Index>(end - first));
        for (std::size_t k = first; k < end; ++k)
          z.col(static_cast<Index>(k - first)) = columns.col(static_cast<Index>((*pairs)[k].first))
                                                     .cwiseProduct(columns.col(static_cast<Index>((*pairs)[k].second)));
        Index at = 0;
        const double largest = regression.test(z, kFewestCarrying).cwiseAbs().maxCoeff(&at);
        const double p = std::min(2 * static_cast<double>(pairs->size()) * normal_two_sided(largest), 1.0);
        if (p >= shown.bend.p_value) continue;
        const auto [a, b] = (*pairs)[first + static_cast<std::size_t>(at)];
        shown.bend = {.kind = a == b ? DoubtKind::square : DoubtKind::product,
                      .series = values[a].series,
                      .other = a == b ? -1 : values[b].series,
                      .lag = values[a].lag,
                      .other_lag = a == b ? 0 : values[b].lag,
                      .p_value = p};
      }
  }

  void see_noise(Shown& shown, const ScoreTest& regression, const Eigen::MatrixXd& further, Index near,
                 Index columns) const {
    const OrthonormalColumns instruments(further);
    const std::size_t sources = shown.sources.size();
    const double variance = regression.variance();
    if (!(variance > 0)) return;
    for (std::size_t s = 0; s < sources; ++s) {
      std::vector<char> measured(static_cast<std::size_t>(columns), 0);
      for (std::size_t c = s; c < static_cast<std::size_t>(near); c += sources) measured[c] = 1;
      const Eigen::VectorXd w = regression.attenuation(instruments, measured);
      shown.noise.push_back(regression.residuals().cwiseProduct(w) / variance);
      shown.information.push_back(w.squaredNorm() / variance);
    }
  }

  void add_noise(Shown& shown) {
    for (std::size_t s = 0; s < shown.noise.size(); ++s) {
      for (std::size_t k = 0; k < shown.steps.size(); ++k)
        noise_(shown.steps[k], shown.sources[s]) += shown.noise[s][static_cast<Index>(k)];
      information_[shown.sources[s]] += shown.information[s];
    }
    shown.noise.clear();
  }

  const Learned& learned_;
  const datasets::series::SeriesTable& table_;
  const std::vector<Index>& lags_;
  Index series_, order_ = 1;
  std::vector<Shown> shown_;
  Eigen::MatrixXd noise_;        ///< steps x series: sums of Shown::noise over the targets
  Eigen::VectorXd information_;  ///< of each series
};

bool has(const std::vector<Index>& sorted, Index one) { return std::binary_search(sorted.begin(), sorted.end(), one); }

/// Few values, gaps: of each kind one a target, its own first.
void add_series_doubts(DoubtKind kind, const Doubts& of_series, const std::vector<std::vector<Index>>& sources,
                       Doubts& doubts) {
  std::vector<Doubt> such;
  for (const std::vector<Doubt>& list : of_series)
    for (const Doubt& doubt : list)
      if (doubt.kind == kind) such.push_back(doubt);
  const bool many = such.size() > 1 && static_cast<double>(such.size()) >= kMany * static_cast<double>(doubts.size());
  for (std::size_t j = 0; j < doubts.size(); ++j) {
    const auto own =
        std::find_if(such.begin(), such.end(), [&](const Doubt& one) { return one.series == static_cast<Index>(j); });
    const auto one = own != such.end() ? own : std::find_if(such.begin(), such.end(), [&](const Doubt& doubt) {
      return has(sources[j], doubt.series);
    });
    if (many)
      doubts[j].push_back({.kind = kind, .size = static_cast<double>(such.size())});
    else if (one != such.end())
      doubts[j].push_back(*one);
  }
}

void add_noise_doubts(const Doubting& doubting, const std::vector<std::vector<Index>>& sources, Doubts& doubts) {
  const auto series = std::ssize(doubts);
  Doubt all = doubting.noise_on(-1);
  std::vector<Doubt> noisy;
  for (Index s = 0; s < series; ++s)
    if (const Doubt one = doubting.noise_on(s); static_cast<double>(series) * one.p_value < kDoubted / 2)
      noisy.push_back(one);
  if (all.p_value >= kDoubted && std::ssize(noisy) > 1 &&
      static_cast<double>(noisy.size()) >= kMany * static_cast<double>(series))
    all = {.kind = DoubtKind::noise, .size = noisy.front().size, .p_value = noisy.front().p_value};
  for (std::size_t j = 0; j < doubts.size(); ++j) {
    if (all.p_value < kDoubted) doubts[j].push_back(all);
    for (const Doubt& one : noisy)
      if (all.p_value >= kDoubted && has(sources[j], one.series)) doubts[j].push_back(one);
  }
}

/// Correlations within the step of a table that lines do not describe, by Fisher's z and Bonferroni.
void add_within(const ResidualCorrelations& within, Doubts& doubts) {
  const auto series = std::ssize(doubts);
  const double pairs = static_cast<double>(series * (series - 1)) / 2;
  for (Index j = 0; j < series; ++j) {
    Doubt strongest{.kind = DoubtKind::within, .effect = j};
    for (Index i = 0; i < series; ++i) {
      const double r = std::clamp(within.correlations(i, j), -1 + 1e-15, 1 - 1e-15);
      const double rows = static_cast<double>(within.rows(i, j));
      if (i == j || rows < 10) continue;
      const double p = std::min(pairs * normal_two_sided(std::atanh(r) * std::sqrt(rows - 3)), 1.0);
      if (p < strongest.p_value) strongest.p_value = p, strongest.series = i;
    }
    if (strongest.p_value < kDoubted) doubts[j].push_back(strongest);
  }
}

void add_bends(const std::vector<Shown>& shown, const ResidualCorrelations& within, Doubts& doubts) {
  const auto less = [](const Shown& a, const Shown& b) { return a.bend.p_value < b.bend.p_value; };
  const Doubt strongest = std::min_element(shown.begin(), shown.end(), less)->bend;
  if (static_cast<double>(shown.size()) * strongest.p_value >= kDoubted) return;
  const auto bent = static_cast<std::size_t>(
      std::count_if(shown.begin(), shown.end(), [](const Shown& one) { return one.bend.p_value < kOfTarget; }));
  const bool all = bent >= 2 && 2 * bent >= shown.size();
  for (std::size_t j = 0; j < shown.size(); ++j)
    if (all || shown[j].bend.p_value < kOfTarget)
      doubts[j].push_back(shown[j].bend.p_value < kOfTarget ? shown[j].bend : strongest);
  add_within(within, doubts);
}

}  // namespace

Doubts doubts_of_series(const datasets::series::SeriesTable& table) {
  Doubts doubts(table.series());
  for (Index s = 0; s < table.series(); ++s) {
    std::set<double> values;
    Index known = 0;
    for (Index t = 0; t < table.steps(); ++t) {
      const double value = table.values(t, s);
      if (std::isnan(value)) continue;
      ++known;
      if (std::ssize(values) < kFewValues) values.insert(value);
    }
    if (std::find(table.parts.begin(), table.parts.end(), s) != table.parts.end())
      doubts[s].push_back({.kind = DoubtKind::parts, .series = s});
    if (const Vector<double> column = table.values.col(s); datasets::series::is_total(
            {column.begin(), column.end()}, {table.recording_starts.begin(), table.recording_starts.end()}))
      doubts[s].push_back({.kind = DoubtKind::totals, .series = s});
    const double missing = 1 - static_cast<double>(known) / static_cast<double>(std::max<Index>(table.steps(), 1));
    if (std::ssize(values) > 1 && std::ssize(values) < kFewValues)
      doubts[s].push_back({.kind = DoubtKind::few_values, .series = s, .size = static_cast<double>(values.size())});
    if (missing > kManyGaps) doubts[s].push_back({.kind = DoubtKind::gaps, .series = s, .size = missing});
  }
  return doubts;
}

Doubts doubts_of_targets(const Learned& learned, const datasets::series::SeriesTable& table,
                         const std::vector<Index>& lags, const ResidualCorrelations* within, const Doubts& of_series) {
  Doubts doubts(table.series());
  Doubting doubting(learned, table, lags);
  const std::vector<std::vector<Index>> sources = doubting.sources();
  for (const DoubtKind kind : {DoubtKind::few_values, DoubtKind::parts, DoubtKind::totals, DoubtKind::gaps})
    add_series_doubts(kind, of_series, sources, doubts);
  if (within == nullptr) return doubts;
  const std::vector<Shown>& shown = doubting.show();
  add_noise_doubts(doubting, sources, doubts);
  add_bends(shown, *within, doubts);
  for (std::size_t j = 0; j < shown.size(); ++j)
    if (static_cast<double>(shown.size()) * shown[j].further.p_value < kDoubted) doubts[j].push_back(shown[j].further);
  return doubts;
}

}  // namespace fovea::lag::attention
