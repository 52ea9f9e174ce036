#include "fovea/core/learning/arena.hpp"

#include <algorithm>
#include <new>

namespace fovea::learning {

namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallestBlock = std::size_t{1} << 16;
constexpr std::size_t kLarge = std::size_t{1} << 18;  // from here on a piece has a block of its own size

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

void Arena::Free::operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kAlignment}); }

void Arena::add_block(std::size_t bytes) {
  Block block;
  block.memory.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})));
  block.size = bytes;
  blocks_.push_back(std::move(block));
  used_ = 0;
}

void* Arena::take_bytes(std::size_t bytes) {
  bytes = aligned(bytes);
  if (blocks_.empty() || used_ + bytes > blocks_.back().size) {
    if (bytes >= kLarge) return large_piece(bytes);
    add_block(std::max({kSmallestBlock, bytes, std::min(kLarge, capacity())}));
  }
  void* const memory = blocks_.back().memory.get() + used_;
  used_ += bytes;
  return memory;
}

bool Arena::restore(const Mark& mark) {
  if (mark.blocks != blocks_.size()) return false;
  used_ = mark.used;
  return true;
}

/// The block that is being filled stays the last one.
void* Arena::large_piece(std::size_t bytes) {
  const std::size_t used = used_;
  add_block(bytes);
  void* const memory = blocks_.back().memory.get();
  used_ = bytes;
  if (blocks_.size() == 1) return memory;
  std::swap(blocks_.back(), blocks_[blocks_.size() - 2]);
  used_ = used;
  return memory;
}

void Arena::clear() {
  if (blocks_.size() > 1) {
    const std::size_t all = capacity();
    blocks_.clear();
    add_block(all);
  }
  used_ = 0;
}

std::size_t Arena::capacity() const {
  std::size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.size;
  return bytes;
}

}  // namespace fovea::learning
