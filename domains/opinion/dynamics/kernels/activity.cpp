#include "fovea/domains/opinion/dynamics/activity.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr Index kPart = 1024;  // agents that one task takes; no result depends on it

void check_activity_rule(const ActivityRule& rule) {
  check_homophily(rule.homophily);
  require(rule.contacts >= 1, "activity: there are ", rule.contacts, " contacts, but an active agent needs 1 or more.");
  require(rule.reciprocity >= 0 && rule.reciprocity <= 1, "activity: the reciprocity is ", rule.reciprocity,
          ", but must be in [0, 1].");
  require(std::isfinite(rule.coupling) && std::isfinite(rule.steepness), "activity: the coupling is ", rule.coupling,
          " and the steepness ", rule.steepness, ", but both must be finite.");
  require(rule.time_step > 0 && rule.time_step <= 1, "activity: the time step is ", rule.time_step,
          ", but must be in (0, 1]; above 1 Euler's method overshoots.");
}

void check_shares(const char* what, std::span<const double> shares) {
  for (const double share : shares)
    require(share >= 0 && share <= 1, "activity: an agent's ", what, " is ", share, ", but must be in [0, 1].");
}

/// tanh with the engine's exponential; near 0, where 1 - e^(-2y) would cancel, Lambert's continued fraction (1770).
double hyperbolic_tangent(double y) {
  const double size = std::abs(y);
  if (size < 0.5) {
    const double square = y * y;
    double fraction = 17;
    for (int odd = 15; odd >= 1; odd -= 2) fraction = odd + square / fraction;
    return y / fraction;
  }
  const double fall = exponential(-2 * size);
  return std::copysign((1 - fall) / (1 + fall), y);
}

template <typename Task>
void for_each_part(Index agents, const Task& task) {
  const Index parts = (agents + kPart - 1) / kPart;
  for_each_task(parts, parts > 4, [&](Index part) { task(part, part * kPart, std::min((part + 1) * kPart, agents)); });
}

/// Sorts and keeps each speaker of a row once; closes the gaps.
void hear_once(Hearing& hearing, std::vector<std::size_t>& ends) {
  const auto agents = static_cast<Index>(hearing.offsets.size()) - 1;
  for_each_part(agents, [&](Index, Index first, Index end) {
    for (std::size_t i = first; i < static_cast<std::size_t>(end); ++i) {
      const auto begin = hearing.speakers.begin() + hearing.offsets[i];
      const auto last = hearing.speakers.begin() + hearing.offsets[i + 1];
      std::sort(begin, last);
      ends[i] = static_cast<std::size_t>(std::unique(begin, last) - hearing.speakers.begin());
    }
  });
  std::size_t size = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t begin = hearing.offsets[i];
    hearing.offsets[i] = static_cast<Index>(size);
    for (std::size_t k = begin; k < ends[i]; ++k) hearing.speakers[size++] = hearing.speakers[k];
  }
  hearing.offsets.back() = static_cast<Index>(size);
  hearing.speakers.resize(size);
}

}  // namespace

std::vector<double> power_law_activities(Index agents, double exponent, double least, const Random& random) {
  require(agents >= 0 && least > 0 && least <= 1 && std::isfinite(exponent), "activity: the least activity is ", least,
          " and the exponent ", exponent, ", but it must be in (0, 1] and finite.");
  std::vector<double> activities(agents);
  const double rise = 1 - exponent, log_least = logarithm(least);
  for (std::size_t i = 0; i < activities.size(); ++i) {
    const double u = random.uniform(i);
    // The distribution function (a^rise - least^rise) / (1 - least^rise), solved for a; without the power at rise = 0.
    const double low = exponential(rise * log_least);
    const double log_a = std::abs(rise) < 1e-9 ? (1 - u) * log_least : logarithm(low + u * (1 - low)) / rise;
    activities[i] = std::clamp(exponential(log_a), least, 1.0);
  }
  return activities;
}

