#include "fovea/domains/lag/attention/within_step.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::attention {

namespace {

// Log Bayes factor of a direction: theory.md, step 7.
constexpr double kOriented = 2;
// Of each half, for a direction.
constexpr std::size_t kRowsForAColumn = 5;
// Links within a step: of so many, more than half hold in 4 % of tables if one in three does by chance.
constexpr std::size_t kFewestCoherent = 20;
// P-value above which a lagged link is nothing beyond the step.
constexpr double kExplained = 0.05;

/// n log(residual square / n) + columns log n of y on the first `keep` columns of x and of the others those with
/// t^2 > log n. NaN where columns depend on each other.
double criterion_after_pruning(Eigen::MatrixXd x, const Eigen::VectorXd& y, Index keep) {
  const auto n = static_cast<double>(y.size());
  const double least = logarithm(n);
  while (true) {
    const Index count = x.cols();
    const Eigen::LLT<Eigen::MatrixXd> factor(x.transpose() * x);
    if (factor.info() != Eigen::Success) return kNan;
    const Eigen::VectorXd b = factor.solve(x.transpose() * y);
    const double square = std::max((y - x * b).squaredNorm(), 1e-300);
    const Eigen::VectorXd inverse = factor.solve(Eigen::MatrixXd::Identity(count, count)).diagonal() *
                                    (square / std::max(n - static_cast<double>(count) - 1.0, 1.0));
    Index weakest = -1;
    double smallest = least;
    for (Index c = keep; c < count; ++c) {
      const double t2 = b[c] * b[c] / inverse[c];
      if (t2 < smallest) smallest = t2, weakest = c;
    }
    if (weakest < 0) return n * logarithm(square / n) + static_cast<double>(count) * least;
    x.middleCols(weakest, count - 1 - weakest) = x.rightCols(count - 1 - weakest).eval();
    x.conservativeResize(Eigen::NoChange, count - 1);
  }
}

/// Two series at their own step, and the keys that each has chosen, at the rows where both are known and their
/// recording reaches as far on as back.
class PairColumns {
 public:
  PairColumns(Index i, Index j, const Learned& learned, const datasets::series::SeriesTable& table,
              const std::vector<Index>& lags)
      : i_(i), j_(j), columns_(learned.products->columns()) {
    Index longest = 0;
    const auto keys_of = [&](Index series) {
      Keys keys;
      for (const Index key : learned.models[series].tests.chosen) {
        keys.emplace(key % columns_.cols(), lags[key / columns_.cols()]);
        longest = std::max(longest, lags[key / columns_.cols()]);
      }
      return keys;
    };
    own_i_ = keys_of(i), own_j_ = keys_of(j), both_ = own_i_;
    both_.insert(own_j_.begin(), own_j_.end());
    for (const auto& [first, end] : recordings_of(table))
      for (Index t = first + longest; t + longest < end; ++t)
        if (!std::isnan(table.values(t, i)) && !std::isnan(table.values(t, j))) rows_.push_back(t);
  }

  DirectionEvidence evidence() const {
    const std::span<const Index> all(rows_), first = all.first(all.size() / 2), second = all.subspan(first.size());
    if (first.size() < kRowsForAColumn * (both_.size() + 1)) return {};
    return {own(all, 1), own(first, 1), own(second, 1), own(all, -1), shared(all, 1), shared(all, -1)};
  }

 private:
  using Keys = std::set<std::pair<Index, Index>>;  ///< column and lag
  using Rows = std::span<const Index>;

  double own(Rows rows, Index time) const { return of(rows, past(rows, own_i_, time), past(rows, own_j_, time)); }
  double shared(Rows rows, Index time) const {
    const Eigen::MatrixXd both = past(rows, both_, time);
    return of(rows, both, both);
  }

  /// past_i, past_j: conditions of i and of j.
  double of(Rows rows, const Eigen::MatrixXd& past_i, const Eigen::MatrixXd& past_j) const {
    const Eigen::VectorXd xi = at(rows, i_, 0), xj = at(rows, j_, 0);
    const auto given = [](const Eigen::VectorXd& cause, const Eigen::MatrixXd& past, const Eigen::VectorXd& effect) {
      Eigen::MatrixXd all(past.rows(), past.cols() + 1);
      all << cause, past;
      return criterion_after_pruning(std::move(all), effect, 1);
    };
    return 0.5 * (given(xj, past_i, xi) + criterion_after_pruning(past_j, xj, 0) -
                  criterion_after_pruning(past_i, xi, 0) - given(xi, past_j, xj));
  }

  /// time: 1, or -1 for what follows in place of what went before.
  Eigen::MatrixXd past(Rows rows, const Keys& keys, Index time) const {
    Eigen::MatrixXd x(std::ssize(rows), std::ssize(keys));
    Index place = 0;
    for (const auto& [column, lag] : keys) x.col(place++) = at(rows, column, time * lag);
    return x;
  }

  Eigen::VectorXd at(Rows rows, Index column, Index lag) const {
    Eigen::VectorXd x(std::ssize(rows));
    for (std::size_t r = 0; r < rows.size(); ++r) x[static_cast<Index>(r)] = columns_(rows[r] - lag, column);
    x.array() -= x.mean();
    return x;
  }

