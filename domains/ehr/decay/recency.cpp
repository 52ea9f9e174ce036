#include "fovea/domains/ehr/decay/recency.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/learning/class_events.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr double kLn2 = 0.693147180559945309;
constexpr double kLeastPreference = -40;  ///< below the largest: no attention, however old the events of others are
constexpr double kLongestStep = 1.5;      ///< of any parameter at once

/// What one stay contributes: m, and its derivatives by u and log tau of each variable.
struct Pooled {
  double mean = 0;
  std::vector<double> mass, by_preference, by_log_half_life;
};

class StayPooling {
 public:
  StayPooling(const RecencyData& data, const RecencyModel& model) : data_(data), model_(model), sums_(data.variables) {
    for (const double log : model.log_half_life) rates_.push_back(kLn2 / exponential(log));
    pooled_.mass = pooled_.by_preference = pooled_.by_log_half_life = std::vector<double>(rates_.size());
  }

  const Pooled& operator()(Index stay) {
    const Index first = data_.first(stay), count = data_.events(stay);
    weights_.resize(count);
    double top = -std::numeric_limits<double>::infinity();
    for (Index v = 0; v < data_.variables; ++v)
      for (Index i = data_.first(stay, v); i < data_.first(stay, v + 1); ++i) {
        const double score = model_.preference[at(v)] - rates_[at(v)] * data_.ages[at(i)];
        weights_[at(i - first)] = score;
        top = std::max(top, score);
      }
    if (count > 0) exponentials_(weights_.data(), count, top, weights_.data());
    for (Index v = 0; v < data_.variables; ++v) {
      Sums sums;
      for (Index i = data_.first(stay, v); i < data_.first(stay, v + 1); ++i) {
        const double weight = weights_[at(i - first)], value = weight * data_.values[at(i)];
        sums.weight += weight, sums.value += value;
        sums.age += weight * data_.ages[at(i)], sums.aged_value += value * data_.ages[at(i)];
      }
      sums_[at(v)] = sums;
    }
    return finish();
  }

 private:
  struct Sums {
    double weight = 0, value = 0, age = 0, aged_value = 0;
  };
  static std::size_t at(Index i) { return i; }

  const Pooled& finish() {
    double weight = 0, value = 0;
    for (const Sums& sums : sums_) weight += sums.weight, value += sums.value;
    pooled_.mean = weight > 0 ? value / weight : 0;
    for (std::size_t v = 0; v < sums_.size(); ++v) {
      const Sums& sums = sums_[v];
      pooled_.mass[v] = weight > 0 ? sums.weight / weight : 0;
      pooled_.by_preference[v] = weight > 0 ? (sums.value - pooled_.mean * sums.weight) / weight : 0;
      pooled_.by_log_half_life[v] = weight > 0 ? rates_[v] * (sums.aged_value - pooled_.mean * sums.age) / weight : 0;
    }
    return pooled_;
  }

  const RecencyData& data_;
  const RecencyModel& model_;
  decltype(Kernels<double>::exponentials) exponentials_ = kernels<double>().exponentials;
  std::vector<double> rates_, weights_;
  std::vector<Sums> sums_;
  Pooled pooled_;
};

/// The loss, its gradient and the Fisher information, of (u, log tau, a, b).
struct Look {
  double loss = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd information;
};

Look look_at(const RecencyData& data, const RecencyModel& model) {
  const Index V = data.variables, P = 2 * V + 2;
  Look look{0, Eigen::VectorXd::Zero(P), Eigen::MatrixXd::Zero(P, P)};
  StayPooling pool(data, model);
  Eigen::VectorXd by(P);
  for (Index s = 0; s < data.stays(); ++s) {
    const Pooled& pooled = pool(s);
    for (Index v = 0; v < V; ++v) {
      by[v] = model.slope * pooled.by_preference[v];
      by[V + v] = model.slope * pooled.by_log_half_life[v];
    }
    by[P - 2] = pooled.mean, by[P - 1] = 1;
    const double outcome = static_cast<double>(data.outcomes[s]);
    const double logit = model.slope * pooled.mean + model.intercept, small = exponential(-std::abs(logit));
    const double p = (logit >= 0 ? 1 : small) / (1 + small);
    look.loss += std::max(logit, 0.0) + logarithm(1 + small) - outcome * logit;
    look.gradient += (p - outcome) * by;
    look.information.selfadjointView<Eigen::Lower>().rankUpdate(by, p * (1 - p));
  }
  look.information = look.information.selfadjointView<Eigen::Lower>().toDenseMatrix();
  return look;
}

