#pragma once
/// Series whose further effects are known, or that have none, for the tests of domains/lag/further.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::further {

inline constexpr Index kSeries = 6, kSteps = 800;

struct KnownSeries {
  datasets::series::SeriesTable table;
  std::vector<methods::Link> links;  ///< linear or bent ones, as if they had been found
  std::vector<methods::Link> effects;
};

/// Draws one step after another of several series.
class SeriesMaker {
 public:
  SeriesMaker(Index series, Index steps, const Random& random)
      : shocks_(random.stream("shock")), chances_(random.stream("chance")) {
    for (Index i = 0; i < series; ++i) made.table.names.push_back("V" + std::to_string(i));
    made.table.values = Matrix<double>::Zero(steps, series);
  }
  double normal(Index series, Index t) const { return shocks_.normal(of(series), of(t)); }
  double uniform(Index series, Index t) const { return chances_.uniform(of(series), of(t)); }
  /// Student's with two degrees of freedom.
  double student2(Index series, Index t) const {
    return normal(series, t) / std::sqrt(-std::log(1 - uniform(series, t)));
  }
  /// Cells (t, series) in the order of time; x(t, i) is what was made before.
  void each(const std::function<double(Index t, Index i)>& value) {
    for (Index t = 0; t < made.table.steps(); ++t)
      for (Index i = 0; i < made.table.series(); ++i) made.table.values(t, i) = value(t, i);
  }
  double past(Index t, Index i, Index lag) const { return t < lag ? 0.0 : made.table.values(t - lag, i); }
  void knows(Index cause, Index effect, Index lag) {
    made.links.push_back({.cause = cause, .effect = effect, .lag = lag, .p_value = 1e-9, .counts = true});
  }

  KnownSeries made;

 private:
  static std::uint64_t of(Index number) { return static_cast<std::uint64_t>(number); }
  Random shocks_, chances_;
};

/// With one further effect on series 2: "sign_flip" and "slow_sign" (of series 0, 1 step before), "product" (of series
/// 0, 1 step, and 1, 2 steps before), "variance" (of series 0, 1 step before). memory: of every series, one step.
inline KnownSeries series_with(const std::string& effect, Index series, Index steps, double size, double memory,
                               const Random& random) {
  SeriesMaker make(series, steps, random);
  const double pi = std::acos(-1.0), shock = std::sqrt(1 - memory * memory);
  make.each([&](Index t, Index i) {
    double level = memory * make.past(t, i, 1), spread = shock;
    const double x = make.past(t, 0, 1), z = make.past(t, 1, 2),
                 now = static_cast<double>(t) / static_cast<double>(steps);
    if (i == 2 && effect == "sign_flip") level += size * x * (now < 0.5 ? 1 : -1);
    if (i == 2 && effect == "slow_sign") level += size * x * std::sin(4 * pi * now);
    if (i == 2 && effect == "turning") level += size * std::sin(5 * x);
    if (i == 2 && effect == "product") level += size * x * z;
    if (i == 2 && effect == "variance") spread *= std::exp(0.5 * size * x);
    return level + spread * make.normal(i, t);
  });
  methods::Link link{.cause = 0, .effect = 2, .lag = 1};
  if (effect == "product") link.with = 1, link.with_lag = 2;
  link.kind = effect == "turning"    ? methods::EffectKind::steady
              : effect == "product"  ? methods::EffectKind::product
              : effect == "variance" ? methods::EffectKind::variance
                                     : methods::EffectKind::changing;
  make.made.effects = {link};
  return make.made;
}

/// Draws a cell; empty for a kind that is not known.
using Cell = std::function<double(Index t, Index i)>;

