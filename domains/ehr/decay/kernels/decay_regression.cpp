#include "fovea/domains/ehr/decay/kernels/decay_regression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr double kPrecision = 1 / (kEffectDeviation * kEffectDeviation);
constexpr double kUnseenRidge =
    1e-4;  ///< for what the data do not see at all, such as the speed of a term without effect
constexpr double kLongestMove = 1.5;  ///< of a parameter in one step
constexpr double kNoVariance = 1e-12;

/// sinh and cosh, with the same bits on every machine.
std::pair<double, double> hyperbolic(double s) {
  const double up = exponential(s), down = 1 / up;
  return {(up - down) / 2, (up + down) / 2};
}

/// Over the cases that have a value: to mean 0 and deviation 1. Returns the deviation; 0: they do not differ.
double standardize(Eigen::VectorXd& column, const std::vector<Index>& holders) {
  double sum = 0, squares = 0;
  for (const Index c : holders) sum += column[c];
  const double count = static_cast<double>(std::max<std::size_t>(1, holders.size())), mean = sum / count;
  for (const Index c : holders) squares += (column[c] - mean) * (column[c] - mean);
  const double variance = squares / count;
  const bool differs = variance > kNoVariance * (1 + mean * mean);
  const double deviation = differs ? std::sqrt(variance) : 0;
  for (const Index c : holders) column[c] = differs ? (column[c] - mean) / deviation : 0;
  return deviation;
}

double dot(const double* a, const double* b, Index count) { return kernels<double>().dot(a, b, count); }

/// The largest or smallest age of each holder counts as 0, so that the largest weight of a case is 1; all weights of a
/// term in one array, since a case has a dozen values and an exponential is fastest in rows.
std::vector<double> decay_weights(const TermEvents& term, double rate) {
  std::vector<double> weights(term.ages.size());
  for (std::size_t h = 0; h < term.cases.size(); ++h) {
    const auto [least, most] = term.span[h];
    const double from = rate >= 0 ? least : most;
    for (Index i = term.first[h]; i < term.first[h + 1]; ++i) weights[i] = -rate * (term.ages[i] - from);
  }
  kernels<double>().exponentials(weights.data(), std::ssize(weights), 0, weights.data());
  return weights;
}

std::vector<Index> holders_of(const RecencyData& events, Index variable) {
  std::vector<Index> holders;
  for (Index c = 0; c < events.stays(); ++c)
    if (events.first(c, variable) < events.first(c, variable + 1)) holders.push_back(c);
  return holders;
}

Eigen::VectorXd log_counts(const RecencyData& events, Index variable) {
  Eigen::VectorXd column(events.stays());
  std::vector<Index> all;
  for (Index c = 0; c < events.stays(); ++c) {
    column[c] = logarithm(1.0 + static_cast<double>(events.first(c, variable + 1) - events.first(c, variable)));
    all.push_back(c);
  }
  if (standardize(column, all) == 0) column.setZero();
  return column;
}

TermEvents events_of(const RecencyData& events, Index variable) {
  TermEvents term{holders_of(events, variable), {0}, {}, {}, {}};
  for (const Index c : term.cases) {
    const auto from = events.first(c, variable), end = events.first(c, variable + 1);
    const auto ages = std::span(events.ages).subspan(from, end - from);
    term.ages.insert(term.ages.end(), ages.begin(), ages.end());
    term.values.insert(term.values.end(), events.values.begin() + from, events.values.begin() + end);
    const auto [least, most] = std::minmax_element(ages.begin(), ages.end());
    term.span.emplace_back(*least, *most);
    term.first.push_back(std::ssize(term.ages));
  }
  return term;
}

/// A matrix whose rows and columns of what is not free are those of the identity.
Eigen::MatrixXd restricted(Eigen::MatrixXd information, const std::vector<bool>& free, double damping) {
  for (Index p = 0; p < information.rows(); ++p) {
    if (!free[p]) information.row(p).setZero(), information.col(p).setZero();
    information(p, p) += damping * information(p, p) + kUnseenRidge + (free[p] ? 0 : 1);
  }
  return information;
}

