/// Columns that follow from others in every row: equal but for unit and origin, sums and other linear combinations.
///
/// A relation holds where it leaves no more than rounding does: in every row |y - a - sum b_j x_j| <= (d_y + sum |b_j|
/// d_j) / 2, where d is one of the last printed digit of a value (found from all of a column: the most decimals and
/// the most significant digits that its values need). It counts where that bound is far below y's spread, so that
/// coarse columns are not taken for others, and where there are many more rows than terms. Pairs are compared first, in
/// the rows known in both; then each column of which those before it leave little, by least squares in the rows without
/// a missing cell.

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/datasets/series/findings.hpp"
#include "fovea/datasets/series/rows.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

constexpr Index kMostCompared = 1000;  // columns in pairs: half a million, each refused after a few rows
constexpr Index kMostSummed = 400;     // columns in sums: some 10^9 operations
constexpr Index kRowsSearched = 2000;  // evenly spread; what is found there is tested in all
constexpr double kFarBelow = 0.25;     // of y's standard deviation: the bound of what counts as rounding
constexpr double kExact = 1e-12;       // of the largest term: what sums of doubles lose

using Column = Eigen::VectorXd;

/// The last printed digit of values of a column.
class Rounding {
 public:
  explicit Rounding(const Eigen::Ref<const Column, 0, Eigen::InnerStride<>>& values) {
    const Index stride = std::max<Index>(1, values.size() / kRowsSearched);
    for (Index i = 0; i < values.size(); i += stride) {
      if (std::isnan(values(i)) || values(i) == 0) continue;
      std::array<char, 40> text{};
      const char* const end =
          std::to_chars(text.data(), text.data() + text.size(), std::fabs(values(i)), std::chars_format::scientific)
              .ptr;
      const char* const e = std::find(static_cast<const char*>(text.data()), end, 'e');
      const int length = static_cast<int>(e - text.data());
      const int digits = length > 1 ? length - 1 : 1, exponent = std::atoi(e + 1);
      significant_ = std::max(significant_, digits);
      decimals_ = std::max(decimals_, digits - 1 - exponent);
    }
  }
  double of(double value) const {
    if (value == 0) return std::pow(10.0, -decimals_);
    const double first = std::floor(std::log10(std::fabs(value)));
    return std::max(std::pow(10.0, -decimals_), std::pow(10.0, first + 1 - std::min(significant_, 15)));
  }

 private:
  int significant_ = 1, decimals_ = -300;
};

struct Prepared {
  Eigen::Ref<const Column, 0, Eigen::InnerStride<>> values;
  Rounding rounding;
  double deviation = 0;  ///< standard deviation of what is known
  Index known = 0, least = 0, largest = 0;
  Prepared(const Matrix<double>& table, Index c) : values(table.col(c)), rounding(values) {
    double mean = 0, squares = 0;
    for (Index t = 0; t < values.size(); ++t) {
      if (std::isnan(values(t))) continue;
      const double change = values(t) - mean;
      mean += change / static_cast<double>(++known);
      squares += change * (values(t) - mean);
      if (!(values(least) <= values(t))) least = t;
      if (!(values(largest) >= values(t))) largest = t;
    }
    deviation = std::sqrt(squares / static_cast<double>(std::max<Index>(known, 1)));
  }
};

/// y = origin + sum of factors x
struct Relation {
  Index y = 0;
  std::vector<Index> of;
  std::vector<double> factors;
  double origin = 0, rounding = 0;  ///< how far rounding can move the origin
};

/// Whether the relation holds in every row that is known, but for rounding; sets its origin to the middle of what is
/// left. slack: times the bound, for factors that were estimated.
bool holds(Relation& relation, const std::vector<Prepared>& columns, double slack) {
  const auto& y = columns[relation.y].values;
  double low = HUGE_VAL, high = -low, size = 0, bound = 0;
  Index rows = 0;
  for (Index t = 0; t < y.size(); ++t) {
    double rest = y(t), rounding = columns[relation.y].rounding.of(y(t));
    for (std::size_t j = 0; j < relation.of.size(); ++j) {
      const double x = columns[relation.of[j]].values(t);
      rest -= relation.factors[j] * x;
      rounding += std::fabs(relation.factors[j]) * (std::isnan(x) ? 0 : columns[relation.of[j]].rounding.of(x));
      if (!std::isnan(x)) size = std::max(size, std::fabs(relation.factors[j] * x));
    }
    if (std::isnan(rest)) continue;
    ++rows;
    low = std::min(low, rest);
    high = std::max(high, rest);
    bound = std::max(bound, rounding);
    if (high - low > slack * bound + kExact * size) return false;
  }
  relation.origin = 0.5 * (low + high);
  relation.rounding = bound + kExact * size;
  const bool is_exact = high - low <= kExact * size && size * kExact < kFarBelow * columns[relation.y].deviation;
  constexpr Index kFewestShared = 10;
  return rows >= kFewestShared && 2 * rows >= columns[relation.y].known &&
         (is_exact || bound <= kFarBelow * columns[relation.y].deviation);
}

