#pragma once
/// A column of answers as the estimates draw from it.

#include <utility>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/measure/ties.hpp"
#include "fovea/domains/opinion/measures/weighted.hpp"

namespace fovea::opinion::measure {

/// Those with an opinion: a table of nodes may hold others.
Answers with_opinions(const Answers& answers);

/// The sides of the rows, by their column; none where there is none. Throws DataError for fewer than 2 or more than
/// 100; a network has then none, as it alone is measured.
NodeSides sides_of(const Answers& answers, const std::string& path, bool network);

/// 1 for groups of so few answers, or of so uneven weights, that bootstrap intervals are much too short; empty: none.
/// Says which.
std::vector<std::uint8_t> few_groups(const Answers& answers, Results& results);

/// The answers of a group, all of them and those of each side.
struct GroupMasses {
  measures::Masses all;
  std::vector<measures::Masses> side;

  void add(double value, double mass, Index of_side) {
    all.add(value, mass);
    if (of_side >= 0) side[of_side].add(value, mass);
  }
};

/// Rows group by group, in each by ascending answers, equal ones side by side. Both arguments must outlive it.
class Sample {
 public:
  Sample(const Answers& answers, const NodeSides& sides);

  std::size_t groups() const { return rows_.size(); }
  std::size_t sides() const { return sides_.side_names.size(); }
  const std::vector<std::size_t>& rows(std::size_t group) const { return rows_[group]; }
  Index side(std::size_t row) const { return sides_.side.empty() ? -1 : sides_.side[row]; }

  /// Each row as often as `times` says; empty: once.
  GroupMasses masses(std::size_t group, const std::vector<std::uint32_t>& times = {}) const;
  /// The masses of all groups after their rows, or whole units, were drawn again.
  std::vector<GroupMasses> redrawn(const Random& random, std::uint64_t draw) const;
  /// The sides of each group after they were shuffled over its rows that have one.
  std::vector<GroupMasses> with_shuffled_sides(const Random& random, std::uint64_t draw) const;
  /// The masses of all groups after the rows of each set of groups were shuffled over them.
  std::vector<measures::Masses> shuffled(const std::vector<std::vector<std::size_t>>& sets, const Random& random,
                                         std::uint64_t draw) const;

 private:
  std::pair<double, Index> key(std::size_t row) const { return {answers_.value[row], side(row)}; }
  GroupMasses none() const { return {{}, std::vector<measures::Masses>(sides())}; }
  void number_values();
  std::vector<std::uint32_t> drawn(const Random& random, std::uint64_t draw) const;

  const Answers& answers_;
  const NodeSides& sides_;
  std::vector<std::vector<std::size_t>> rows_;
  std::vector<std::vector<std::uint32_t>> place_;             // of each row, among value_; empty: with weights or units
  std::vector<std::vector<std::pair<double, Index>>> value_;  // of each group, ascending, with their sides
  std::vector<std::size_t> all_;
};

}  // namespace fovea::opinion::measure
