#include <algorithm>
#include <cmath>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

void check_lists(const NeighbourLists& lists) {
  const auto& offsets = lists.offsets;
  const Index entries = static_cast<Index>(lists.keys.size());
  require(!offsets.empty() && offsets.front() == 0 && offsets.back() == entries, "neighbour_list: there are ", entries,
          " keys, but the offsets run from ", offsets.empty() ? 0 : offsets.front(), " to ",
          offsets.empty() ? 0 : offsets.back(), "; they must run from 0 to the number of keys.");
  require(lists.bias.empty() || lists.bias.size() == lists.keys.size(), "neighbour_list: there are ", entries,
          " keys but ", lists.bias.size(), " biases; give one for each key, or none.");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    require(offsets[i] <= offsets[i + 1], "neighbour_list: the offsets fall from ", offsets[i], " to ", offsets[i + 1],
            " at query ", i, "; they must not fall.");
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
      const std::size_t at = static_cast<std::size_t>(e);
      require(lists.keys[at] >= 0 && (e == offsets[i] || lists.keys[at - 1] < lists.keys[at]),
              "neighbour_list: the keys of query ", i, " have ", lists.keys[at], " at place ", e - offsets[i],
              "; they must ascend from 0 or more, each once.");
    }
  }
  for (std::size_t e = 0; e < lists.bias.size(); ++e)
    require(!(std::isnan(lists.bias[e]) || lists.bias[e] > 1e300), "neighbour_list: bias ", e, " is ", lists.bias[e],
            ", but must be a number below 1e300; -inf forbids the pair.");
}

template <typename Real>
class NeighbourList final : public Mask<Real> {
 public:
  explicit NeighbourList(NeighbourLists lists) : lists_(std::move(lists)) {
    check_lists(lists_);
    for (const Index key : lists_.keys) largest_key_ = std::max(largest_key_, key);
    for (const double bias : lists_.bias) largest_bias_ = std::max(largest_bias_, bias);
    if (!lists_.bias.empty()) {
      const auto [least, most] = std::minmax_element(lists_.bias.begin(), lists_.bias.end());
      bias_difference_ = *most - *least;
    }
  }

  const NeighbourLists* neighbours() const override { return &lists_; }

  void check(const AttentionShape& shape) const override {
    const Index listed = static_cast<Index>(lists_.offsets.size()) - 1;
    require(listed == shape.queries, "neighbour_list: there are lists for ", listed, " queries, but attend() got ",
            shape.queries, "; each query needs one, which may be empty.");
    require(largest_key_ < shape.keys, "neighbour_list: key ", largest_key_, " is listed, but attend() got ",
            shape.keys, " keys.");
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i) apply_row(tile, i);
  }

  Real bound(const TileRange&, Real incoming, std::span<const Real>) const override {
    return incoming + static_cast<Real>(largest_bias_);
  }
  Real largest_difference(const TileRange&, Real incoming, std::span<const Real>) const override {
    return incoming + static_cast<Real>(bias_difference_);
  }

 private:
  void apply_row(const ScoreTile<Real>& tile, Index i) const {
    Real* scores = tile.row(i);
    const std::size_t query = static_cast<std::size_t>(tile.query(i));
    const auto end = lists_.keys.begin() + lists_.offsets[query + 1];
    auto listed = lists_.keys.begin() + lists_.offsets[query];
    if (tile.key_count > 0) listed = std::lower_bound(listed, end, tile.key(0));
    for (Index j = 0; j < tile.key_count; ++j) {
      const Index key = tile.key(j);
      while (listed != end && *listed < key) ++listed;
      if (listed == end || *listed != key)
        scores[j] = kMasked<Real>;
      else if (!lists_.bias.empty())
        scores[j] += static_cast<Real>(lists_.bias[static_cast<std::size_t>(listed - lists_.keys.begin())]);
    }
  }

  NeighbourLists lists_;
  Index largest_key_ = -1;
  double largest_bias_ = 0, bias_difference_ = 0;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(NeighbourLists lists) {
  return std::make_shared<NeighbourList<Real>>(std::move(lists));
}
template std::shared_ptr<const ScoreModifier<float>> neighbour_list(NeighbourLists);
template std::shared_ptr<const ScoreModifier<double>> neighbour_list(NeighbourLists);

namespace {

/// Irregular lists: query i has the keys j with (i + 2 j) mod 3 > 0, and every seventh query has none.
NeighbourLists example_lists(const ExampleProblem& problem) {
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
  return lists;
}

}  // namespace

template <typename Real>
ModifierEntry<Real> neighbour_list_entry() {
  return {"neighbour_list",
          "s + bias_ij if j is a neighbour of i, else masked",
          "",
          "Velickovic et al. 2018",
          [](const ExampleProblem& problem) { return neighbour_list<Real>(example_lists(problem)); },
          &no_parameters<Real>,
          not_in_configs<Real>("a config cannot hold a list of neighbours for each token")};
}
FOVEA_MODIFIER_ENTRY(neighbour_list)

}  // namespace fovea