/// The descent that the information promises most of, no parameter moved further than `longest`: the speed of a term of
/// little effect would go far, and a step shortened as a whole would hold all others back.
Eigen::VectorXd boxed_step(const Eigen::MatrixXd& information, const Eigen::VectorXd& gradient, std::vector<bool> free,
                           double longest) {
  constexpr double kDamping = 1e-3;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(gradient.size());
  for (bool more = true; more;) {
    Eigen::VectorXd slope = gradient + information * step;
    for (Index p = 0; p < slope.size(); ++p)
      if (!free[p]) slope[p] = 0;
    const Eigen::VectorXd inside = restricted(information, free, kDamping).ldlt().solve(-slope);
    more = false;
    for (Index p = 0; p < slope.size(); ++p)
      if (free[p] && std::abs(inside[p]) > longest)
        free[p] = false, step[p] = std::copysign(longest, inside[p]), more = true;
    if (!more) step += inside;
  }
  return step;
}

}  // namespace

double half_life_of(double speed, double window) {
  return speed <= 0 ? std::numeric_limits<double>::infinity() : std::numbers::ln2 * window / hyperbolic(speed).first;
}

std::vector<DecayTerm> decay_terms(const DecayData& data, Index smallest) {
  const RecencyData& events = data.events;
  std::vector<DecayTerm> terms;
  for (Index v = 0; v < events.variables; ++v) {
    Eigen::VectorXd means = Eigen::VectorXd::Zero(events.stays());
    const std::vector<Index> holders = holders_of(events, v);
    Index several = 0;
    for (const Index c : holders) {
      const Index first = events.first(c, v), last = events.first(c, v + 1) - 1;
      several += events.ages[first] != events.ages[last] ? 1 : 0;
      for (Index i = first; i <= last; ++i) means[c] += events.values[i] / static_cast<double>(last + 1 - first);
    }
    if (standardize(means, holders) > 0)
      terms.push_back({v, several >= std::max<Index>(1, smallest), log_counts(events, v).squaredNorm() > 0});
  }
  return terms;
}

/// The loss and its derivatives by a, b, g and s.
struct DecayRegression::Look {
  double loss = 0;
  Eigen::MatrixXd residuals, weights;  ///< cases x T: p - y and p (1 - p), 0 where an interval was not seen
  Eigen::VectorXd residual, weight;    ///< their sums over the intervals of a case
  Eigen::MatrixXd columns;             ///< of the log odds, by b, g and s
  Eigen::VectorXd gradient;
  Eigen::MatrixXd information;
};

/// Of a further column, the others fitted.
struct DecayRegression::Score {
  double slope = 0, variance = 0, spread = 0;  ///< of minus the loss; by the model; by the scores of groups
};

DecayRegression::DecayRegression(const DecayData& data, std::vector<DecayTerm> terms)
    : data_(data), terms_(std::move(terms)), survived_(data.survived), groups_(data.groups) {
  means_ = slopes_ = counts_ = Eigen::MatrixXd::Zero(cases(), size());
  speeds_.assign(terms_.size(), std::numeric_limits<double>::quiet_NaN());
  auto by_term = std::make_shared<std::vector<TermEvents>>();
  for (const DecayTerm& term : terms_) by_term->push_back(events_of(data.events, term.variable));
  events_ = std::move(by_term);
  for (Index k = 0; k < size(); ++k) {
    set_speed(k, 0);
    if (terms_[k].counted) counts_.col(k) = log_counts(data.events, terms_[k].variable);
  }
  if (survived_.empty())
    for (const Index outcome : data.events.outcomes) survived_.push_back(1 - outcome);
  if (groups_.empty())
    for (Index c = 0; c < cases(); ++c) groups_.push_back(c);
}

