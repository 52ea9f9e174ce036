#include "fovea/core/linear/lagged_gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/instruction_set.hpp"

namespace fovea {

namespace {

using Stretches = std::vector<std::pair<Index, Index>>;

constexpr Index kPanel = 8;     // series side by side
constexpr Index kTileRows = 4;  // with a panel: 32 sums stay in registers
constexpr Index kChunk = 256;   // steps summed before they join the total: rounding grows with the square root less
constexpr double kLargest = 1e150;
constexpr Index kWorthThreads = 500000;  // steps of a loop: less than what waking threads takes

/// Series about their means, panel by panel: entry (t, i) is at panel i / 8, step t, place i % 8.
class Panels {
 public:
  template <typename Values>
  explicit Panels(const Values& values)
      : steps_(values.rows()),
        panels_((values.cols() + kPanel - 1) / kPanel),
        numbers_(steps_ * panels_ * kPanel, 0.0),
        shifts_(values.cols()) {
#pragma omp parallel for schedule(static) if (values.size() > kWorthThreads)
    for (Index i = 0; i < values.cols(); ++i) keep(values, i);
  }
  Index panels() const { return panels_; }
  const double* at(Index panel, Index step) const { return numbers_.data() + (panel * steps_ + step) * kPanel; }
  double shift(Index series) const { return shifts_[series]; }