/// y by one other column, through the rows where that is least and largest.
std::optional<Relation> by_one(Index y, Index x, const std::vector<Prepared>& columns) {
  const auto &ys = columns[y].values, &xs = columns[x].values;
  Index low = columns[x].least, high = columns[x].largest;
  const bool hidden = std::isnan(ys(low)) || std::isnan(ys(high));
  for (Index t = 0; t < ys.size() && hidden; ++t) {
    if (std::isnan(ys(t)) || std::isnan(xs(t))) continue;
    if (std::isnan(ys(low)) || xs(t) < xs(low)) low = t;
    if (std::isnan(ys(high)) || xs(t) > xs(high)) high = t;
  }
  const double range = xs(high) - xs(low), factor = (ys(high) - ys(low)) / range;
  if (!std::isfinite(factor) || factor == 0) return std::nullopt;
  const auto digit = [&](Index t) {
    return columns[y].rounding.of(ys(t)) + std::fabs(factor) * columns[x].rounding.of(xs(t));
  };
  if (Relation rough{y, {x}, {factor}, 0}; !holds(rough, columns, 3)) return std::nullopt;
  // The factor with fewest digits that the rounding leaves open: 10 rather than 10.0003.
  for (int digits = 1; digits < 16; ++digits) {
    Relation relation{y, {x}, {std::stod(plain_text(factor, digits))}, 0};
    if (std::fabs(relation.factors[0] - factor) <= std::max(digit(low), digit(high)) / range &&
        holds(relation, columns, 1.01))
      return relation;
  }
  return std::nullopt;
}

/// "the same", "10 'litres'", "32 + 1.8 'celsius'".
std::string text_of(const Relation& relation, const std::string& x) {
  const double factor = relation.factors[0];
  const bool has_origin = std::fabs(relation.origin) > relation.rounding;
  if (factor == 1 && !has_origin) return "the same";
  const std::string times = std::fabs(factor) == 1 ? x : concat(plain_text(std::fabs(factor), 6), ' ', x);
  if (!has_origin) return factor < 0 ? "-" + times : times;
  return concat(plain_text(relation.origin, 6), factor < 0 ? " - " : " + ", times);
}

/// Of columns that are the same the one with most values stays, the first of these.
void drop_same(const std::vector<Prepared>& columns, SeriesFile& file, std::vector<bool>& kept) {
  if (std::ssize(columns) > kMostCompared) return;
  const auto name = [&](Index c) { return datasets::text::quoted(file.table.names[c]); };
  std::vector<Index> order(columns.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return columns[a].known > columns[b].known; });
  for (auto x = order.begin(); x != order.end(); ++x) {
    std::vector<std::string> same;
    for (auto y = x + 1; y != order.end() && kept[*x]; ++y) {
      const auto relation = kept[*y] ? by_one(*y, *x, columns) : std::nullopt;
      if (!relation) continue;
      kept[*y] = false;
      same.push_back(concat(name(*y), " (", text_of(*relation, name(*x)), ')'));
    }
    file.say(SameColumns{std::ssize(same), datasets::text::listed(same), name(*x)});
  }
}

/// Rows without a missing cell in the columns that are kept: all of them, or as many as are searched.
Matrix<double> whole_rows(const std::vector<Prepared>& columns, const std::vector<Index>& places) {
  std::vector<Index> rows;
  for (Index t = 0; t < columns[0].values.size(); ++t)
    if (std::none_of(places.begin(), places.end(), [&](Index c) { return std::isnan(columns[c].values(t)); }))
      rows.push_back(t);
  const Index stride = std::ssize(rows) / kRowsSearched + 1;
  Matrix<double> values((std::ssize(rows) + stride - 1) / stride, std::ssize(places));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) values(i, j) = columns[places[j]].values(rows[i * stride]);
  return values;
}

/// Puts a total, where there is one, on the left; whether that makes it a sum, or all a constant.
bool turn_to_total(Relation& relation) {
  const auto total = std::find(relation.factors.begin(), relation.factors.end(), 1.0);
  const auto negative = std::count(relation.factors.begin(), relation.factors.end(), -1.0);
  if (negative + 1 == std::ssize(relation.factors) && negative > 0) {
    std::swap(relation.y, relation.of[total - relation.factors.begin()]);
    std::fill(relation.factors.begin(), relation.factors.end(), 1.0);
    relation.origin *= -1;
  }
  const auto positive = std::count(relation.factors.begin(), relation.factors.end(), 1.0);
  return negative == std::ssize(relation.factors) ||
         (positive == std::ssize(relation.factors) && std::fabs(relation.origin) <= relation.rounding);
}