ActivityDriven::ActivityDriven(const ActivityRule& rule, std::vector<double> activities,
                               std::vector<double> stubbornness, const Random& random)
    : activities_(std::move(activities)),
      stubbornness_(std::move(stubbornness)),
      activation_(random.stream("activation")),
      contacting_(random.stream("contacts")),
      reciprocation_(random.stream("reciprocity")) {
  set_rule(rule);
  check_shares("activity", activities_);
  check_shares("stubbornness", stubbornness_);
  require(stubbornness_.empty() || stubbornness_.size() == activities_.size(), "activity: there are ",
          activities_.size(), " activities but ", stubbornness_.size(),
          " values of stubbornness; give one for each agent, or none.");
}

void ActivityDriven::set_rule(const ActivityRule& rule) {
  check_activity_rule(rule);
  rule_ = rule;
}

/// Adds who hears whom because one of the agents first .. end - 1 is active.
void ActivityDriven::talk(Index first, Index end, std::uint64_t step, std::vector<std::uint64_t>& heard) const {
  std::vector<Index> contacts;
  for (Index agent = first; agent < end; ++agent) {
    const auto i = static_cast<std::uint64_t>(agent);
    if (!(activation_.uniform(i, step) < activities_[i])) continue;
    contacts.clear();
    contacts_.draw(agent, rule_.contacts, contacting_, step, contacts);
    for (std::uint64_t k = 0; k < contacts.size(); ++k) {
      const auto j = static_cast<std::uint64_t>(contacts[k]);
      heard.push_back(j << 32 | i);
      if (reciprocation_.uniform(i | (k << 40), step) < rule_.reciprocity) heard.push_back(i << 32 | j);
    }
  }
}

const Hearing& ActivityDriven::meet(std::span<const double> opinions, std::int64_t step_number) {
  const auto agents = static_cast<Index>(activities_.size());
  require(static_cast<Index>(opinions.size()) == agents, "activity: there are ", opinions.size(), " opinions but ",
          agents, " activities; each agent needs both.");
  contacts_.arrange(opinions, rule_.homophily);
  heard_.resize((agents + kPart - 1) / kPart);
  for_each_part(agents, [&](Index part, Index first, Index end) {
    auto& heard = heard_[part];
    heard.clear();
    talk(first, end, static_cast<std::uint64_t>(step_number), heard);
  });

  hearing_.offsets.assign(agents + 1, 0);
  for (const auto& heard : heard_)
    for (const std::uint64_t pair : heard) ++hearing_.offsets[(pair >> 32) + 1];
  for (std::size_t i = 1; i < hearing_.offsets.size(); ++i) hearing_.offsets[i] += hearing_.offsets[i - 1];
  hearing_.speakers.resize(hearing_.offsets.back());
  std::vector<std::size_t> ends(hearing_.offsets.begin(), hearing_.offsets.end() - 1);
  for (const auto& heard : heard_)
    for (const std::uint64_t pair : heard) hearing_.speakers[ends[pair >> 32]++] = static_cast<std::uint32_t>(pair);
  hear_once(hearing_, ends);
  return hearing_;
}

void ActivityDriven::step(std::span<double> opinions, std::int64_t step_number) {
  const Hearing& hearing = meet(opinions, step_number);
  influence_.resize(opinions.size());
  const auto agents = static_cast<Index>(opinions.size());
  for_each_part(agents, [&](Index, Index first, Index end) {
    for (std::size_t j = first; j < static_cast<std::size_t>(end); ++j)
      influence_[j] = hyperbolic_tangent(rule_.steepness * opinions[j]);
  });
  for_each_part(agents, [&](Index, Index first, Index end) {
    for (std::size_t i = first; i < static_cast<std::size_t>(end); ++i) {
      double heard = 0;
      for (Index k = hearing.offsets[i]; k < hearing.offsets[i + 1]; ++k) heard += influence_[hearing.speakers[k]];
      const double pace = rule_.time_step * (stubbornness_.empty() ? 1 : 1 - stubbornness_[i]);
      opinions[i] += pace * (-opinions[i] + rule_.coupling * heard);
    }
  });
}

}  // namespace fovea::opinion::dynamics