Index parameters_of(const DecayData& data, const std::vector<DecayTerm>& terms) {
  Index count = data.intervals;
  for (const DecayTerm& term : terms) count += 1 + (term.dated ? 1 : 0) + (term.counted ? 1 : 0);
  return count;
}

DecayModel DecayRegression::start() const {
  DecayModel model{Eigen::VectorXd::Zero(data_.intervals), Eigen::VectorXd::Zero(size()), Eigen::VectorXd::Zero(size()),
                   Eigen::VectorXd::Zero(size())};
  for (Index t = 0; t < data_.intervals; ++t) {
    double seen = 1, ended = 0.5;  // half a case of each kind, so that no rate is 0
    for (Index c = 0; c < cases(); ++c) {
      const bool ends = data_.events.outcomes[c] == 1 && survived_[c] == t;
      seen += survived_[c] > t || ends ? 1 : 0, ended += ends ? 1 : 0;
    }
    model.intercepts[t] = logarithm(ended / (seen - ended));
  }
  return model;
}

void DecayRegression::set_speed(Index term, double speed) {
  if (speeds_[term] == speed) return;
  speeds_[term] = speed;
  const double window = data_.events.window;
  const auto [rise, slope] = hyperbolic(speed);
  const TermEvents& own = (*events_)[term];
  const std::vector<Index>& holders = own.cases;
  const std::vector<double> weights = decay_weights(own, rise / window);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(cases()), by_speed = mean;
  for (std::size_t h = 0; h < holders.size(); ++h) {
    double sum = 0, values = 0, ages = 0, both = 0;
    for (Index i = own.first[h]; i < own.first[h + 1]; ++i) {
      const double weight = weights[i], aged = weight * own.ages[i];
      sum += weight, values += weight * own.values[i], ages += aged, both += aged * own.values[i];
    }
    const double value = values / sum;
    mean[holders[h]] = value, by_speed[holders[h]] = (value * ages - both) / sum * slope / window;
  }
  const double deviation = standardize(mean, holders);
  if (deviation == 0) by_speed.setZero();
  // d std(m) = (dm - mean of dm) / deviation - std(m) (mean of std(m) dm / deviation)
  double middle = 0, along = 0;
  const double share = 1 / static_cast<double>(std::max<std::size_t>(1, holders.size()));
  for (const Index c : holders) middle += share * by_speed[c], along += share * mean[c] * by_speed[c];
  if (deviation > 0)
    for (const Index c : holders) by_speed[c] = (by_speed[c] - middle - mean[c] * along) / deviation;
  means_.col(term) = mean;
  slopes_.col(term) = by_speed;
}

DecayRegression::Look DecayRegression::look_at(const DecayModel& model, std::span<const Held> held) {
  const Index T = data_.intervals, K = size(), N = cases();
  for (Index k = 0; k < K; ++k) set_speed(k, model.speeds[k]);
  Look look;
  look.columns.resize(N, 3 * K);
  look.columns << means_, counts_, slopes_ * model.effects.asDiagonal();
  const Eigen::VectorXd odds = means_ * model.effects + counts_ * model.counts;
  look.residuals = look.weights = Eigen::MatrixXd::Zero(N, T);
  for (Index c = 0; c < N; ++c)
    for (Index t = 0; t < std::min(T, survived_[c] + data_.events.outcomes[c]); ++t) {
      const double logit = odds[c] + model.intercepts[t], small = exponential(-std::abs(logit));
      const double p = (logit >= 0 ? 1 : small) / (1 + small), y = t == survived_[c] ? 1 : 0;
      look.loss += std::max(logit, 0.0) + logarithm(1 + small) - y * logit;
      look.residuals(c, t) = p - y, look.weights(c, t) = p * (1 - p);
    }
  look.residual = look.residuals.rowwise().sum();
  look.weight = look.weights.rowwise().sum();
  look.loss += kPrecision / 2 * (model.effects.squaredNorm() + model.counts.squaredNorm());
  look.gradient = Eigen::VectorXd::Zero(T + 3 * K);
  look.gradient.head(T) = look.residuals.colwise().sum().transpose();
  for (const Index j : asked_columns(held))
    look.gradient[T + j] = dot(look.columns.data() + j * N, look.residual.data(), N);
  look.gradient.segment(T, K) += kPrecision * model.effects;
  look.gradient.segment(T + K, K) += kPrecision * model.counts;
  return look;
}

