#pragma once
/// The tables of what there is: one line each. Tests walk them, so a new entry is tested without being named.
///
/// To add a modifier:
///   1. write modifiers/<name>.cpp: a ScoreModifier with apply() and backward(), a factory, and <name>_entry() with an
///      example of it and what a config may say about it;
///   2. add one line to modifiers/table.inl, in alphabetical order;
///   3. declare the factory, with its equation and source, in score_changes.hpp or key_choices.hpp;
///   4. tell the brute-force twin what it does to one pair (tests/support/).
/// Its gradients, threads, packing and masks are then tested without further ado; `fovea list modifiers` shows it. A
/// score function or a normaliser is added in the same way, in its own folder.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/modifier_settings.hpp"
#include "fovea/core/attention/normalizer.hpp"
#include "fovea/core/attention/score.hpp"

namespace fovea {

/// A small problem for which a table entry can make an instance of itself: for the tests and for `fovea list`.
struct ExampleProblem {
  Index query_count = 0;
  Index key_count = 0;
  Index dimension = 0;
  std::vector<Index> query_offsets, key_offsets;  ///< packed sets as in AttentionSpec; both empty: one set
  Index heads = 1;
};

template <typename Real>
struct ScoreEntry {
  std::string_view name;        ///< as in a config: "gaussian"
  std::string_view formula;     ///< for people: "-|q - k|^2 / 2"
  std::string_view parameters;  ///< what theta is; empty: none
  std::string_view source;      ///< author and year
  std::shared_ptr<const ScoreFunction<Real>> (*make)(const ExampleProblem&);
  std::vector<Real> (*start)(const ExampleProblem&);  ///< parameters off their neutral point, for checks
};

template <typename Real>
struct ModifierEntry {
  std::string_view name;
  std::string_view formula;
  std::string_view parameters;  ///< what theta is; empty: none
  std::string_view source;      ///< author and year
  std::shared_ptr<const ScoreModifier<Real>> (*make)(const ExampleProblem&);
  std::vector<Real> (*start)(const ExampleProblem&);
  ModifierSettings<Real> settings;  ///< what a config may say about it
};

template <typename Real>
struct NormalizerEntry {
  std::string_view name;
  std::string_view formula;                           ///< of the weight w_j
  std::string_view parameters;                        ///< what the factory takes; empty: nothing
  std::string_view source;                            ///< author and year
  std::shared_ptr<const Normalizer<Real>> (*make)();  ///< nullptr for softmax, which is the engine's own
};

/// Alphabetical. Real is float or double.
template <typename Real>
std::span<const ScoreEntry<Real>> scores();
template <typename Real>
std::span<const ModifierEntry<Real>> modifiers();
template <typename Real>
std::span<const NormalizerEntry<Real>> normalizers();

}  // namespace fovea
