#include <algorithm>
#include <cmath>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/list_entries.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

void check_biases(const NeighbourLists& lists) {
  for (std::size_t e = 0; e < lists.bias.size(); ++e)
    require(!(std::isnan(lists.bias[e]) || lists.bias[e] > 1e300), "neighbour_list: bias ", e, " is ", lists.bias[e],
            ", but must be a number below 1e300; -inf forbids the pair.");
}

template <typename Real>
class NeighbourList final : public Mask<Real> {
 public:
  explicit NeighbourList(std::shared_ptr<const NeighbourLists> lists) : lists_(std::move(lists)) {
    require(lists_ != nullptr, "neighbour_list: there are no lists; give one for each query, which may be empty.");
    check_lists("neighbour_list", *lists_);
    check_biases(*lists_);
    for (const double bias : lists_->bias) largest_bias_ = std::max(largest_bias_, bias);
    if (!lists_->bias.empty()) {
      const auto [least, most] = std::minmax_element(lists_->bias.begin(), lists_->bias.end());
      bias_difference_ = *most - *least;
    }
  }

  const NeighbourLists* neighbours() const override { return lists_.get(); }

  void check(const AttentionShape& shape) const override { check_lists_fit("neighbour_list", *lists_, shape); }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i) {
      if (lists_->bias.empty() && stretch_of(*lists_, tile, i).is_tile) continue;
      Real* scores = tile.row(i);
      each_key(
          *lists_, tile, i, [&](Index j, Index e) { scores[j] += bias(e); },
          [&](Index j) { scores[j] = kMasked<Real>; });
    }
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    add_listed_by_keys(*lists_, tile, [&](Index e) { return bias(e); });
  }

  Real bound(const TileRange&, Real incoming, std::span<const Real>) const override {
    return incoming + static_cast<Real>(largest_bias_);
  }
  Real largest_difference(const TileRange&, Real incoming, std::span<const Real>) const override {
    return incoming + static_cast<Real>(bias_difference_);
  }

 private:
  Real bias(Index e) const { return lists_->bias.empty() ? Real(0) : static_cast<Real>(lists_->bias[e]); }

  std::shared_ptr<const NeighbourLists> lists_;
  double largest_bias_ = 0, bias_difference_ = 0;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(NeighbourLists lists) {
  return std::make_shared<NeighbourList<Real>>(std::make_shared<const NeighbourLists>(std::move(lists)));
}
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(std::shared_ptr<const NeighbourLists> lists) {
  return std::make_shared<NeighbourList<Real>>(std::move(lists));
}
template std::shared_ptr<const ScoreModifier<float>> neighbour_list(NeighbourLists);
template std::shared_ptr<const ScoreModifier<double>> neighbour_list(NeighbourLists);
template std::shared_ptr<const ScoreModifier<float>> neighbour_list(std::shared_ptr<const NeighbourLists>);
template std::shared_ptr<const ScoreModifier<double>> neighbour_list(std::shared_ptr<const NeighbourLists>);

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