std::vector<Index> DecayRegression::asked_columns(std::span<const Held> held) const {
  const Index K = size();
  std::vector<Index> asked;
  for (Index j = 0; j < 3 * K; ++j) {
    const DecayTerm& term = terms_[j % K];
    const Held state = held[j % K];
    if (j < K ? state != Held::absent : j < 2 * K ? term.counted : term.dated && state == Held::nothing)
      asked.push_back(j);
  }
  return asked;
}

void DecayRegression::inform(Look& look, std::span<const Held> held) const {
  const Index T = data_.intervals, K = size(), N = cases(), P = T + 3 * K;
  const std::vector<Index> asked = asked_columns(held);
  Eigen::MatrixXd& information = look.information = Eigen::MatrixXd::Zero(P, P);
  for (Index t = 0; t < T; ++t) {
    information(t, t) = look.weights.col(t).sum();
    for (const Index j : asked)
      information(T + j, t) = information(t, T + j) = dot(look.columns.data() + j * N, look.weights.data() + t * N, N);
  }
  const Eigen::MatrixXd rooted = look.weight.cwiseSqrt().asDiagonal() * look.columns;
  for (const Index j : asked)
    for (const Index i : asked) {
      if (i > j) break;
      information(T + j, T + i) = information(T + i, T + j) = dot(rooted.data() + i * N, rooted.data() + j * N, N);
    }
  information.diagonal().segment(T, 2 * K).array() += kPrecision;
}

/// A speed at its limit whose loss falls beyond it stays there.
std::vector<bool> DecayRegression::free_of(const DecayModel& model, const Eigen::VectorXd& gradient,
                                           std::span<const Held> held) const {
  const Index T = data_.intervals, K = size();
  std::vector<bool> free(T + 3 * K, true);
  for (Index k = 0; k < K; ++k) {
    const Index at = T + 2 * K + k;
    const double speed = model.speeds[k];
    free[T + k] = held[k] != Held::absent;
    free[T + K + k] = terms_[k].counted;
    free[at] = terms_[k].dated && held[k] == Held::nothing && !(speed <= kOldestAlone && gradient[at] > 0) &&
               !(speed >= kNewestAlone && gradient[at] < 0);
  }
  return free;
}

DecayFit DecayRegression::fit(const DecayModel& start, std::span<const Held> held, int most_looks) {
  constexpr double kSettled = 0.02;  // nats that a step may still promise: intervals ask for 1
  constexpr double kShortest = 1e-3;
  constexpr double kKept = 0.4;  // share of the promised descent, below which the information is of too far a point
  require(std::ssize(held) == size(), "DecayRegression: ", held.size(), " terms are held or not, but there are ",
          size(), ".");
  const Index T = data_.intervals, K = size();
  DecayFit fit{start, 0};
  for (Index k = 0; k < K; ++k)
    if (held[k] == Held::absent) fit.model.effects[k] = 0;
  Look look = look_at(fit.model, held);
  bool fresh =
      information_.size() == 0 || asked_ != asked_columns(held);  // whether the information is of this very point
  if (fresh)
    inform(look, held), asked_ = asked_columns(held);
  else
    look.information = std::move(information_);
  double longest = kLongestMove;
  for (int looks = 1; looks < most_looks && longest > kShortest; ++looks) {
    const std::vector<bool> free = free_of(fit.model, look.gradient, held);
    Eigen::VectorXd gradient = look.gradient;
    for (Index p = 0; p < gradient.size(); ++p)
      if (!free[p]) gradient[p] = 0;
    const Eigen::VectorXd step = boxed_step(look.information, gradient, free, longest);
    const double promised = -gradient.dot(step) - step.dot(look.information * step) / 2;
    if (promised < kSettled) break;
    DecayModel next = fit.model;
    next.intercepts += step.head(T);
    next.effects += step.segment(T, K), next.counts += step.segment(T + K, K), next.speeds += step.tail(K);
    for (Index k = 0; k < K; ++k)
      if (free[T + 2 * K + k]) next.speeds[k] = std::clamp(next.speeds[k], kOldestAlone, kNewestAlone);
    Look there = look_at(next, held);
    if (there.loss > look.loss) {
      if (!fresh) inform(look, held);
      longest /= fresh ? 4 : 1;
      fresh = true;
      continue;
    }
    // The information is most of the work, and changes little from step to step: it is kept while it keeps its promise.
    fresh = look.loss - there.loss < kKept * promised;
    if (fresh)
      inform(there, held);
    else
      there.information = std::move(look.information);
    longest = std::min(kLongestMove, 2 * longest);
    fit.model = std::move(next), look = std::move(there);
  }
  fit.loss = look.loss;
  information_ = std::move(look.information);
  return fit;
}

