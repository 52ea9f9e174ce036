#pragma once
/// The table of layers: one line each. Tests walk it, so a new layer is tested without being named. See
/// core/learning/registry.hpp for how to add one.

#include <functional>
#include <span>
#include <string_view>

#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

/// A layer of the table, used: x N x C -> N x C', or one row a set.
template <typename Real>
using LayerFunction = std::function<Variable<Real>(Variable<Real> x, const Tokens& tokens)>;

template <typename Real>
struct LayerEntry {
  std::string_view name;     ///< "multi_head_attention"
  std::string_view formula;  ///< for people
  std::string_view source;   ///< author and year; empty: common knowledge
  Index columns;             ///< C of the example
  /// An example with small widths; its parameters are moved off their start by the tests.
  LayerFunction<Real> (*make)(Parameters<Real>& parameters, const Random& random);
};

/// Alphabetical. Real is float or double.
template <typename Real>
std::span<const LayerEntry<Real>> layers();

}  // namespace fovea::learning
