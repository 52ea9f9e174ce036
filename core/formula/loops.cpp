/// The loops of formulas, compiled with full optimisation (CMakeLists.txt).

#include "fovea/core/formula/loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea::formula {

namespace {

constexpr double kHighestExponent = 709;  // e^709 is finite
constexpr double kLeastNormal = std::numeric_limits<double>::min();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

template <typename Function>
void each_of(const Operand& a, Index count, double* out, const Function& f) {
  for (Index k = 0; k < count; ++k) out[k] = f(a.data[a.each ? k : 0]);
}

/// One loop for each kind of operands, so that each becomes vectors.
template <typename Function>
void each_pair(const Operand& a, const Operand& b, Index count, double* out, const Function& f) {
  const double *x = a.data, *y = b.data;
  if (a.each && b.each) {
    for (Index k = 0; k < count; ++k) out[k] = f(x[k], y[k]);
  } else if (a.each) {
    const double one = *y;
    for (Index k = 0; k < count; ++k) out[k] = f(x[k], one);
  } else if (b.each) {
    const double one = *x;
    for (Index k = 0; k < count; ++k) out[k] = f(one, y[k]);
  } else {
    std::fill_n(out, count, f(*x, *y));
  }
}

void exponentials(const Operand& a, Index count, double* out) {
  each_of(a, count, out, [](double x) { return x < kHighestExponent || x != x ? x : kHighestExponent; });
  kernels<double>().exponentials(out, count, 0, out);
}

/// tanh to a few last places of 1.
void tangents(const Operand& a, Index count, double* out) {
  std::array<double, kBlock> x;
  each_of(a, count, x.data(), [](double value) { return value; });
  for (Index k = 0; k < count; ++k) out[k] = -2 * std::abs(x[k]);
  kernels<double>().exponentials(out, count, 0, out);
  for (Index k = 0; k < count; ++k) out[k] = std::copysign((1 - out[k]) / (1 + out[k]), x[k]);
}

bool normal_and_positive(const double* x, Index count) {
  Index normal = 0;
  for (Index k = 0; k < count; ++k) normal += x[k] >= kLeastNormal && x[k] < kInfinite ? 1 : 0;
  return normal == count;
}

double any_logarithm(double x) {
  if (x >= kLeastNormal && x < kInfinite) return logarithm(x);
  return std::log(x);  // 0, negative, subnormal, infinite, NaN
}

void logarithms(const Operand& a, Index count, double* out) {
  each_of(a, count, out, [](double x) { return x; });
  if (normal_and_positive(out, count)) return kernels<double>().logarithms(out, count);
  for (Index k = 0; k < count; ++k) out[k] = any_logarithm(out[k]);
}

/// a^b = e^(b log a); a whole b also where a < 0.
double any_power(double a, double b) {
  if (b == 0) return 1;
  const bool whole = std::floor(b) == b && std::abs(b) < 0x1p53;
  if (a > 0 || !whole) {
    if (!(a > 0)) return a == 0 ? (b > 0 ? 0 : kInfinite) : std::numeric_limits<double>::quiet_NaN();
    const double exponent = b * any_logarithm(a);
    return exponent > kHighestExponent ? kInfinite : exponential(exponent);
  }
  if (a == 0) return b > 0 ? 0 : kInfinite;
  const double size = any_power(-a, b);
  return std::floor(b / 2) * 2 == b ? size : -size;
}

void powers(const Operand& a, const Operand& b, Index count, double* out) {
  std::array<double, kBlock> x;
  each_of(a, count, x.data(), [](double value) { return value; });
  if (b.each || !normal_and_positive(x.data(), count)) return each_pair({x.data(), true}, b, count, out, any_power);
  kernels<double>().logarithms(x.data(), count);
  const double exponent = *b.data;
  bool finite = true;
  for (Index k = 0; k < count; ++k) {
    double& entry = x[k];
    entry *= exponent;
    finite = finite && entry <= kHighestExponent;
  }
  if (!finite) return each_pair(a, b, count, out, any_power);
  kernels<double>().exponentials(x.data(), count, 0, out);
}

void choices(const std::array<Operand, 3>& operands, Index count, double* out) {
  std::array<std::array<double, kBlock>, 3> one;
  std::array<const double*, 3> each{};
  for (std::size_t p = 0; p < 3; ++p) {
    each[p] = operands[p].data;
    if (operands[p].each) continue;
    std::fill_n(one[p].data(), count, *operands[p].data);
    each[p] = one[p].data();
  }
  for (Index k = 0; k < count; ++k) out[k] = each[0][k] != 0 ? each[1][k] : each[2][k];
}

bool comparison(Operation operation, const Operand& a, const Operand& b, Index count, double* out) {
  switch (operation) {
    case Operation::less:
      each_pair(a, b, count, out, [](double x, double y) { return x < y ? 1.0 : 0.0; });
      return true;
    case Operation::less_equal:
      each_pair(a, b, count, out, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
      return true;
    case Operation::equal:
      each_pair(a, b, count, out, [](double x, double y) { return x == y ? 1.0 : 0.0; });
      return true;
    case Operation::not_equal:
      each_pair(a, b, count, out, [](double x, double y) { return x != y ? 1.0 : 0.0; });
      return true;
    case Operation::both:
      each_pair(a, b, count, out, [](double x, double y) { return x != 0 && y != 0 ? 1.0 : 0.0; });
      return true;
    case Operation::either:
      each_pair(a, b, count, out, [](double x, double y) { return x != 0 || y != 0 ? 1.0 : 0.0; });
      return true;
    default:
      return false;
  }
}

bool arithmetic(Operation operation, const Operand& a, const Operand& b, Index count, double* out) {
  switch (operation) {
    case Operation::add:
      each_pair(a, b, count, out, [](double x, double y) { return x + y; });
      return true;
    case Operation::subtract:
      each_pair(a, b, count, out, [](double x, double y) { return x - y; });
      return true;
    case Operation::multiply:
      each_pair(a, b, count, out, [](double x, double y) { return x * y; });
      return true;
    case Operation::divide:
      each_pair(a, b, count, out, [](double x, double y) { return x / y; });
      return true;
    case Operation::power:
      powers(a, b, count, out);
      return true;
    case Operation::smaller:  // NaN where either is
      each_pair(a, b, count, out, [](double x, double y) { return x < y || x != x ? x : y; });
      return true;
    case Operation::larger:
      each_pair(a, b, count, out, [](double x, double y) { return x > y || x != x ? x : y; });
      return true;
    default:
      return false;
  }
}

void function(Operation operation, const Operand& a, Index count, double* out) {
  switch (operation) {
    case Operation::absolute:
      return each_of(a, count, out, [](double x) { return std::abs(x); });
    case Operation::arctangent:
      return each_of(a, count, out, [](double x) { return std::atan(x); });
    case Operation::cosine:
      return each_of(a, count, out, [](double x) { return std::cos(x); });
    case Operation::exponential:
      return exponentials(a, count, out);
    case Operation::floor:
      return each_of(a, count, out, [](double x) { return std::floor(x); });
    case Operation::hyperbolic_tangent:
      return tangents(a, count, out);
    case Operation::logarithm:
      return logarithms(a, count, out);
    case Operation::negation:
      return each_of(a, count, out, [](double x) { return x == 0 ? 1.0 : 0.0; });
    case Operation::sign:
      return each_of(a, count, out, [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; });
    case Operation::sine:
      return each_of(a, count, out, [](double x) { return std::sin(x); });
    case Operation::square_root:
      return each_of(a, count, out, [](double x) { return std::sqrt(x); });
    default:  // negative
      return each_of(a, count, out, [](double x) { return -x; });
  }
}

}  // namespace

void apply(Operation operation, const std::array<Operand, 3>& operands, Index count, double* out) {
  if (operation == Operation::choose) return choices(operands, count, out);
  if (arithmetic(operation, operands[0], operands[1], count, out)) return;
  if (comparison(operation, operands[0], operands[1], count, out)) return;
  function(operation, operands[0], count, out);
}

}  // namespace fovea::formula