/// A column by those before it that matter.
std::optional<Relation> without_idle(const std::vector<Prepared>& columns, const std::vector<Index>& places, Index c,
                                     const Column& factors, const Eigen::MatrixXd& centred) {
  std::vector<Index> used;
  Relation combination{places[c], {}, {}, 0};
  for (Index j = 0; j < c; ++j)
    if (std::fabs(factors(j)) * columns[places[j]].deviation > 0.02 * columns[places[c]].deviation)
      used.push_back(j), combination.of.push_back(places[j]);
  if (used.size() < 2) return std::nullopt;
  const Eigen::MatrixXd some = centred(Eigen::all, used);
  const Column fitted = some.colPivHouseholderQr().solve(centred.col(c));
  combination.factors.assign(fitted.begin(), fitted.end());
  return holds(combination, columns, 1.2) ? std::optional(combination) : std::nullopt;
}

/// The first column that ones before it give.
std::optional<Relation> first_sum(const std::vector<Prepared>& columns, const std::vector<Index>& places) {
  constexpr double kMostLeft = 0.05;  // of a column's variance: its standard deviation is then 4 times the rest's
  const Eigen::MatrixXd values = whole_rows(columns, places);
  const Index p = values.cols();
  if (values.rows() < 3 * p + 20) return std::nullopt;  // fewer rows are fitted by chance
  const Eigen::MatrixXd centred = values.rowwise() - values.colwise().mean();
  const Matrix<double> products = centred.transpose() * centred;
  ConditioningSet before(products);
  for (Index c = 0; c < p; before.join(c++)) {
    const double left = before.project(c).left;
    if (c < 2 || left > kMostLeft * products(c, c)) continue;
    const Column factors = Eigen::MatrixXd(products.topLeftCorner(c, c)).ldlt().solve(products.col(c).head(c));
    double rounding = std::pow(columns[places[c]].rounding.of(values(0, c)), 2);
    for (Index j = 0; j < c; ++j)
      rounding += std::pow(factors(j) * columns[places[j]].rounding.of(values.col(j).cwiseAbs().maxCoeff()), 2);
    if (left > static_cast<double>(values.rows()) * rounding + 1e-12 * products(c, c)) continue;
    Relation sum{places[c], {}, {}, 0};
    for (Index j = 0; j < c; ++j)
      if (const double whole = std::round(factors(j)); std::fabs(whole) == 1)
        sum.of.push_back(places[j]), sum.factors.push_back(whole);
    if (sum.of.size() > 1 && holds(sum, columns, 1.01) && turn_to_total(sum)) return sum;
    if (auto combination = without_idle(columns, places, c, factors, centred)) return combination;
  }
  return std::nullopt;
}

SummingColumns finding_of_sum(const Relation& relation, const std::vector<std::string>& names) {
  const auto all = [&](double factor) {
    return std::count(relation.factors.begin(), relation.factors.end(), factor) == std::ssize(relation.factors);
  };
  const bool to_constant = all(-1);
  std::vector<Index> order = relation.of;
  if (to_constant) order.push_back(relation.y);
  std::sort(order.begin(), order.end());
  std::vector<std::string> of;
  for (const Index c : order) of.push_back(names[c]);
  const std::string y = datasets::text::quoted(names[relation.y]);
  if (!to_constant)
    return {concat(y, all(1) ? " is the sum of " : " is a linear combination of ", listed(of)), y, false};
  const double whole = std::round(relation.origin) + 0.0;  // no -0
  const bool is_whole = std::fabs(relation.origin - whole) <= std::max(relation.rounding, 0.02 * std::fabs(whole));
  return {concat(listed(of), " sum to ", plain_text(is_whole ? whole : relation.origin, 6)), y, true};
}

}  // namespace

void drop_dependent(SeriesFile& file) {
  SeriesTable& table = file.table;
  const Index p = table.series();
  if (p < 2) return;
  std::vector<Prepared> columns;
  for (Index s = 0; s < p; ++s) columns.emplace_back(table.values, s);
  std::vector<bool> kept(p, true), closed(p, false);
  drop_same(columns, file, kept);
  const auto places = [&] {
    std::vector<Index> all;
    for (Index s = 0; s < p; ++s)
      if (kept[s]) all.push_back(s);
    return all;
  };
  while (std::ssize(places()) > 2 && std::ssize(places()) <= kMostSummed) {
    const auto relation = first_sum(columns, places());
    if (!relation) break;
    const SummingColumns finding = finding_of_sum(*relation, table.names);
    if (finding.to_constant)
      for (const Index c : relation->of) closed[c] = true;
    file.say(finding);
    kept[relation->y] = false;
  }
  const std::vector<Index> left = places();
  if (std::ssize(left) == p) return;
  std::vector<std::string> names;
  std::vector<Index> increments, parts;
  for (Index to = 0; to < std::ssize(left); ++to) {
    names.push_back(table.names[left[to]]);
    if (std::find(table.increments.begin(), table.increments.end(), left[to]) != table.increments.end())
      increments.push_back(to);
    if (closed[left[to]]) parts.push_back(to);
  }
  Matrix<double> values = table.values(Eigen::all, left);
  table.values = std::move(values);
  table.names = std::move(names);
  table.increments = std::move(increments);
  table.parts = std::move(parts);
}

}  // namespace fovea::datasets::series
