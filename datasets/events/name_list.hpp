#pragma once
/// Names as numbers 0, 1, 2, ... in the order in which they are first seen. Internal to datasets/events.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fovea::datasets::events {

class NameList {
 public:
  /// The number of a name, a new one where it was not seen before. Rows of a file repeat: first looks at the name of
  /// the row before, then at the last one with the same first letters.
  std::uint32_t add(std::string_view name);
  std::optional<std::uint32_t> find(std::string_view name) const;

  std::size_t count() const { return names_.size(); }
  const std::string& name(std::uint32_t number) const { return names_[number]; }
  std::vector<std::string> names() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // they stay where they are: numbers_ views them
  struct Recent {
    std::uint64_t letters = 0;  // of a name of at most eight bytes: all of it
    std::uint32_t number = 0;
    std::uint32_t size = 0;  // 0: none
  };
  bool is(const Recent& recent, std::uint64_t letters, std::string_view name) const;

  std::array<Recent, 256> recent_{};  // by first letters and length
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  Recent last_;
};

}  // namespace fovea::datasets::events
