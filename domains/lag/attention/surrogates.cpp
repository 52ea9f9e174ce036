#include "fovea/domains/lag/attention/surrogates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

namespace {

// Of all draws: a fraction of a second on one processor.
constexpr double kOperations = 3e8;
// Whatever they cost: theory.md, step 5.
constexpr Index kFewestDraws = 10;
// With fewer, few shifts are much longer than any lag.
constexpr Index kFewestRows = 40;
// Beyond kMostRaised: only to say how far off the table is.
constexpr double kHopeless = 1e9;
// Times the smallest threshold: a p-value above it is significant only beside a hundred smaller ones, and so many false
// ones are too many whatever the others are.
constexpr double kFirstLook = 100;

/// One effect: its rows, and what its conditions leave.
struct Effect {
  std::unique_ptr<TargetRows> rows;
  std::unique_ptr<RowsGiven> own;
  const RowsGiven* given = nullptr;
  RowConditions::TargetFit fit;  ///< of the effect on its conditions
  Eigen::VectorXd left;          ///< its residuals, at the steps with their past; 0 where it is unknown
  std::vector<Index> step;       ///< place among these steps of each row
};

class Surrogates {
 public:
  Surrogates(const std::vector<TargetLinks>& parts, const RowsGiven* shared, Index held, const Learned& learned,
             const datasets::series::SeriesTable& table, const std::vector<Index>& lags)
      : parts_(parts),
        shared_(shared),
        held_(held),
        learned_(learned),
        lags_(lags),
        steps_(steps_with_past(table, lags.back())),
        effects_(parts.size()) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < parts.size(); ++k) prepare(k, table);
    columns_ = learned.columns().cast<float>();
    rests_.resize(rows(), std::ssize(effects_));
    for (std::size_t k = 0; k < effects_.size(); ++k)
      rests_.col(static_cast<Index>(k)) = effects_[k].left.cast<float>();
    norms_ = rests_.colwise().norm().transpose();
  }

  Index rows() const { return std::ssize(steps_); }
  Index series() const { return learned_.columns().cols() / kContents; }
  /// Pairs of series of one surrogate.
  double pairs() const { return static_cast<double>(std::ssize(parts_) * (series() - 1)); }

  /// Of each draw the p-values of pairs, those that need only the p-values of lags below `most`, ascending.
  std::vector<std::vector<double>> small_p_values(const std::vector<Index>& shifts, double most) const {
    std::vector<std::vector<double>> p(shifts.size());
    const double least = normal_quantile(1 - most / 2);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t d = 0; d < shifts.size(); ++d) p[d] = of_draw(shifts[d], least, most);
    return p;
  }

 private:
  void prepare(std::size_t k, const datasets::series::SeriesTable& table) {
    Effect& effect = effects_[k];
    effect.rows = std::make_unique<TargetRows>(*learned_.products, table, lags_, parts_[k].target);
    effect.left = Eigen::VectorXd::Zero(rows());
    if (effect.rows->count() < std::ssize(parts_[k].conditions) + 3) return;  // too few for any test
    if (!shared_)
      effect.own =
          std::make_unique<RowsGiven>(rows_given(*effect.rows, parts_[k].conditions, held_, {}, parts_[k].seconds));
    effect.given = shared_ ? shared_ : effect.own.get();
    effect.fit = effect.given->columns.fit_target(effect.rows->target());
    Index row = 0;
    for (Index r = 0; r < rows(); ++r) {
      if (std::isnan(table.values(steps_[r], parts_[k].target))) continue;
      effect.left[r] = effect.fit.values.residuals[row++];
      effect.step.push_back(r);
    }
  }

  Index moved(Index row, Index shift) const { return row + shift < rows() ? row + shift : row + shift - rows(); }

  /// Sums of products of the moved keys of one lag with all effects' rests: columns x effects. In single precision:
  /// they only say which keys are worth a test.
  Eigen::MatrixXf products(Index lag, Index shift) const {
    Matrix<float> keys(rows(), columns_.cols());
    for (Index r = 0; r < rows(); ++r) keys.row(r) = columns_.row(steps_[moved(r, shift)] - lag);
    return keys.transpose() * rests_;
  }

  std::vector<double> of_draw(Index shift, double least, double most) const {
    std::map<std::pair<std::size_t, Index>, std::vector<double>> small;
    for (std::size_t l = 0; l < lags_.size(); ++l) {
      const Eigen::MatrixXf sums = products(lags_[l], shift);
      for (std::size_t k = 0; k < effects_.size(); ++k)
        for (Index source = 0; source < series(); ++source) {
          if (source == parts_[k].target ||
              !stands_out(sums.col(static_cast<Index>(k)), k, source, static_cast<float>(least)))
            continue;
          const double p = p_value(k, source, l, shift);
          if (p <= most) small[{k, source}].push_back(p);
        }
    }
    std::vector<double> of_pairs;
    for (auto& [pair, p] : small) of_pairs.push_back(simes(p, static_cast<double>(lags_.size())));
    std::sort(of_pairs.begin(), of_pairs.end());
    return of_pairs;
  }

  /// Of a pair with so many lags; the p-values that are not among `small` are larger.
  static double simes(std::vector<double>& small, double lags) {
    std::sort(small.begin(), small.end());
    double least = 1;
    for (std::size_t k = 0; k < small.size(); ++k)
      least = std::min(least, lags * small[k] / static_cast<double>(k + 1));
    return least;
  }

  template <typename Sums>
  /// By any of its contents: only such keys are worth a test in full precision.
  bool stands_out(const Sums& sums, std::size_t k, Index source, float least) const {
    for (Index content = 0; content < kContents; ++content)
      if (std::abs(sums[content * series() + source]) > least * norms_[static_cast<Index>(k)]) return true;
    return false;
  }

  Eigen::VectorXd moved_key(std::size_t k, Index column, Index lag, Index shift) const {
    const Effect& effect = effects_[k];
    Eigen::VectorXd key(std::ssize(effect.step));
    for (Index r = 0; r < key.size(); ++r)
      key[r] = learned_.products->one_by_one()(steps_[moved(effect.step[r], shift)] - lag, column);
    key.array() -= key.mean();
    return key;
  }

  double p_value(std::size_t k, Index source, std::size_t place, Index shift) const {
    const Effect& effect = effects_[k];
    const std::size_t first = source * lags_.size() + place;
    ContentTests contents = parts_[k].contents[first];
    if (contents.second.asked) contents.second = asked();  // whose keys are not moved
    for (const Content content : kAllContents) {
      CorrelationTest& test = contents.of(content);
      if (contents.share(content) <= 0) continue;
      const Eigen::VectorXd key = moved_key(k, static_cast<Index>(content) * series() + source, lags_[place], shift);
      test.degrees = effect.given->degrees(effect.rows->count());
      const RowsTest rows = effect.given->columns.test(effect.fit, key, test.degrees);
      test.correlation = rows.correlation;
      test.t = rows.t;
      test.p_value = rows.p_value;
    }
    return combined(contents).p_value;
  }

  const std::vector<TargetLinks>& parts_;
  const RowsGiven* shared_;
  Index held_;
  const Learned& learned_;
  const std::vector<Index>& lags_;
  std::vector<Index> steps_;
  std::vector<Effect> effects_;
  Matrix<float> columns_;  ///< learned_.columns()
  Eigen::MatrixXf rests_;  ///< steps x effects
  Eigen::VectorXf norms_;  ///< of the rests
};

