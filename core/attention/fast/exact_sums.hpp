#pragma once
/// Sums of doubles without rounding, whatever their order. Internal to core/attention/fast.

#include <bit>
#include <cmath>
#include <cstdint>

namespace fovea::fast {

/// A number, or a sum of numbers, in two whole parts.
struct WholeParts {
  std::int64_t high = 0, low = 0;
  WholeParts& operator+=(const WholeParts& other) {
    high += other.high;
    low += other.low;
    return *this;
  }
};

inline WholeParts operator-(const WholeParts& a, const WholeParts& b) { return {a.high - b.high, a.low - b.low}; }

/// Numbers up to a largest one as whole multiples of 2^-80 of it (or 2^(123 - 2 log2 count) for more than 2^21 of
/// them), in two parts of which `count` add up without overflow.
class FixedPoint {
 public:
  FixedPoint() = default;
  FixedPoint(double largest, std::int64_t count) {
    const int room = 62 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
    high_bits_ = room < 40 ? room : 40;
    low_bits_ = room - 1 < 40 ? room - 1 : 40;
    int exponent = 0;
    std::frexp(largest, &exponent);
    const int shift = high_bits_ - exponent;
    for (int i = 0; i < 2; ++i) {
      up_[i] = std::ldexp(1.0, i == 0 ? shift / 2 : shift - shift / 2);
      down_[i] = 1 / up_[i];
    }
    low_up_ = std::ldexp(1.0, low_bits_);
    low_down_ = 1 / low_up_;
  }
  WholeParts whole(double x) const {
    const double scaled = x * up_[0] * up_[1], rounded = scaled + kRound;
    const double rest = (scaled - (rounded - kRound)) * low_up_ + kRound;
    return {bits(rounded) - bits(kRound), bits(rest) - bits(kRound)};
  }
  /// In units of 2^-high_bits() of the power of 2 above the largest number.
  double approximate(const WholeParts& x) const {
    return static_cast<double>(x.high) + static_cast<double>(x.low) * low_down_;
  }
  /// What so many units are.
  double number(double units) const { return units * down_[0] * down_[1]; }
  int low_bits() const { return low_bits_; }

 private:
  static constexpr double kRound = 0x1.8p52;  // x + kRound ends in the whole number next to x
  static std::int64_t bits(double x) { return std::bit_cast<std::int64_t>(x); }
  int high_bits_ = 40, low_bits_ = 40;
  double up_[2] = {1, 1}, down_[2] = {1, 1};  ///< in two factors, because one may be too large or small for a double
  double low_up_ = 1, low_down_ = 1;
};

}  // namespace fovea::fast
