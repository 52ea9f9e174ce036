#include "fovea/core/attention/registry.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"

namespace fovea {
namespace {

using P = ExampleProblem;

template <typename Real>
using Score = std::shared_ptr<const ScoreFunction<Real>>;
template <typename Real>
using Modifier = std::shared_ptr<const ScoreModifier<Real>>;

template <typename Real>
std::vector<Real> no_parameters(const P&) {
  return {};
}
template <typename Real>
std::vector<Real> start_log_tau(const P&) {
  return {Real(-0.4)};
}
template <typename Real>
std::vector<Real> start_log_rate(const P&) {
  return {Real(-0.7)};
}

template <typename Real>
Score<Real> make_dot_product(const P&) {
  return dot_product_score<Real>();
}
template <typename Real>
Score<Real> make_unscaled(const P&) {
  return dot_product_score<Real>(false);
}
template <typename Real>
Score<Real> make_cosine(const P&) {
  return cosine_score<Real>();
}
template <typename Real>
Score<Real> make_gaussian(const P&) {
  return gaussian_score<Real>();
}
template <typename Real>
Score<Real> make_log_distance(const P&) {
  return log_distance_score<Real>(Real(0.01));
}

template <typename Real>
Modifier<Real> make_causal(const P&) {
  return causal<Real>();
}
template <typename Real>
Modifier<Real> make_temperature(const P&) {
  return temperature<Real>();
}
template <typename Real>
Modifier<Real> make_window(const P&) {
  return window<Real>(3);
}

/// The keys [begin, end) that are packed into one set with query i.
std::pair<Index, Index> keys_beside(const P& problem, Index i) {
  if (problem.query_offsets.empty()) return {0, problem.key_count};
  const auto above = std::upper_bound(problem.query_offsets.begin(), problem.query_offsets.end(), i);
  const std::size_t set = static_cast<std::size_t>(above - problem.query_offsets.begin()) - 1;
  return {problem.key_offsets[set], problem.key_offsets[set + 1]};
}

/// Irregular lists: query i has the keys j with (i + 2 j) mod 3 > 0, and every seventh query has none.
template <typename Real>
Modifier<Real> make_neighbour_list(const P& problem) {
  NeighbourLists lists;
  lists.offsets.push_back(0);
  for (Index i = 0; i < problem.query_count; ++i) {
    const auto [begin, end] = keys_beside(problem, i);
    for (Index j = begin; j < end && i % 7 != 6; ++j)
      if ((i + 2 * j) % 3 > 0) {
        lists.keys.push_back(j);
        lists.bias.push_back(0.1 * static_cast<double>((i + j) % 5));
      }
    lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
  }
  return neighbour_list<Real>(std::move(lists));
}

template <typename Real>
Modifier<Real> make_time_decay(const P& problem) {
  Vector<Real> t_query(problem.query_count), t_key(problem.key_count);
  for (Index i = 0; i < t_query.size(); ++i) t_query[i] = static_cast<Real>(0.37 * static_cast<double>((5 * i) % 11));
  for (Index j = 0; j < t_key.size(); ++j) t_key[j] = static_cast<Real>(0.29 * static_cast<double>((3 * j) % 13));
  return time_decay<Real>(std::move(t_query), std::move(t_key));
}

template <typename Real>
constexpr std::array kScores{
    ScoreEntry<Real>{"cosine", "q . k / (|q| |k|)", &make_cosine<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"dot_product", "q . k / sqrt(d)", &make_dot_product<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"gaussian", "-|q - k|^2 / 2", &make_gaussian<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"log_distance", "-log(max(|q - k|, floor))", &make_log_distance<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"unscaled_dot_product", "q . k", &make_unscaled<Real>, &no_parameters<Real>},
};

template <typename Real>
constexpr std::array kModifiers{
    ModifierEntry<Real>{"causal", "s if j <= i, else masked", &make_causal<Real>, &no_parameters<Real>},
    ModifierEntry<Real>{"neighbour_list", "s + bias_ij if j is a neighbour of i, else masked",
                        &make_neighbour_list<Real>, &no_parameters<Real>},
    ModifierEntry<Real>{"temperature", "s / tau, theta = log tau", &make_temperature<Real>, &start_log_tau<Real>},
    ModifierEntry<Real>{"time_decay", "s - rate |t_query - t_key|, theta = log rate", &make_time_decay<Real>,
                        &start_log_rate<Real>},
    ModifierEntry<Real>{"window", "s if |i - j| <= reach, else masked", &make_window<Real>, &no_parameters<Real>},
};

}  // namespace

template <typename Real>
std::span<const ScoreEntry<Real>> scores() {
  return kScores<Real>;
}
template <typename Real>
std::span<const ModifierEntry<Real>> modifiers() {
  return kModifiers<Real>;
}

template std::span<const ScoreEntry<float>> scores();
template std::span<const ScoreEntry<double>> scores();
template std::span<const ModifierEntry<float>> modifiers();
template std::span<const ModifierEntry<double>> modifiers();

}  // namespace fovea
