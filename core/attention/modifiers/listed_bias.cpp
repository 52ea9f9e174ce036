#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/list_entries.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class ListedBias final : public ScoreModifier<Real> {
 public:
  explicit ListedBias(std::shared_ptr<const NeighbourLists> lists) : lists_(std::move(lists)) {
    require(lists_ != nullptr, "listed_bias: there are no lists; give one for each query, which may be empty.");
    check_lists("listed_bias", *lists_);
  }

  Index parameter_count(Index heads) const override { return heads * pairs(); }
  bool parameters_belong_to_pairs() const override { return true; }
  bool reads_scores() const override { return false; }
  const NeighbourLists* neighbours() const override { return lists_.get(); }
  void check(const AttentionShape& shape) const override { check_lists_fit("listed_bias", *lists_, shape); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    Real largest = kMasked<Real>;
    const Real* bias = theta.data() + range.head * pairs();
    for (Index i = 0; i < range.query_count; ++i)
      each_key(
          *lists_, range, i, [&](Index, Index e) { largest = std::max(largest, bias[e]); }, [](Index) {});
    return largest == kMasked<Real> ? largest : incoming + largest;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real* bias = theta.data() + tile.head * pairs();
    for (Index i = 0; i < tile.query_count; ++i) {
      Real* scores = tile.row(i);
      each_key(
          *lists_, tile, i, [&](Index j, Index e) { scores[j] += bias[e]; },
          [&](Index j) { scores[j] = kMasked<Real>; });
    }
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real* bias = theta.data() + tile.head * pairs();
    add_listed_by_keys(*lists_, tile, [&](Index e) { return bias[e]; });
  }

  // ds'/ds = ds'/dtheta = 1 for the pair's own entry
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    if (theta_gradient.empty()) return;
    Real* sums = theta_gradient.data() + gradient.head * pairs();
    for (Index i = 0; i < gradient.query_count; ++i) {
      const Real* row = gradient.row(i);
      each_key(
          *lists_, gradient, i, [&](Index j, Index e) { sums[e] += row[j]; }, [](Index) {});
    }
  }

 private:
  Index pairs() const { return static_cast<Index>(lists_->keys.size()); }
  std::shared_ptr<const NeighbourLists> lists_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> listed_bias(std::shared_ptr<const NeighbourLists> lists) {
  return std::make_shared<ListedBias<Real>>(std::move(lists));
}
template std::shared_ptr<const ScoreModifier<float>> listed_bias(std::shared_ptr<const NeighbourLists>);
template std::shared_ptr<const ScoreModifier<double>> listed_bias(std::shared_ptr<const NeighbourLists>);

namespace {

/// Query i has the keys j with (2 i + j) mod 3 < 2, and every fifth query has none.
NeighbourLists example_pairs(const ExampleProblem& problem) {
  NeighbourLists lists;
  lists.offsets.push_back(0);
  for (Index i = 0; i < problem.query_count; ++i) {
    const auto [begin, end] = keys_beside(problem, i);
    for (Index j = begin; j < end && i % 5 != 4; ++j)
      if ((2 * i + j) % 3 < 2) lists.keys.push_back(j);
    lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
  }
  return lists;
}

template <typename Real>
std::vector<Real> example_pair_biases(const ExampleProblem& problem) {
  const NeighbourLists lists = example_pairs(problem);
  std::vector<Real> theta;
  for (Index head = 0; head < problem.heads; ++head)
    for (Index i = 0; i < problem.query_count; ++i)
      for (Index e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e)
        theta.push_back(static_cast<Real>(0.1 * static_cast<double>((3 * head + 2 * i + 5 * lists.keys[e]) % 7) - 0.3));
  return theta;
}

}  // namespace

template <typename Real>
ModifierEntry<Real> listed_bias_entry() {
  return {"listed_bias",
          "s + b_e if (i, j) is listed pair e, else masked",
          "theta = b, head after head, list after list",
          "Jumper et al. 2021",
          [](const ExampleProblem& problem) {
            return listed_bias<Real>(std::make_shared<const NeighbourLists>(example_pairs(problem)));
          },
          &example_pair_biases<Real>,
          not_in_configs<Real>("its lists have an entry for each listed pair, and new cases are other pairs")};
}
FOVEA_MODIFIER_ENTRY(listed_bias)

}  // namespace fovea
