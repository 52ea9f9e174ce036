#include "fovea/domains/opinion/measure/sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/measure/estimate.hpp"

namespace fovea::opinion::measure {

Answers with_opinions(const Answers& answers) {
  Answers some = answers;
  const auto keep = [&](auto& list) {
    std::size_t to = 0;
    for (std::size_t row = 0; row < list.size(); ++row)
      if (!std::isnan(answers.value[row])) list[to++] = list[row];
    list.resize(to);
  };
  keep(some.value), keep(some.weight), keep(some.unit), keep(some.side), keep(some.group);
  return some;
}

NodeSides sides_of(const Answers& answers, const std::string& path, bool network) {
  constexpr std::size_t kMostSides = 100;
  NodeSides sides;
  if (answers.side.empty()) return sides;
  number_sides(answers.side, sides);
  const std::size_t count = sides.side_names.size();
  if (count >= 2 && count <= kMostSides) return sides;
  if (network) return {};  // of many sides the network alone is measured
  throw DataError(concat(path, ": names ", counted(static_cast<Index>(count), "side"), ", but there must be 2 to ",
                         kMostSides, "; name another column with sides.column (--sides)."));
}

std::vector<std::uint8_t> few_groups(const Answers& answers, Results& results) {
  constexpr std::size_t kFew = 10, kNamed = 5;
  const std::vector<std::size_t> units = units_of(answers);
  const std::vector<double> sizes = effective_sizes(answers);
  std::vector<std::uint8_t> few(units.size(), 0);
  std::string named;
  std::size_t count = 0;
  for (std::size_t g = 0; g < units.size(); ++g) {
    if (units[g] >= kFew && sizes[g] >= static_cast<double>(kFew)) continue;
    few[g] = 1;
    if (++count > kNamed) continue;
    const std::string size = units[g] < kFew ? counted(static_cast<Index>(units[g]), "answer")
                                             : concat("weights that leave an effective size of ", plain_text(sizes[g]));
    named += concat(count == 1 ? "" : ", ", units.size() == 1 ? size : concat(answers.groups[g].name, " (", size, ')'));
  }
  if (count == 0) return {};
  if (count > kNamed) named += concat(" and ", count - kNamed, " more groups");
  results.note(concat("Bootstrap intervals are too short for so few answers, and a single one has none: ", named,
                      units.size() == 1 ? "." : "; the summary leaves these out."));
  return few;
}

Sample::Sample(const Answers& answers, const NodeSides& sides)
    : answers_(answers), sides_(sides), rows_(answers.groups.size()) {
  std::vector<std::size_t> order(answers.value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (const std::size_t row : order) rows_[answers.group[row]].push_back(row);
  all_ = std::move(order);
  if (answers.weight.empty() && answers.unit.empty()) number_values();
}

GroupMasses Sample::masses(std::size_t group, const std::vector<std::uint32_t>& times) const {
  GroupMasses masses = none();
  for (const std::size_t row : rows_[group])
    masses.add(answers_.value[row], times.empty() ? answers_.weight_of(row) : answers_.weight_of(row) * times[row],
               side(row));
  return masses;
}

std::vector<GroupMasses> Sample::redrawn(const Random& random, std::uint64_t draw) const {
  std::vector<GroupMasses> masses(rows_.size(), none());
  if (place_.empty()) {
    const std::vector<std::uint32_t> times = drawn(random, draw);
    for (std::size_t g = 0; g < rows_.size(); ++g) masses[g] = this->masses(g, times);
    return masses;
  }
  for (std::size_t g = 0; g < rows_.size(); ++g) {
    std::vector<std::uint32_t> times(value_[g].size(), 0);
    for (std::uint64_t k = 0; k < rows_[g].size(); ++k)
      ++times[place_[g][random.below(rows_[g].size(), k, draw * rows_.size() + g)]];
    for (std::size_t v = 0; v < times.size(); ++v) masses[g].add(value_[g][v].first, times[v], value_[g][v].second);
  }
  return masses;
}

std::vector<GroupMasses> Sample::with_shuffled_sides(const Random& random, std::uint64_t draw) const {
  std::vector<GroupMasses> masses(rows_.size(), none());
  for (std::size_t g = 0; g < rows_.size(); ++g) {
    std::vector<Index> label;
    for (const std::size_t row : rows_[g])
      if (side(row) >= 0) label.push_back(side(row));
    for (std::uint64_t k = label.size(); k > 1; --k)
      std::swap(label[k - 1], label[random.below(k, k, draw * rows_.size() + g)]);
    auto next = label.begin();
    for (const std::size_t row : rows_[g])
      if (side(row) >= 0) masses[g].side[*next++].add(answers_.value[row], answers_.weight_of(row));
  }
  return masses;
}

std::vector<measures::Masses> Sample::shuffled(const std::vector<std::vector<std::size_t>>& sets, const Random& random,
                                               std::uint64_t draw) const {
  std::vector<std::size_t> group(answers_.value.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::vector<std::size_t> rows, label;
    for (const std::size_t g : sets[s])
      for (const std::size_t row : rows_[g]) rows.push_back(row), label.push_back(g);
    for (std::uint64_t k = label.size(); k > 1; --k)
      std::swap(label[k - 1], label[random.below(k, k, draw * sets.size() + s)]);
    for (std::size_t k = 0; k < rows.size(); ++k) group[rows[k]] = label[k];
  }
  std::vector<measures::Masses> masses(rows_.size());
  for (const std::size_t row : all_) masses[group[row]].add(answers_.value[row], answers_.weight_of(row));
  return masses;
}

/// Of rows without weights it is enough to count how often each answer is drawn.
void Sample::number_values() {
  place_.resize(rows_.size());
  value_.resize(rows_.size());
  for (std::size_t g = 0; g < rows_.size(); ++g)
    for (const std::size_t row : rows_[g]) {
      if (value_[g].empty() || value_[g].back() != key(row)) value_[g].push_back(key(row));
      place_[g].push_back(static_cast<std::uint32_t>(value_[g].size() - 1));
    }
}

/// How often each row is drawn.
std::vector<std::uint32_t> Sample::drawn(const Random& random, std::uint64_t draw) const {
  std::vector<std::uint32_t> times(answers_.value.size(), 0);
  if (!answers_.unit.empty()) {
    std::vector<std::uint32_t> of_unit(answers_.units, 0);
    for (std::uint64_t k = 0; k < of_unit.size(); ++k) ++of_unit[random.below(of_unit.size(), k, draw)];
    for (std::size_t row = 0; row < times.size(); ++row) times[row] = of_unit[answers_.unit[row]];
    return times;
  }
  for (std::size_t g = 0; g < rows_.size(); ++g)
    for (std::uint64_t k = 0; k < rows_[g].size(); ++k)
      ++times[rows_[g][random.below(rows_[g].size(), k, draw * rows_.size() + g)]];
  return times;
}

}  // namespace fovea::opinion::measure
