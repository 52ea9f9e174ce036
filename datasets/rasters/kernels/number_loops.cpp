#include "fovea/datasets/rasters/kernels/number_loops.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::rasters {

namespace {

template <typename Stored>
Stored stored_at(const char* from, std::size_t step, Index i) {
  Stored stored;
  std::memcpy(&stored, from + i * step, sizeof stored);
  return stored;
}

/// Numbers that a float holds exactly are compared as such.
template <typename Stored>
using Compared = std::conditional_t<std::is_same_v<Stored, float> || sizeof(Stored) <= 2, float, double>;

template <typename Stored, typename Number>
void take_plain(const char* from, std::size_t step, Index count, Compared<Stored> missing, Number* to) {
  constexpr Number kNone = std::numeric_limits<Number>::quiet_NaN();
  constexpr auto kInfinite = std::numeric_limits<Compared<Stored>>::infinity();
  for (Index i = 0; i < count; ++i) {
    const auto stored = stored_at<Stored>(from, step, i);
    const auto number = static_cast<Compared<Stored>>(stored);
    const auto size = number < 0 ? -number : number;
    to[i] = (number == missing) | !(size < kInfinite) ? kNone : static_cast<Number>(stored);
  }
}

template <typename Stored, typename Number>
void take(const char* from, std::size_t step, Index count, const Meaning& meaning, Number* to) {
  if (meaning.as_stored) {
    for (Index i = 0; i < count; ++i) to[i] = static_cast<Number>(stored_at<Stored>(from, step, i));
    return;
  }
  // A no-data number is written with as many digits as somebody liked: it is compared as the file could store it.
  const bool never =
      !meaning.missing || (!std::is_floating_point_v<Stored> &&
                           (*meaning.missing != std::floor(*meaning.missing) || !std::isfinite(*meaning.missing)));
  const auto missing =
      never ? std::numeric_limits<Compared<Stored>>::quiet_NaN() : static_cast<Compared<Stored>>(*meaning.missing);
  if (meaning.scale == 1 && meaning.offset == 0) {
    if (step == sizeof(Stored)) return take_plain<Stored>(from, sizeof(Stored), count, missing, to);
    return take_plain<Stored>(from, step, count, missing, to);
  }
  for (Index i = 0; i < count; ++i) {
    const auto stored = stored_at<Stored>(from, step, i);
    const auto number = static_cast<double>(stored);
    to[i] = static_cast<Compared<Stored>>(stored) == missing || !std::isfinite(number)
                ? std::numeric_limits<Number>::quiet_NaN()
                : static_cast<Number>(meaning.scale * number + meaning.offset);
  }
}

template <typename Stored, typename Number>
Stored stored_whole(Number number, const std::optional<double>& missing) {
  double whole = static_cast<double>(number);
  if (std::isnan(whole)) {
    require(missing.has_value(),
            "RasterWriter: a number is NaN, which whole numbers cannot hold; plan a no-data number.");
    whole = *missing;
  }
  require(whole >= static_cast<double>(std::numeric_limits<Stored>::min()) &&
              whole <= static_cast<double>(std::numeric_limits<Stored>::max()) && whole == std::floor(whole),
          "RasterWriter: ", whole, " does not fit the planned numbers; plan wider ones.");
  return static_cast<Stored>(whole);
}

template <typename Stored, typename Number>
void store(const Number* from, Index count, const std::optional<double>& missing, char* to) {
  for (Index i = 0; i < count; ++i) {
    const Number number = from[i];
    Stored stored;
    if constexpr (std::is_floating_point_v<Stored>)  // one NaN, whatever its bits were
      stored = number != number ? std::numeric_limits<Stored>::quiet_NaN() : static_cast<Stored>(number);
    else
      stored = stored_whole<Stored>(number, missing);
    std::memcpy(to + i * sizeof stored, &stored, sizeof stored);
  }
}

template <typename Whole>
void differences(char* row, Index columns) {
  auto* numbers = reinterpret_cast<Whole*>(row);
  for (Index i = columns - 1; i > 0; --i) numbers[i] = static_cast<Whole>(numbers[i] - numbers[i - 1]);
}

template <typename Bits>
void differences_of_bytes(char* row, Index columns, const char* copy) {
  const auto* const numbers = reinterpret_cast<const Bits*>(copy);
  Bits before = 0;  // the last byte of the row so far
  for (int weight = sizeof(Bits) - 1; weight >= 0; --weight, row += columns) {
    const int shift = 8 * weight;
    row[0] = static_cast<char>((numbers[0] >> shift) - before);
    for (Index i = 1; i < columns; ++i) row[i] = static_cast<char>((numbers[i] >> shift) - (numbers[i - 1] >> shift));
    before = numbers[columns - 1] >> shift;
  }
}

}  // namespace