/// Takes a parameter out of the question.
void hold(Look& look, Index p) {
  look.gradient[p] = 0;
  look.information.row(p).setZero();
  look.information.col(p).setZero();
}

/// Limits of log tau.
struct TimeLimits {
  double shortest, longest;
  explicit TimeLimits(double window) : shortest(logarithm(window / 1000)), longest(logarithm(100 * window)) {}
};

/// What stays where it is: the held half-life, and what would leave its range.
void hold_bounds(Look& look, const RecencyData& data, const RecencyModel& model, Index held) {
  const Index V = data.variables;
  const TimeLimits limits(data.window);
  for (Index v = 0; v < V; ++v) {
    const double preference = model.preference[v], time = model.log_half_life[v], slope = look.gradient[V + v];
    if (preference <= kLeastPreference && look.gradient[v] > 0) hold(look, v);
    if (v == held || (time <= limits.shortest && slope > 0) || (time >= limits.longest && slope < 0)) hold(look, V + v);
  }
}

Eigen::VectorXd damped_step(Look look, double damping) {
  constexpr double kRidge = 1e-4;  // for what the data do not see at all, such as a shift of all preferences
  for (Index p = 0; p < look.gradient.size(); ++p) look.information(p, p) += damping * look.information(p, p) + kRidge;
  Eigen::VectorXd step = -look.information.ldlt().solve(look.gradient);
  const double longest = step.cwiseAbs().maxCoeff();
  if (longest > kLongestStep) step *= kLongestStep / longest;
  return step;
}

/// Preferences count from the largest.
RecencyModel moved(const RecencyData& data, const RecencyModel& from, const Eigen::VectorXd& step, Index held) {
  const Index V = data.variables, P = 2 * V + 2;
  const TimeLimits limits(data.window);
  RecencyModel to = from;
  for (Index v = 0; v < V; ++v) {
    const std::size_t at = v;
    to.preference[at] += step[v];
    to.log_half_life[at] += step[V + v];
    if (v != held) to.log_half_life[at] = std::clamp(to.log_half_life[at], limits.shortest, limits.longest);
  }
  const double top = *std::max_element(to.preference.begin(), to.preference.end());
  for (double& preference : to.preference) preference = std::max(preference - top, kLeastPreference);
  to.slope += step[P - 2], to.intercept += step[P - 1];
  return to;
}

std::vector<double> log_errors_of(Look look, Index variables) {
  look.information.diagonal().array() += 1e-4;
  const Eigen::MatrixXd inverse =
      look.information.ldlt().solve(Eigen::MatrixXd::Identity(2 * variables + 2, 2 * variables + 2));
  std::vector<double> errors;
  for (Index v = 0; v < variables; ++v) errors.push_back(std::sqrt(inverse(variables + v, variables + v)));
  return errors;
}

}  // namespace

RecencyData recency_data(const datasets::events::Stays& stays, double end) {
  require(!stays.outcomes.empty(), "recency_data: the stays have no outcome; each needs one.");
  const Index variables = static_cast<Index>(stays.variables.size());
  const std::vector<double> hours(stays.hours.begin(), stays.hours.end());
  const std::vector<Index> kinds(stays.kinds.begin(), stays.kinds.end());
  const learning::GroupedEvents grouped = learning::group_by_class(stays.offsets, hours, kinds, variables);
  RecencyData data{variables, end, grouped.offsets, {}, {}, {}};
  for (const Index i : grouped.order) {
    data.ages.push_back(std::max(0.0, end - hours[i]));
    data.values.push_back(static_cast<double>(stays.values[i]));
  }
  for (const double outcome : stays.outcomes.front().values) data.outcomes.push_back(outcome > 0.5 ? 1 : 0);
  return data;
}