  Index i_, j_;
  const Eigen::MatrixXd& columns_;
  Keys own_i_, own_j_, both_;
  std::vector<Index> rows_;
};

/// Whether past values of the cause are significant for the effect; of an effect that was not asked about, chosen.
bool past_tells(Index cause, Index effect, const std::vector<TargetLinks>& parts, const Learned& learned) {
  for (const TargetLinks& part : parts)
    if (part.target == effect)
      return std::any_of(part.links.begin(), part.links.end(),
                         [&](const methods::Link& link) { return link.counts && link.cause == cause; });
  const Index series = std::ssize(learned.models), width = learned.columns().cols();
  const std::vector<Index>& chosen = learned.models[effect].tests.chosen;
  return std::any_of(chosen.begin(), chosen.end(), [&](Index key) { return key % width % series == cause; });
}

/// Causes within the step of each effect, and for pairs without direction both ways.
struct Neighbours {
  std::map<Index, std::vector<Index>> causes;     ///< by effect
  std::map<Index, std::vector<Index>> undecided;  ///< by series
};

/// Pairs (cause, effect) with a significant lagged link.
std::size_t lagged_pairs(const std::vector<TargetLinks>& parts) {
  std::set<std::pair<Index, Index>> pairs;
  for (const TargetLinks& part : parts)
    for (const methods::Link& link : part.links)
      if (link.counts && !link.self()) pairs.emplace(link.cause, link.effect);
  return pairs.size();
}

/// Whether the evidence holds for most links of a table, and these join less than half of all pairs.
bool are_coherent(const std::vector<DirectionEvidence>& evidence, std::size_t series) {
  const std::size_t links = evidence.size();
  const auto holding = static_cast<std::size_t>(std::count_if(
      evidence.begin(), evidence.end(), [](const DirectionEvidence& of) { return of.holds(1) || of.holds(-1); }));
  return links >= kFewestCoherent && 4 * links < series * (series - 1) && 2 * holding > links;
}

}  // namespace

bool DirectionEvidence::holds(double sign) const {
  return sign * whole > kOriented && sign * first_half > 0 && sign * second_half > 0 && sign * reversed < 0 &&
         sign * shared > 0 && sign * shared_reversed < 0;
}

DirectionEvidence evidence_of_direction(Index i, Index j, const Learned& learned,
                                        const datasets::series::SeriesTable& table, const std::vector<Index>& lags) {
  return PairColumns(i, j, learned, table, lags).evidence();
}

Index compete_within_step(std::vector<methods::Link*> within, std::vector<TargetLinks>& parts, const Learned& learned,
                          const datasets::series::SeriesTable& table, const std::vector<Index>& lags, Index held) {
  std::vector<DirectionEvidence> evidence(within.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < within.size(); ++k)
    evidence[k] = evidence_of_direction(within[k]->cause, within[k]->effect, learned, table, lags);
  const bool believed = lagged_pairs(parts) > within.size() || are_coherent(evidence, learned.models.size());
  for (std::size_t k = 0; k < within.size(); ++k) {
    methods::Link& link = *within[k];
    const bool back = evidence[k].holds(-1);
    if (back) std::swap(link.cause, link.effect);
    link.directed = (back || evidence[k].holds(1)) && (believed || past_tells(link.cause, link.effect, parts, learned));
    if (back && !link.directed) std::swap(link.cause, link.effect);
  }
  Neighbours near;
  for (methods::Link* link_within : within) {
    const methods::Link& link = *link_within;
    if (link.directed) {
      near.causes[link.effect].push_back(link.cause);
    } else {
      near.undecided[link.effect].push_back(link.cause);
      near.undecided[link.cause].push_back(link.effect);
    }
  }
  std::vector<Index> explained(parts.size(), 0);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < parts.size(); ++k) {
    TargetLinks& part = parts[k];
    const auto again = [&](const std::vector<Index>& given, auto wanted) {
      std::vector<std::size_t> places;
      for (std::size_t l = 0; l < part.links.size(); ++l)
        if (part.links[l].counts && !part.links[l].self() && wanted(part.links[l])) places.push_back(l);
      if (places.empty()) return;
      const TargetRows rows(*learned.products, table, lags, part.target);
      const RowsGiven conditions = rows_given(rows, part.conditions, held, given, part.seconds);
      confirm(part, places, rows, conditions, *learned.products, lags.size());
      for (const std::size_t l : places) explained[k] += part.links[l].p_value > kExplained ? 1 : 0;
    };
    if (const auto causes = near.causes.find(part.target); causes != near.causes.end())
      again(causes->second, [&](const methods::Link& link) {
        return std::find(causes->second.begin(), causes->second.end(), link.cause) != causes->second.end();
      });
    if (const auto others = near.undecided.find(part.target); others != near.undecided.end())
      for (const Index other : others->second)
        again({other}, [&](const methods::Link& link) { return link.cause == other; });
  }
  Index all = 0;
  for (const Index count : explained) all += count;
  return all;
}

}  // namespace fovea::lag::attention