template <typename Number>
void take_numbers(SampleType type, const char* from, std::size_t step, Index count, const Meaning& meaning,
                  Number* to) {
  switch (type) {
    case SampleType::uint8:
      return take<std::uint8_t>(from, step, count, meaning, to);
    case SampleType::int8:
      return take<std::int8_t>(from, step, count, meaning, to);
    case SampleType::uint16:
      return take<std::uint16_t>(from, step, count, meaning, to);
    case SampleType::int16:
      return take<std::int16_t>(from, step, count, meaning, to);
    case SampleType::uint32:
      return take<std::uint32_t>(from, step, count, meaning, to);
    case SampleType::int32:
      return take<std::int32_t>(from, step, count, meaning, to);
    case SampleType::float32:
      return take<float>(from, step, count, meaning, to);
    case SampleType::float64:
      return take<double>(from, step, count, meaning, to);
  }
}

template void take_numbers(SampleType, const char*, std::size_t, Index, const Meaning&, float*);
template void take_numbers(SampleType, const char*, std::size_t, Index, const Meaning&, double*);

template <typename Number>
void store_numbers(SampleType type, const Number* from, Index count, const std::optional<double>& missing, char* to) {
  switch (type) {
    case SampleType::uint8:
      return store<std::uint8_t>(from, count, missing, to);
    case SampleType::int8:
      return store<std::int8_t>(from, count, missing, to);
    case SampleType::uint16:
      return store<std::uint16_t>(from, count, missing, to);
    case SampleType::int16:
      return store<std::int16_t>(from, count, missing, to);
    case SampleType::uint32:
      return store<std::uint32_t>(from, count, missing, to);
    case SampleType::int32:
      return store<std::int32_t>(from, count, missing, to);
    case SampleType::float32:
      return store<float>(from, count, missing, to);
    case SampleType::float64:
      return store<double>(from, count, missing, to);
  }
}

template void store_numbers(SampleType, const float*, Index, const std::optional<double>&, char*);
template void store_numbers(SampleType, const double*, Index, const std::optional<double>&, char*);
template void store_numbers(SampleType, const std::int32_t*, Index, const std::optional<double>&, char*);

void mark_pixels(const float* __restrict__ band, Index count, const Possible& possible,
                 std::uint8_t* __restrict__ valid, std::uint8_t* __restrict__ dark) {
  const auto [low, high, least_dark] = possible;
  for (Index i = 0; i < count; ++i) {
    valid[i] &= static_cast<std::uint8_t>((band[i] >= low) & (band[i] <= high));
    dark[i] &= static_cast<std::uint8_t>((band[i] >= least_dark) & (band[i] <= 0.F));
  }
}

void take_differences(char* row, Index columns, std::size_t each) {
  if (each == 2) return differences<std::uint16_t>(row, columns);
  if (each == 4) differences<std::uint32_t>(row, columns);
}

void take_differences_of_reals(char* row, Index columns, std::size_t each, std::vector<char>& copy) {
  copy.assign(row, row + columns * each);
  if (each == 4)
    differences_of_bytes<std::uint32_t>(row, columns, copy.data());
  else
    differences_of_bytes<std::uint64_t>(row, columns, copy.data());
}

}  // namespace fovea::datasets::rasters
