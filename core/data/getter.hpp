#pragma once
/// What a getter gives of a row, and as what a column keeps it. A getter is a data member, a member function, or a
/// callable of the row or of (row, its number from 0).

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "fovea/core/base/missing.hpp"

namespace fovea {

template <typename Get, typename Row>
decltype(auto) gotten(Get& get, const Row& row, std::size_t place) {
  if constexpr (std::is_invocable_v<Get&, const Row&, std::size_t>)
    return std::invoke(get, row, place);
  else
    return std::invoke(get, row);
}

/// Of any arithmetic type: true is 1. Of an optional one: nothing is NaN.
inline constexpr auto as_double = [](const auto& value) -> double {
  if constexpr (requires { value.has_value(); })
    return value.has_value() ? static_cast<double>(*value) : kNan;
  else
    return static_cast<double>(value);
};
inline constexpr auto as_integer = [](const auto& value) { return static_cast<std::int64_t>(value); };
inline constexpr auto as_text = [](const auto& value) { return std::string(value); };

/// A point and its interval, for a getter that has to make one.
struct ValueInterval {
  double value = kNan, low = kNan, high = kNan;
};

/// The value of an interval, or its estimate.
template <typename Interval>
double point_of(const Interval& one) {
  if constexpr (requires { one.value; })
    return one.value;
  else
    return one.estimate;
}

}  // namespace fovea