/// Significant ones by Benjamini & Hochberg among `pairs` p-values of which the small ones are sorted.
Index significant(const std::vector<double>& small, double pairs, double level) {
  for (Index k = std::ssize(small); k > 0; --k)
    if (small[k - 1] <= level * static_cast<double>(k) / pairs) return k;
  return 0;
}

double mean_significant(const std::vector<std::vector<double>>& draws, double pairs, double level) {
  Index all = 0;
  for (const std::vector<double>& small : draws) all += significant(small, pairs, level);
  return static_cast<double>(all) / static_cast<double>(draws.size());
}

/// Evenly over the rows, none nearer to no shift than twice the longest lag or a twentieth of the rows.
std::vector<Index> spread_shifts(Index rows, Index longest, double operations, Index most) {
  const Index nearest = std::max(2 * longest, rows / 20), room = rows - 2 * nearest;
  const Index draws = std::min({std::max(static_cast<Index>(kOperations / operations), kFewestDraws), most, room / 2});
  std::vector<Index> shifts;
  for (Index d = 0; d < draws; ++d) shifts.push_back(nearest + (2 * d + 1) * room / (2 * draws));
  return shifts;
}

}  // namespace

SurrogateCheck check_on_surrogates(const std::vector<TargetLinks>& parts, const RowsGiven* shared, Index held,
                                   const Learned& learned, const datasets::series::SeriesTable& table,
                                   const std::vector<Index>& lags, double level, Index most) {
  SurrogateCheck check;
  if (parts.empty() || table.series() < 2 || most < 1) return check;
  const Surrogates surrogates(parts, shared, held, learned, table, lags);
  const double operations = 2 * static_cast<double>(surrogates.rows()) * static_cast<double>(learned.columns().cols()) *
                            static_cast<double>(parts.size() * lags.size());
  const std::vector<Index> shifts = spread_shifts(surrogates.rows(), lags.back(), operations, most);
  if (surrogates.rows() < kFewestRows || shifts.empty()) return check;
  const double pairs = surrogates.pairs();
  const double tests = pairs * static_cast<double>(lags.size());
  const std::vector<std::vector<double>> draws =
      surrogates.small_p_values(shifts, std::min(0.01, kFirstLook * level / tests));
  check.draws = std::ssize(shifts);
  check.false_pairs = check.remaining = mean_significant(draws, pairs, level);
  // What the level lets be, and two standard errors of a mean of so many draws.
  const double draws_made = static_cast<double>(check.draws), allowed = level + 2 * std::sqrt(level / draws_made);
  while (check.remaining > allowed && check.raised < kHopeless) {
    check.raised *= 2;
    check.remaining = mean_significant(draws, pairs, level / check.raised);
  }
  check.kept = check.raised <= kMostRaised;
  return check;
}

}  // namespace fovea::lag::attention
