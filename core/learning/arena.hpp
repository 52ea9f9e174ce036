#pragma once
/// Memory of one pass: given out piece by piece, taken back all at once, kept for the next pass.

#include <cstddef>
#include <memory>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// A pass that needs no more than an earlier one takes nothing from the system; one that needs more takes about as much
/// as it needs. Not for several threads at once.
class Arena {
 public:
  /// Room for that many, aligned to 64 bytes; what is in it is undefined. Only for types that need no destructor.
  template <typename T>
  T* take(Index count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena forgets what it holds");
    return static_cast<T*>(take_bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }
  /// How far it is filled; restore() takes back what was given out since, where that lies in the same block.
  struct Mark {
    std::size_t blocks = 0, used = 0;
  };
  Mark mark() const { return {blocks_.size(), used_}; }
  bool restore(const Mark& mark);
  /// Takes everything back. Where the pass needed several blocks, the next finds one as large as all of them.
  void clear();
  /// Bytes that are held, given out or not.
  std::size_t capacity() const;

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
  };
  void* take_bytes(std::size_t bytes);
  void* large_piece(std::size_t bytes);
  void add_block(std::size_t bytes);
  std::vector<Block> blocks_;
  std::size_t used_ = 0;  ///< of the last block
};

}  // namespace fovea::learning
