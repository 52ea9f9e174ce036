#pragma once
/// Keys that several experiments have: all but the member and its default are declared once.

#include <string>

#include "fovea/core/config/key_list.hpp"

namespace fovea {

/// A key that several experiments bind, each to a member of its own:
///   const SharedKey kWidth{"model.width", "numbers a token", Range::between(1, 4096)};
///   Keys<Settings>().key(kWidth, &Settings::width)
struct SharedKey {
  std::string name;
  std::string meaning;
  Range range{};       ///< of numbers
  std::string unit{};  ///< of numbers; "" for none
  /// The same key where other numbers are allowed.
  SharedKey within(Range other) const { return {name, meaning, other, unit}; }
};
/// The same of a choice() between values of type V, by default texts.
template <typename V = std::string>
struct SharedChoice {
  std::string name;
  KeyWords<V> words;
  std::string meaning;
};

}  // namespace fovea
