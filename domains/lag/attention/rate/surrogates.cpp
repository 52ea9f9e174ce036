#include "fovea/domains/lag/attention/rate/surrogates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>

#include "fovea/core/kernels/kernels.hpp"
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
// links are too many whatever the others are.
constexpr double kFirstLook = 100;

// Bytes of what is kept of all effects from one draw to the next; beyond, it is made when it is needed.
constexpr double kMostKept = 5e7;
// Rows whose keys and rests stay in the second-level cache.
constexpr Index kBlock = 1024;
// Of the smallest p-value that a content must have to decide, for what conditions take off its key.
constexpr double kSlack = 4.0 / 3;

/// One effect: its rows, and what its conditions leave.
struct Effect {
  TargetRows rows;
  std::unique_ptr<RowsGiven> own;
  const RowsGiven* given = nullptr;  ///< null: too few rows for any test
  RowConditions::TargetFit fit;      ///< of the effect on its conditions
};

/// A test of one draw that may be significant.
struct MovedTest {
  std::size_t draw, part, place;  ///< place: of its lag
  Index source;
  std::array<bool, kContents> stands;  ///< contents that may decide
  double p_value = 1;
};

/// Significant ones by Benjamini & Hochberg among `pairs` p-values of which the small ones are sorted.
Index significant(const std::vector<double>& small, double pairs, double level) {
  for (Index k = std::ssize(small); k > 0; --k)
    if (small[k - 1] <= level * static_cast<double>(k) / pairs) return k;
  return 0;
}