/// Shocks of many kinds, and memory of many kinds.
inline Cell cell_of_shocks(const std::string& kind, const SeriesMaker& make) {
  if (kind == "normal") return [&](Index t, Index i) { return 0.5 * make.past(t, i, 1) + make.normal(i, t); };
  if (kind == "cauchy") return [&](Index t, Index i) { return make.normal(i, t) / std::abs(make.normal(i + 500, t)); };
  if (kind == "student2") return [&](Index t, Index i) { return 0.5 * make.past(t, i, 1) + make.student2(i, t); };
  if (kind == "skewed")
    return [&](Index t, Index i) { return 0.5 * make.past(t, i, 1) - std::log(1 - make.uniform(i, t)); };
  if (kind == "rain")
    return
        [&](Index t, Index i) { return make.uniform(i, t) < 0.9 ? 0.0 : -5 * std::log(1 - make.uniform(i + 500, t)); };
  if (kind == "rare") return [&](Index t, Index i) { return make.uniform(i, t) < 0.02 ? 1.0 : 0.0; };
  if (kind == "poisson")
    return [&](Index t, Index i) {
      double u = make.uniform(i, t), p = std::exp(-0.1), count = 0;
      while (u > p) u -= p, ++count, p *= 0.1 / count;
      return count;
    };
  if (kind == "held")
    return [&](Index t, Index i) {
      return t % 4 != 0 ? make.past(t, i, 1) : 0.5 * make.past(t, i, 1) + make.normal(i, t);
    };
  if (kind == "walk") return [&](Index t, Index i) { return make.past(t, i, 1) + make.normal(i, t); };
  return {};
}

/// A common factor of the sizes, with memory.
class Volatility {
 public:
  explicit Volatility(const SeriesMaker& make, double size) : make_(make), size_(size) {}
  double at(Index t) {
    if (t != last_) log_ = 0.9 * log_ + size_ * make_.normal(1000, t);
    last_ = t;
    return std::exp(log_);
  }

 private:
  const SeriesMaker& make_;
  double size_, log_ = 0;
  Index last_ = -1;
};

/// Sizes that change in time, each by itself or together.
inline Cell cell_of_sizes(const std::string& kind, const SeriesMaker& make) {
  const double all = static_cast<double>(make.made.table.steps());
  const auto with = [&make](auto size) -> Cell {
    return
        [&make, size](Index t, Index i) mutable { return 0.3 * make.past(t, i, 1) + size(t, i) * make.normal(i, t); };
  };
  Volatility common(make, 0.4);
  if (kind == "common_volatility") return with([=](Index t, Index) mutable { return common.at(t); });
  if (kind == "volatile_pair") return with([=](Index t, Index i) mutable { return i < 2 ? common.at(t) : 1.0; });
  if (kind == "growing_variance")
    return with([=](Index t, Index) { return 2 * static_cast<double>(t) < all ? 1.0 : std::sqrt(5.0); });
  if (kind == "season_of_sizes")
    return with([](Index t, Index i) {
      return std::exp(0.8 * std::sin(std::acos(-1.0) * static_cast<double>(t) / 12 + static_cast<double>(i)));
    });
  std::vector<double> variances(make.made.table.series(), 1.0);
  if (kind == "garch")
    return with([&make, variances](Index t, Index i) mutable {
      double& variance = variances[i];
      variance = 0.05 + 0.85 * variance + 0.1 * std::pow(make.past(t, i, 1), 2);
      return std::sqrt(variance);
    });
  if (kind == "common_garch")
    return with([&make, variances](Index t, Index i) mutable {
      double& variance = variances.front();
      if (i == 0) variance = 0.05 + 0.85 * variance + 0.1 * variance * std::pow(make.normal(1000, t), 2);
      return std::sqrt(variance);
    });
  if (kind == "skewed_volatility")
    return [common, &make](Index t, Index i) mutable {
      return common.at(t) * (std::exp(0.8 * make.normal(i, t)) - std::exp(0.32));
    };
  return {};
}

