#pragma once
/// From the ids of nodes, whatever they are, to numbers 0, 1, 2, ... Internal to datasets/.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::datasets::network {

/// The id as a number, if it is written the one way that to_string() writes it.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Numbers the nodes in the order in which they are seen, by open addressing: a slot holds a whole number itself, or
/// the hash of another name.
class NodeNumbers {
 public:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

  struct Id {
    std::uint64_t key = 0;  ///< the number, or the hash of the name
    bool is_name = false;
    std::string_view name;  ///< only of a name
  };
  static Id id_of(std::string_view text);

  std::uint32_t add(const Id& id);

  /// Fetches from memory what add() is going to look at: first the slot, then, a while later, the name it belongs to.
  void fetch_slot(const Id& id) const;
  void fetch_name(const Id& id) const;

  std::uint32_t count() const { return static_cast<std::uint32_t>(keys_.size()); }
  std::vector<std::string> names() const;

  /// Node -> its place, such that whole-numbered ids ascend; with other names all keep the order in which they came.
  std::vector<std::uint32_t> ranks() const;

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t node = kUnknown;
    bool is_name = false;
  };
  std::size_t first_place(std::uint64_t key) const;
  void grow();

  std::vector<Slot> slots_;          // a power of two of them, at most half in use
  int shift_ = 64;                   // 64 less the bits of a slot's number
  std::vector<std::uint64_t> keys_;  // of each node
  std::vector<std::string> names_;   // of each node, empty for a number; empty while all are numbers
};

}  // namespace fovea::datasets::network
