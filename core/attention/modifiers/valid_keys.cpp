#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class ValidKeys final : public Mask<Real> {
 public:
  explicit ValidKeys(std::shared_ptr<const std::vector<std::uint8_t>> valid) : valid_(std::move(valid)) {
    require(valid_ != nullptr, "valid_keys: there are no flags; give one for each key.");
  }

  const std::uint8_t* valid_keys() const override { return valid_->data(); }

  void check(const AttentionShape& shape) const override {
    require(std::ssize(*valid_) == shape.keys, "valid_keys: there are flags for ", valid_->size(),
            " keys, but attend() got ", shape.keys, "; each key needs one.");
  }

  Real bound(const TileRange& range, Real incoming, std::span<const Real>) const override {
    for (Index j = 0; j < range.key_count; ++j)
      if (is_valid(range.key(j))) return incoming;
    return kMasked<Real>;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index j = 0; j < tile.key_count; ++j)
      for (Index i = 0; i < tile.query_count && !is_valid(tile.key(j)); ++i) tile.row(i)[j] = kMasked<Real>;
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index j = 0; j < tile.key_count; ++j)
      if (!is_valid(tile.key(j))) std::fill_n(tile.row(j), tile.query_count, kMasked<Real>);
  }

 private:
  bool is_valid(Index key) const { return (*valid_)[key] != 0; }

  std::shared_ptr<const std::vector<std::uint8_t>> valid_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> valid_keys(std::vector<std::uint8_t> valid) {
  return valid_keys<Real>(std::make_shared<const std::vector<std::uint8_t>>(std::move(valid)));
}
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> valid_keys(std::shared_ptr<const std::vector<std::uint8_t>> valid) {
  return std::make_shared<ValidKeys<Real>>(std::move(valid));
}
template std::shared_ptr<const ScoreModifier<float>> valid_keys(std::vector<std::uint8_t>);
template std::shared_ptr<const ScoreModifier<double>> valid_keys(std::vector<std::uint8_t>);
template std::shared_ptr<const ScoreModifier<float>> valid_keys(std::shared_ptr<const std::vector<std::uint8_t>>);
template std::shared_ptr<const ScoreModifier<double>> valid_keys(std::shared_ptr<const std::vector<std::uint8_t>>);

template <typename Real>
ModifierEntry<Real> valid_keys_entry() {
  return {"valid_keys",
          "s if key j is valid, else masked",
          "",
          "Vaswani et al. 2017",
          [](const ExampleProblem& problem) {  // every third key is none
            std::vector<std::uint8_t> valid;
            for (Index j = 0; j < problem.key_count; ++j) valid.push_back(j % 3 != 1);
            return valid_keys<Real>(std::move(valid));
          },
          &no_parameters<Real>,
          not_in_configs<Real>("a config cannot hold a flag for each token")};
}
FOVEA_MODIFIER_ENTRY(valid_keys)

}  // namespace fovea
