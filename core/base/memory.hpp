#pragma once
/// Memory aligned to the widest register and kept by its thread between calls.

#include <new>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

template <typename Real>
struct AlignedAllocator {
  using value_type = Real;
  static constexpr std::align_val_t kAlignment{64};

  AlignedAllocator() = default;
  template <typename Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}
  Real* allocate(std::size_t count) { return static_cast<Real*>(::operator new(count * sizeof(Real), kAlignment)); }
  void deallocate(Real* memory, std::size_t) { ::operator delete(memory, kAlignment); }
  /// resize() leaves new numbers as they are: whoever asks for room fills it.
  template <typename Number>
  void construct(Number*) noexcept {}
  template <typename Number>
  void construct(Number* place, Number value) noexcept {
    *place = value;
  }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <typename Real>
using AlignedVector = std::vector<Real, AlignedAllocator<Real>>;

/// At least that many numbers; what is in them does not matter.
template <typename Real>
Real* room(AlignedVector<Real>& memory, Index count) {
  if (memory.size() < static_cast<std::size_t>(count)) memory.resize(count);
  return memory.data();
}

/// That many zeros.
template <typename Real>
Real* zeros(AlignedVector<Real>& memory, Index count) {
  memory.assign(count, Real(0));
  return memory.data();
}

/// Memory for one call, handed on to the thread's next call: fresh memory costs a page fault every 4 KiB, a tenth of a
/// call of medium size. What is larger than kMostKept is given back.
template <typename Real>
class CallMemory : public AlignedVector<Real> {
 public:
  CallMemory() {
    if (kept().empty()) return;
    this->swap(kept().back());
    kept().pop_back();
  }
  ~CallMemory() {
    if (this->capacity() * sizeof(Real) > kMostKept || kept().size() == kMostParts) return;
    kept().emplace_back();
    this->swap(kept().back());
  }
  CallMemory(CallMemory&&) = default;
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

 private:
  static constexpr std::size_t kMostKept = std::size_t{8} << 20, kMostParts = 8;
  static std::vector<AlignedVector<Real>>& kept() {
    static thread_local std::vector<AlignedVector<Real>> memory;
    return memory;
  }
};

}  // namespace fovea
