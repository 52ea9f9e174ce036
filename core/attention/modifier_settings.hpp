#pragma once
/// What a config may say about a modifier, in the units people use. Each modifier's own file declares it as part of its
/// table entry (registry.hpp); whoever reads configs makes keys, errors and help of it.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/packed_sets.hpp"

namespace fovea {

/// A number, a flag or a list of numbers that a modifier is told.
struct ModifierSetting {
  enum class Kind { flag, whole, real, wholes, reals };
  std::string_view key;  ///< a single word: "half_life"
  Kind kind = Kind::real;
  std::vector<double> fallback;  ///< one number (a flag's: 0 or 1), or those of a list
  double low = 0, high = 0;      ///< limits of each number, infinite for none
  bool low_open = false;         ///< true: must be > low
  std::string_view unit;         ///< "positions"; empty: none
  std::string meaning;           ///< one line
};

/// What the settings of one modifier were given. Numbers are exact up to 2^53.
class ModifierValues {
 public:
  Index heads = 1;  ///< of the attention
  void set(std::string_view key, std::vector<double> numbers);
  // Throw ArgumentError where the key is not there.
  bool flag(std::string_view key) const { return real(key) != 0; }
  Index whole(std::string_view key) const { return static_cast<Index>(real(key)); }
  double real(std::string_view key) const;
  std::vector<Index> wholes(std::string_view key) const;
  const std::vector<double>& reals(std::string_view key) const;
  Sharing sharing() const { return flag("per_head") ? Sharing::per_head : Sharing::all_heads; }

 private:
  std::map<std::string, std::vector<double>, std::less<>> numbers_;
};

/// What a modifier must know about the rows of a pass before it can be made.
enum class ModifierAsks { nothing, sets, times, coordinates };

/// The rows of a pass; what the modifier does not ask for may be empty.
template <typename Real>
struct ModifierRows {
  PackedSets sets;
  Vector<Real> query_times, key_times;                ///< counted from the first of each set, in the data's unit
  Matrix<double> query_coordinates, key_coordinates;  ///< N x D, M x D, in the data's unit
};

/// What a config may say about one modifier; or why it can say nothing.
template <typename Real>
struct ModifierSettings {
  std::string_view meaning;  ///< one line for people
  std::vector<ModifierSetting> keys;
  std::shared_ptr<const ScoreModifier<Real>> (*make)(const ModifierValues&, ModifierRows<Real>) = nullptr;
  ModifierAsks asks = ModifierAsks::nothing;
  /// theta where training begins, as long as parameter_count(heads); nullptr: the modifier has no parameters.
  std::vector<Real> (*start)(const ModifierValues&) = nullptr;
  /// Why a config cannot give this modifier, as the rest of "but ..."; then there is nothing else.
  std::string_view refusal{};
};

}  // namespace fovea