DecayRegression::Score DecayRegression::score_of(const Look& look, const std::vector<bool>& nuisance,
                                                 const Eigen::VectorXd& column) const {
  const Index T = data_.intervals;
  const Eigen::VectorXd weighed = look.weight.cwiseProduct(column);
  Eigen::VectorXd shared(look.gradient.size());
  shared.head(T) = look.weights.transpose() * column;
  for (Index j = 0; j < look.columns.cols(); ++j)
    shared[T + j] = dot(look.columns.data() + j * cases(), weighed.data(), cases());
  for (Index p = 0; p < shared.size(); ++p)
    if (!nuisance[p]) shared[p] = 0;
  const Eigen::VectorXd explained = restricted(look.information, nuisance, 0).ldlt().solve(shared);
  const Eigen::VectorXd rest = column - look.columns * explained.tail(look.columns.cols());
  const Eigen::VectorXd by_case = -(rest.cwiseProduct(look.residual) - look.residuals * explained.head(T));
  std::vector<double> of_group(*std::max_element(groups_.begin(), groups_.end()) + 1, 0.0);
  for (Index c = 0; c < cases(); ++c) of_group[groups_[c]] += by_case[c];
  Eigen::VectorXd unsettled = look.gradient;
  for (Index p = 0; p < unsettled.size(); ++p)
    if (!nuisance[p]) unsettled[p] = 0;
  Score score{explained.dot(unsettled) - column.dot(look.residual), column.dot(weighed) - shared.dot(explained), 0};
  for (const double one : of_group) score.spread += one * one;
  return score;
}

std::vector<double> DecayRegression::score_roots(const DecayFit& without, std::span<const Held> held, Index term,
                                                 std::span<const double> speeds) {
  Look look = look_at(without.model, held);
  inform(look, held);
  const std::vector<bool> nuisance = free_of(without.model, look.gradient, held);
  std::vector<double> roots;
  for (const double speed : speeds) {
    set_speed(term, speed);
    const Eigen::VectorXd column = means_.col(term);
    const Score score = score_of(look, nuisance, column);
    const double variance = std::max(score.variance, score.spread);
    roots.push_back(variance > 1e-9 ? score.slope / std::sqrt(variance) : 0);
  }
  return roots;
}

double DecayRegression::overdispersion(const DecayFit& fit, std::span<const Held> held, Index term) {
  Look look = look_at(fit.model, held);
  inform(look, held);
  std::vector<bool> nuisance = free_of(fit.model, look.gradient, held);
  const Index own = 2 * size() + term;
  nuisance[data_.intervals + own] = false;
  const Score score = score_of(look, nuisance, look.columns.col(own));
  return score.variance > 1e-9 ? std::max(1.0, score.spread / score.variance) : 1;
}

}  // namespace fovea::ehr::decay