RecencyData part_of(const RecencyData& data, Index first, Index count) {
  const Index begin = data.first(first), end = data.first(first + count);
  RecencyData part{data.variables, data.window, {}, {}, {}, {}};
  for (Index k = first * data.variables; k <= (first + count) * data.variables; ++k)
    part.offsets.push_back(data.offsets[k] - begin);
  part.ages.assign(data.ages.begin() + begin, data.ages.begin() + end);
  part.values.assign(data.values.begin() + begin, data.values.begin() + end);
  part.outcomes.assign(data.outcomes.begin() + first, data.outcomes.begin() + first + count);
  return part;
}

RecencyModel fresh_model(const RecencyData& data, double half_life) {
  const std::size_t count = data.variables;
  return {std::vector<double>(count, 0.0), std::vector<double>(count, logarithm(half_life)), 1, 0};
}

std::vector<double> logits(const RecencyData& data, const RecencyModel& model) {
  StayPooling pool(data, model);
  std::vector<double> all;
  for (Index s = 0; s < data.stays(); ++s) all.push_back(model.slope * pool(s).mean + model.intercept);
  return all;
}

double attention_mass(const RecencyData& data, const RecencyModel& model, Index variable) {
  StayPooling pool(data, model);
  double sum = 0;
  for (Index s = 0; s < data.stays(); ++s) sum += pool(s).mass[variable];
  return sum / static_cast<double>(data.stays());
}

RecencyFit most_likely(const RecencyData& data, const RecencyModel& start, Index held) {
  constexpr double kSettled = 1e-3;  // nats that a step may still promise: intervals ask for 1
  constexpr double kMostDamping = 1e6;
  constexpr int kMostLooks = 200;
  RecencyFit fit{start, 0, {}, 1};
  Look look = look_at(data, start);
  double damping = 1e-3;
  while (fit.steps < kMostLooks && damping < kMostDamping) {
    Look free = look;
    hold_bounds(free, data, fit.model, held);
    const Eigen::VectorXd step = damped_step(free, damping);
    if (-free.gradient.dot(step) < 2 * kSettled) break;
    const RecencyModel next = moved(data, fit.model, step, held);
    Look there = look_at(data, next);
    ++fit.steps;
    const bool better = there.loss <= look.loss;
    damping *= better ? 0.2 : 6;
    if (better) fit.model = next, look = std::move(there);
  }
  fit.loss = look.loss;
  fit.log_errors = log_errors_of(std::move(look), data.variables);
  return fit;
}

HalfLifeInterval half_life_interval(const RecencyData& data, const RecencyFit& fit, Index variable, double level) {
  constexpr double kTolerance = 0.01;  // of log tau
  const std::size_t at = variable;
  const double lowest = logarithm(data.window / 500), highest = logarithm(2.01 * data.window);
  RecencyModel last = fit.model;
  last.log_half_life[at] = std::clamp(last.log_half_life[at], lowest + kTolerance, highest - kTolerance);
  const double estimate = last.log_half_life[at];
  const double step = std::clamp(1.05 * normal_quantile((1 + level) / 2) * fit.log_errors[at], 0.02, 1.0);
  const ProfileInterval found = profile_interval(
      [&](double log) {
        last.log_half_life[at] = log;
        const RecencyFit held = most_likely(data, last, variable);
        last = held.model;
        return held.loss;
      },
      estimate, lowest, highest, step, level, kTolerance);
  const double high = exponential(found.high);
  return {found.low_open ? 0 : exponential(found.low),
          found.high_open || high > 2 * data.window ? std::numeric_limits<double>::infinity() : high};
}

}  // namespace fovea::ehr::decay