/// Courses that the series share.
inline Cell cell_of_courses(const std::string& kind, const SeriesMaker& make) {
  const double all = static_cast<double>(make.made.table.steps()), pi = std::acos(-1.0);
  const auto plus = [&make](auto course) -> Cell {
    return [&make, course](Index t, Index i) mutable {
      return 0.3 * make.past(t, i, 1) + make.normal(i, t) + course(static_cast<double>(t), i);
    };
  };
  if (kind == "common_jumps")
    return plus([&make](double at, Index) {
      const auto t = static_cast<Index>(at);
      return make.uniform(1000, t) < 0.01 ? 8 * make.normal(1001, t) : 0.0;
    });
  if (kind == "season")  // that grows and fades, so that constant harmonics leave a part of it
    return plus([=](double t, Index i) {
      return 0.8 * std::sin(2 * pi * t / 24 + static_cast<double>(i)) * std::sin(2 * pi * t / all);
    });
  if (kind == "season_left")  // nothing takes it away
    return plus([=](double t, Index i) { return std::sin(2 * pi * t / 24 + 0.3 * static_cast<double>(i)); });
  if (kind == "trend") return plus([=](double t, Index) { return 3 * std::pow(t / all, 2); });
  if (kind == "shift") return plus([=](double t, Index) { return 7 * t < 3 * all ? 0.0 : 2.0; });
  if (kind == "moving_together")  // within a step, more and more
    return plus([=, &make](double t, Index) { return t / all * make.normal(1000, static_cast<Index>(t)); });
  if (kind == "switching")  // a common level that jumps to and fro
    return plus([&make, level = 0.0](double at, Index i) mutable {
      const auto t = static_cast<Index>(at);
      if (i == 0 && make.uniform(1000, t) < 0.02) level = 3 * make.normal(1000, t);
      return level;
    });
  return {};
}

/// Linear links, of series that may move together within a step, and bent ones: steady, and known.
inline Cell cell_of_links(const std::string& kind, SeriesMaker& make) {
  const Index series = make.made.table.series();
  if (kind == "bent") {
    for (Index i = 1; i < series; ++i) make.knows(i - 1, i, 1 + i % 2);
    return [&make](Index t, Index i) {
      const double own = 0.5 * make.past(t, i, 1) + make.normal(i, t);
      if (i == 0) return own;
      const double x = make.past(t, i - 1, 1 + i % 2);
      return own + (i % 3 == 0 ? std::tanh(x) : i % 3 == 1 ? 0.5 * (x * x - 1) / (1 + 0.1 * x * x) : std::sin(x));
    };
  }
  if (kind != "linear" && kind != "linear_together") return {};
  for (Index i = 0; i < series; ++i) make.knows(i, i, 1);
  for (Index i = 1; i < series; ++i) make.knows(i - 1, i, 1 + i % 3);
  for (Index i = 3; i < series; ++i) make.knows(i - 2, i, 2);
  return [&make, together = kind == "linear_together" ? 0.7 : 0](Index t, Index i) {
    const double own = 0.6 * make.past(t, i, 1) + make.normal(i, t) + together * make.normal(1000, t);
    if (i == 0) return own;
    return own + 0.4 * make.past(t, i - 1, 1 + i % 3) - (i > 2 ? 0.3 * make.past(t, i - 2, 2) : 0.0);
  };
}

/// Without further effects; the kinds that nulls() names.
inline KnownSeries series_without(const std::string& kind, Index series, Index steps, const Random& random) {
  SeriesMaker make(series, steps, random);
  Cell cell = cell_of_shocks(kind, make);
  if (!cell) cell = cell_of_sizes(kind, make);
  if (!cell) cell = cell_of_courses(kind, make);
  if (!cell) cell = cell_of_links(kind, make);
  make.each(cell);
  return make.made;
}

inline std::vector<std::string> nulls() {
  return {"normal",
          "common_volatility",
          "common_garch",
          "growing_variance",
          "cauchy",
          "rain",
          "rare",
          "poisson",
          "held",
          "student2",
          "walk",
          "garch",
          "common_jumps",
          "season",
          "trend",
          "shift",
          "linear",
          "linear_together",
          "bent",
          "skewed",
          "skewed_volatility",
          "season_left",
          "season_of_sizes",
          "volatile_pair",
          "moving_together",
          "switching"};
}

}  // namespace fovea::lag::further
