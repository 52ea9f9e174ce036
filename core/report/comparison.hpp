#pragma once
/// Several results side by side: the keys that differ, the headlines with their differences, and a page with the curves
/// of all in one figure.

#include <string>
#include <vector>

#include "fovea/core/report/headline_values.hpp"

namespace fovea {

/// A result and what it is called in the comparison. results: with_names().
struct ComparedRun {
  std::string name;  ///< "A"
  std::string path;
  Results results;
};

/// "A", "B", ..., "Z", "run 27", ...
std::string compared_name(std::size_t index);

/// A key of the configs that is not the same in all.
struct ComparedKey {
  std::string key;
  std::vector<std::string> values;  ///< of each run; empty where it has no such key
};
std::vector<ComparedKey> differing_keys(const std::vector<ComparedRun>& runs);

/// A headline at one place; what a run does not have is NaN.
struct ComparedHeadline {
  std::string label, units;
  std::vector<HeadlineValue> values;  ///< of each run

  double difference(std::size_t run) const;  ///< from the first
  /// The root of the sum of both squared errors; of one, where the other has none; NaN: neither has one.
  double error(std::size_t run) const;
  /// How the difference stands to the error; empty: a value is missing.
  std::string judged(std::size_t run) const;
  bool exceeds(std::size_t run) const;  ///< more than twice the error
};
std::vector<ComparedHeadline> compared_headlines(const std::vector<ComparedRun>& runs);

/// What a page of the comparison shows, for draw_page(): tables of headlines and keys; then each figure of lines or
/// bins that all runs have over the same places, with the curves of all, and each heat map with the runs as a slider.
/// A note names the figures that are left out.
Results comparison(const std::vector<ComparedRun>& runs);

}  // namespace fovea