 private:
  /// Without its mean a series far from 0 keeps its digits. One of equal values becomes exactly 0.
  template <typename Values>
  void keep(const Values& values, Index i) {
    double sum = 0, low = kLargest, high = -kLargest;
    Index known = 0;
    for (Index t = 0; t < steps_; ++t) {
      const double x = values(t, i);
      if (std::isnan(x)) continue;
      ++known;
      sum += x;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    shifts_[i] = low == high ? low : known > 0 ? sum / static_cast<double>(known) : 0.0;
    double* to = numbers_.data() + (i / kPanel) * steps_ * kPanel + i % kPanel;
    for (Index t = 0; t < steps_; ++t, to += kPanel)
      if (!std::isnan(values(t, i))) *to = values(t, i) - shifts_[i];
  }

  Index steps_, panels_;
  std::vector<double> numbers_;
  Vector<double> shifts_;
};

/// sums(i, j) += sum_t a(t, i) b(t, j) for 4 x 8 series; both advance by a panel's width a step.
__attribute__((always_inline)) inline void add_tile(const double* a, const double* b, Index count, double* sums) {
  for (Index from = 0; from < count; from += kChunk) {
    const Index to = std::min(count, from + kChunk);
    double part[kTileRows][kPanel] = {};
    for (Index t = from; t < to; ++t)
      for (Index i = 0; i < kTileRows; ++i)
        for (Index j = 0; j < kPanel; ++j) part[i][j] += a[t * kPanel + i] * b[t * kPanel + j];
    for (Index i = 0; i < kTileRows; ++i)
      for (Index j = 0; j < kPanel; ++j) sums[i * kPanel + j] += part[i][j];
  }
}

void add_tile_baseline(const double* a, const double* b, Index count, double* sums) { add_tile(a, b, count, sums); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void add_tile_avx2(const double* a, const double* b, Index count, double* sums) {
  add_tile(a, b, count, sums);  // no fused multiply-add: the bits of the baseline, twice as fast
}
__attribute__((target("avx512f,prefer-vector-width=512"))) void add_tile_avx512(const double* a, const double* b,
                                                                                Index count, double* sums) {
  add_tile(a, b, count, sums);
}
#else
constexpr auto add_tile_avx2 = add_tile_baseline, add_tile_avx512 = add_tile_baseline;
#endif

using AddTile = void (*)(const double*, const double*, Index, double*);

AddTile best_add_tile() {
  if (instruction_set() == InstructionSet::avx512) return add_tile_avx512;
  return instruction_set() == InstructionSet::portable ? add_tile_baseline : add_tile_avx2;
}

/// Sums of products of one panel of series at t - a with all series at t - a - d, for growing a.
class DiagonalSums {
 public:
  DiagonalSums(const Panels& panels, const Stretches& stretches, Index rows, Index panel, Index difference)
      : panels_(panels),
        stretches_(stretches),
        rows_(rows),
        panel_(panel),
        difference_(difference),
        sums_(kPanel * panels.panels() * kPanel) {}

  void move_to(Index lag) {
    const Index border = 2 * static_cast<Index>(stretches_.size()) * (lag - lag_);
    if (lag_ < 0 || border >= rows_) {
      sum_anew(lag);
    } else {
      for (Index a = lag_ + 1; a <= lag; ++a)
        for (const auto& [begin, end] : stretches_) {
          add_step(begin - a, 1.0);
          add_step(end - a, -1.0);
        }
    }
    lag_ = lag;
  }

  double operator()(Index i, Index series) const {
    return sums_[((series / kPanel) * kPanel + i) * kPanel + series % kPanel];
  }

 private:
  void sum_anew(Index lag) {
    const AddTile add = best_add_tile();
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (Index other = 0; other < panels_.panels(); ++other)
      for (const auto& [begin, end] : stretches_)
        for (Index i = 0; i < kPanel; i += kTileRows)
          add(panels_.at(panel_, begin - lag) + i, panels_.at(other, begin - lag - difference_), end - begin,
              sums_.data() + (other * kPanel + i) * kPanel);
  }

  void add_step(Index step, double sign) {
    const double* a = panels_.at(panel_, step);
    for (Index other = 0; other < panels_.panels(); ++other) {
      const double* b = panels_.at(other, step - difference_);
      double* sums = sums_.data() + other * kPanel * kPanel;
      for (Index i = 0; i < kPanel; ++i)
        for (Index j = 0; j < kPanel; ++j) sums[i * kPanel + j] += sign * a[i] * b[j];
    }
  }

  const Panels& panels_;
  const Stretches& stretches_;
  Index rows_, panel_, difference_, lag_ = -1;
  std::vector<double> sums_;
};

void check_lags(Index steps, Index series, const std::vector<Index>& lags, const LaggedRows& rows) {
  require(series >= 1, "LaggedGram: there are no series.");
  require(!lags.empty() && lags.front() >= 0 &&
              std::adjacent_find(lags.begin(), lags.end(), std::greater_equal<>()) == lags.end(),
          "LaggedGram: lags must be ascending, each >= 0, and at least one.");
  require(rows.history >= 0, "LaggedGram: history = ", rows.history, ", but must be >= 0.");
  const std::vector<Index>& starts = rows.recording_starts;
  require(!starts.empty() && starts.front() == 0 && starts.back() < std::max<Index>(steps, 1) &&
              std::adjacent_find(starts.begin(), starts.end(), std::greater_equal<>()) == starts.end(),
          "LaggedGram: recordings must start at ascending steps, the first at 0, the last before the end, ", steps,
          ".");
}

/// Whether every series is known at each step. Throws for infinite and huge values.
template <typename Values>
std::vector<char> known_steps(const Values& values) {
  std::vector<char> known(values.rows(), 1);
  for (Index t = 0; t < values.rows(); ++t)
    for (Index i = 0; i < values.cols(); ++i) {
      const double x = values(t, i);
      if (std::isnan(x)) known[t] = 0;
      require(!(std::abs(x) >= kLargest), "LaggedGram: series ", i, " is ", x, " at step ", t,
              ", but must stay below 1e150: scale it.");
    }
  return known;
}

Stretches stretches_of(const std::vector<char>& known, const std::vector<Index>& lags, const LaggedRows& rows) {
  const auto steps = static_cast<Index>(known.size());
  const Index history = std::max(rows.history, lags.back());
  Stretches stretches;
  for (std::size_t r = 0; r < rows.recording_starts.size(); ++r) {
    const Index end = r + 1 < rows.recording_starts.size() ? rows.recording_starts[r + 1] : steps;
    for (Index t = rows.recording_starts[r] + history; t < end; ++t) {
      const bool complete = std::all_of(lags.begin(), lags.end(), [&](Index lag) { return known[t - lag] != 0; });
      if (!complete) continue;
      const bool goes_on = !stretches.empty() && stretches.back().second == t && t > rows.recording_starts[r] + history;
      if (!goes_on) stretches.emplace_back(t, t);
      stretches.back().second = t + 1;
    }
  }
  return stretches;
}

/// Sums over the rows of one panel's series at each lag: the first over all rows, then by what comes in and goes out.
std::vector<std::array<double, kPanel>> sums_at_lags(const Panels& panels, Index panel, const Stretches& stretches,
                                                     Index rows, std::span<const Index> lags) {
  std::vector<std::array<double, kPanel>> all;
  std::array<double, kPanel> sums{};
  const auto add = [&](Index first, Index end, double sign) {
    for (Index t = first; t < end; ++t)
      for (Index i = 0; i < kPanel; ++i) sums[i] += sign * panels.at(panel, t)[i];
  };
  for (Index before = -1; const Index lag : lags) {
    const bool anew = before < 0 || 2 * std::ssize(stretches) * (lag - before) >= rows;
    if (anew) sums.fill(0);
    for (const auto& [begin, end] : stretches)
      if (anew)
        add(begin - lag, end - lag, 1);
      else
        add(begin - lag, begin - before, 1), add(end - lag, end - before, -1);
    all.push_back(sums);
    before = lag;
  }
  return all;
}

/// What is left about the mean is rounding: 1e-12 of the sum of squares is a thousand times its rounding.
constexpr double kConstant = 1e-12;

/// Writes G along the diagonal of lags: rows of one panel of series at the nearer lag.
void write_diagonal(const LaggedGram& gram, const Panels& panels, Index panel, Index difference,
                    const Vector<double>& shifted_means, Matrix<double>& products) {
  const std::span<const Index> lags = gram.lags();
  const Index n = gram.series(), first = panel * kPanel, last = std::min(n, first + kPanel);
  DiagonalSums sums(panels, gram.stretches(), gram.rows(), panel, difference);
  for (std::size_t near = 0; near < lags.size(); ++near) {
    const auto far = std::lower_bound(lags.begin(), lags.end(), lags[near] + difference);
    if (far == lags.end() || *far != lags[near] + difference) continue;
    sums.move_to(lags[near]);
    const Index a = static_cast<Index>(near) * n, b = (far - lags.begin()) * n;
    for (Index i = first; i < last; ++i)
      for (Index j = difference == 0 ? i : 0; j < n; ++j) {  // at one lag a pair belongs to the panel of its first
        const double sum = sums(i - first, j);
        const double about = sum - static_cast<double>(gram.rows()) * (shifted_means[a + i] * shifted_means[b + j]);
        const bool nothing = a + i == b + j && about <= kConstant * sum;
        products(a + i, b + j) = products(b + j, a + i) = nothing ? 0.0 : about;
      }
  }
}

std::vector<Index> differences_of(std::span<const Index> lags) {
  std::vector<Index> differences;
  for (std::size_t a = 0; a < lags.size(); ++a)
    for (std::size_t b = a; b < lags.size(); ++b) differences.push_back(lags[b] - lags[a]);
  std::sort(differences.begin(), differences.end());
  differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
  return differences;
}

}  // namespace

LaggedGram::LaggedGram(const MatrixView<double>& values, std::vector<Index> lags, const LaggedRows& rows) {
  build(values, std::move(lags), rows);
}

LaggedGram LaggedGram::by_column(const Eigen::MatrixXd& values, std::vector<Index> lags, const LaggedRows& rows) {
  LaggedGram gram;
  gram.build(values, std::move(lags), rows);
  return gram;
}

template <typename Values>
void LaggedGram::build(const Values& values, std::vector<Index> lags, const LaggedRows& rows) {
  lags_ = std::move(lags);
  series_ = values.cols();
  check_lags(values.rows(), series_, lags_, rows);
  place_.assign(lags_.back() + 1, -1);
  for (std::size_t k = 0; k < lags_.size(); ++k) place_[lags_[k]] = static_cast<Index>(k);
  stretches_ = stretches_of(known_steps(values), lags_, rows);
  for (const auto& [begin, end] : stretches_) rows_ += end - begin;
  require(rows_ > 0, "LaggedGram: of ", values.rows(), " steps none has all series known at all lags up to ",
          lags_.back(), " within its recording; take shorter lags, or fill the missing values.");

  const Panels panels(values);
  Vector<double> shifted(columns());
  means_.resize(columns());
#pragma omp parallel for schedule(dynamic, 1) if (columns() * rows_ > kWorthThreads)
  for (Index panel = 0; panel < panels.panels(); ++panel) {
    const auto sums = sums_at_lags(panels, panel, stretches_, rows_, lags_);
    for (Index c = 0; c < columns(); ++c)
      if (series_of(c) / kPanel == panel)
        shifted[c] = sums[c / series_][series_of(c) % kPanel] / static_cast<double>(rows_);
  }
  for (Index c = 0; c < columns(); ++c) means_[c] = panels.shift(series_of(c)) + shifted[c];
  products_.resize(columns(), columns());
  const std::vector<Index> differences = differences_of(lags_);
  const Index tasks = static_cast<Index>(differences.size()) * panels.panels();
#pragma omp parallel for schedule(dynamic, 1) if (tasks * rows_ * series_ > kWorthThreads)
  for (Index task = 0; task < tasks; ++task)
    write_diagonal(*this, panels, task % panels.panels(), differences[task / panels.panels()], shifted, products_);
  for (Index c = 0; c < columns(); ++c)
    if (constant(c)) products_.row(c).setZero(), products_.col(c).setZero();
}

Index LaggedGram::column(Index series, Index lag) const {
  const Index place = lag >= 0 && lag < static_cast<Index>(place_.size()) ? place_[lag] : -1;
  require(series >= 0 && series < series_ && place >= 0, "LaggedGram: there is no column of series ", series,
          " at lag ", lag, ".");
  return place * series_ + series;
}

}  // namespace fovea