class Surrogates {
 public:
  Surrogates(const std::vector<TargetLinks>& parts, const RowsGiven* shared, Index held, const Learned& learned,
             const datasets::series::SeriesTable& table, const std::vector<Index>& lags)
      : parts_(parts),
        shared_(shared),
        held_(held),
        learned_(learned),
        table_(table),
        lags_(lags),
        steps_(steps_with_past(table, lags.back())),
        kept_(parts.size()),
        rests_(Eigen::MatrixXf::Zero(rows(), std::ssize(parts))) {
    double numbers = 0;
    for (const TargetLinks& part : parts) numbers += static_cast<double>(rows() * (std::ssize(part.conditions) + 3));
    const bool keep = numbers * sizeof(double) < kMostKept;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < parts.size(); ++k) {
      std::unique_ptr<Effect> effect = effect_of(k);
      if (effect->given != nullptr) enter_rest(k, effect->rows.steps(), effect->fit.values.residuals);
      if (keep) kept_[k] = std::move(effect);
    }
    norms_ = rests_.colwise().norm().transpose();
  }

  Index rows() const { return std::ssize(steps_); }
  Index series() const { return learned_.columns().cols() / kContents; }
  /// Pairs of series of one surrogate.
  double pairs() const { return static_cast<double>(std::ssize(parts_) * (series() - 1)); }

  /// Of each draw the p-values of pairs, those that need only the p-values of lags below `most`, ascending, as far as
  /// Benjamini & Hochberg may find them significant at `level`.
  std::vector<std::vector<double>> small_p_values(const std::vector<Index>& shifts, double most, double level) const {
    const std::vector<float> least = least_deviates(most);
    std::vector<std::vector<MovedTest>> of_draws(shifts.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t d = 0; d < shifts.size(); ++d) of_draws[d] = candidates(d, shifts[d], least);
    std::vector<MovedTest> all;
    for (const std::vector<MovedTest>& some : of_draws) all.insert(all.end(), some.begin(), some.end());
    test(all, shifts, false);
    std::erase_if(all, [&](const MovedTest& one) { return one.p_value > most; });
    keep_possible(all, shifts.size(), level);
    test(all, shifts, true);
    std::erase_if(all, [&](const MovedTest& one) { return one.p_value > most; });
    std::vector<std::vector<double>> p(shifts.size());
    for (const auto& [pair, of_pair] : of_pairs(all)) p[std::get<0>(pair)].push_back(of_pair);
    for (std::vector<double>& of_draw : p) std::sort(of_draw.begin(), of_draw.end());
    return p;
  }

 private:
  using Pair = std::tuple<std::size_t, std::size_t, Index>;  // draw, part, source

  /// Of each pair with a candidate, by Simes (1986); p-values that are not among the candidates are larger.
  std::map<Pair, double> of_pairs(const std::vector<MovedTest>& all) const {
    std::map<Pair, std::vector<double>> small;
    for (const MovedTest& one : all) small[{one.draw, one.part, one.source}].push_back(one.p_value);
    std::map<Pair, double> p;
    for (auto& [pair, values] : small) {
      std::sort(values.begin(), values.end());
      double least = 1;
      for (std::size_t k = 0; k < values.size(); ++k)
        least = std::min(least, static_cast<double>(std::ssize(lags_)) * values[k] / static_cast<double>(k + 1));
      p[pair] = least;
    }
    return p;
  }

  std::unique_ptr<Effect> effect_of(std::size_t k) const {
    auto effect = std::make_unique<Effect>(Effect{{*learned_.products, table_, lags_, parts_[k].target}, {}, {}, {}});
    if (effect->rows.count() < std::ssize(parts_[k].conditions) + 3) return effect;
    if (!shared_)
      effect->own =
          std::make_unique<RowsGiven>(rows_given(effect->rows, parts_[k].conditions, held_, {}, parts_[k].seconds));
    effect->given = shared_ ? shared_ : effect->own.get();
    effect->fit = effect->given->columns.fit_target(effect->rows.target());
    return effect;
  }

  /// What the conditions leave of an effect, at the steps with their past; 0 where it is unknown.
  void enter_rest(std::size_t k, const std::vector<Index>& rows, const Eigen::VectorXd& residuals) {
    Index r = 0;
    for (Index row = 0; row < residuals.size(); ++row) {
      while (steps_[r] != rows[row]) ++r;
      rests_(r++, static_cast<Index>(k)) = static_cast<float>(residuals[row]);
    }
  }

  Index moved(Index row, Index shift) const { return row + shift < rows() ? row + shift : row + shift - rows(); }

  /// Sums of products of the moved keys with all effects' rests, of each lag: columns x effects. In single precision:
  /// they only say which keys are worth a test. The keys of one block of rows, in groups of columns side by side, serve
  /// all lags.
  std::vector<Eigen::MatrixXf> products(Index shift) const {
    const Eigen::MatrixXd& columns = learned_.columns();
    constexpr Index kWidth = kGroup<float>;
    const Index longest = lags_.back(), width = whole_groups<float>(columns.cols()), reach = kBlock + longest;
    std::vector<Eigen::MatrixXf> sums(lags_.size(), Eigen::MatrixXf::Zero(width, rests_.cols()));
    Eigen::MatrixXf keys = Eigen::MatrixXf::Zero(kWidth, width / kWidth * reach);
    for (Index first = 0, count = 0; first < rows(); first += count) {
      const Index step = steps_[moved(first, shift)];
      for (count = 1; count < kBlock && first + count < rows(); ++count)
        if (steps_[moved(first + count, shift)] != step + count) break;
      for (Index c = 0; c < columns.cols(); ++c)
        keys.row(c % kWidth).segment(c / kWidth * reach, count + longest) =
            columns.col(c).segment(step - longest, count + longest).cast<float>().transpose();
      for (std::size_t l = 0; l < lags_.size(); ++l)
        kernels<float>().blocks.add_product(
            rests_.cols(), columns.cols(), count, {rests_.data() + first, rests_.rows(), 1},
            {keys.col(longest - lags_[l]).data(), kWidth, kWidth * reach}, nullptr, sums[l].data(), width);
    }
    return sums;
  }

  std::vector<MovedTest> candidates(std::size_t draw, Index shift, const std::vector<float>& least) const {
    const std::vector<Eigen::MatrixXf> sums = products(shift);
    std::vector<MovedTest> found;
    for (std::size_t l = 0; l < lags_.size(); ++l)
      for (std::size_t k = 0; k < parts_.size(); ++k)
        for (Index source = 0; source < series(); ++source) {
          MovedTest one{draw, k, l, source, {}};
          for (Index content = 0; content < kContents; ++content) {
            const Index column = content * series() + source, part = static_cast<Index>(k);
            one.stands[content] = std::abs(sums[l](column, part)) > least[column] * norms_[part];
          }
          const bool any = std::find(one.stands.begin(), one.stands.end(), true) != one.stands.end();
          if (any && source != parts_[k].target) found.push_back(one);
        }
    return found;
  }

  /// Of each column the normal deviate from which it may decide a p-value of `most`.
  std::vector<float> least_deviates(double most) const {
    std::vector<float> least;
    for (const Content content : kAllContents)
      for (Index source = 0; source < series(); ++source) {
        const double share = share_of(*learned_.products, source, content);
        const double p = std::min(kSlack * share * most, most);
        least.push_back(static_cast<float>(p > 0 ? normal_quantile(1 - p / 2) : std::numeric_limits<double>::max()));
      }
    return least;
  }

  /// Those of pairs that Benjamini & Hochberg find significant at `level` in each draw, by p-values that can only rise.
  void keep_possible(std::vector<MovedTest>& all, std::size_t draws, double level) const {
    const std::map<Pair, double> pairs_found = of_pairs(all);
    std::vector<std::vector<double>> p(draws);
    for (const auto& [pair, of_pair] : pairs_found) p[std::get<0>(pair)].push_back(of_pair);
    std::vector<double> cut;
    for (std::vector<double>& of_draw : p) {
      std::sort(of_draw.begin(), of_draw.end());
      cut.push_back(level * static_cast<double>(significant(of_draw, pairs(), level)) / pairs());
    }
    std::erase_if(all, [&](const MovedTest& one) {
      return pairs_found.at({one.draw, one.part, one.source}) > cut[one.draw];
    });
  }

  /// By Student's t alone; on_rows: by the weakest test, whose p-value is never smaller.
  void test(std::vector<MovedTest>& some, const std::vector<Index>& shifts, bool on_rows) const {
    std::vector<std::vector<MovedTest*>> of_part(parts_.size());
    for (MovedTest& one : some) of_part[one.part].push_back(&one);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (of_part[k].empty()) continue;
      const std::unique_ptr<Effect> made = kept_[k] ? nullptr : effect_of(k);
      const Effect& effect = kept_[k] ? *kept_[k] : *made;
      for (MovedTest* one : of_part[k]) one->p_value = p_value(effect, *one, shifts[one->draw], on_rows);
    }
  }

  Eigen::VectorXd moved_key(const Effect& effect, Index column, Index lag, Index shift) const {
    Eigen::VectorXd key(effect.rows.count());
    Index r = 0;
    for (Index row = 0; row < key.size(); ++row) {
      while (steps_[r] != effect.rows.steps()[row]) ++r;
      key[row] = learned_.columns()(steps_[moved(r++, shift)] - lag, column);
    }
    key.array() -= key.mean();
    return key;
  }

  double p_value(const Effect& effect, const MovedTest& one, Index shift, bool on_rows) const {
    const TargetLinks& part = parts_[one.part];
    ContentTests contents;
    if (!part.seconds.empty()) contents.second = std::make_shared<SecondTest>();  // whose keys are not moved
    for (const Content content : kAllContents) {
      contents.share(content) = share_of(*learned_.products, one.source, content);
      CorrelationTest& test = contents.of(content);
      test.p_value = 1;
      if (!one.stands[static_cast<std::size_t>(content)]) continue;
      const Index column = static_cast<Index>(content) * series() + one.source;
      const Eigen::VectorXd key = moved_key(effect, column, lags_[one.place], shift);
      test.degrees = effect.given->degrees(effect.rows.count());
      const RowsTest rows = effect.given->columns.test(effect.fit, key, test.degrees, on_rows);
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
  const datasets::series::SeriesTable& table_;
  const std::vector<Index>& lags_;
  std::vector<Index> steps_;
  std::vector<std::unique_ptr<Effect>> kept_;  ///< of each part, or null
  Eigen::MatrixXf rests_;                      ///< steps x effects
  Eigen::VectorXf norms_;                      ///< of the rests
};

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
      surrogates.small_p_values(shifts, std::min(0.01, kFirstLook * level / tests), level);
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
