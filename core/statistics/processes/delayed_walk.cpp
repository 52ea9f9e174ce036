#include "fovea/core/statistics/processes/delayed_walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/processes/walk_integral.hpp"

namespace fovea {

namespace {

constexpr std::size_t kMostColumns = 5;  // the values, and a mean and a slope for each curve
using InnovationColumns = std::array<double, kMostColumns>;

void check_samples(const Samples& samples, const char* which) {
  require(samples.time.size() == samples.value.size() && samples.time.size() == samples.variance.size(),
          "delayed walk: the ", which, " has ", samples.time.size(), " times, ", samples.value.size(), " values and ",
          samples.variance.size(), " variances; there must be as many of each.");
  require(std::is_sorted(samples.time.begin(), samples.time.end()), "delayed walk: the times of the ", which,
          " must ascend; sort them.");
}

/// Regression on the columns while innovations come in: what is needed of X' C^-1 X, X' C^-1 y, y' C^-1 y and log |C|.
struct GeneralLeastSquares {
  std::size_t columns = 1;
  std::array<InnovationColumns, kMostColumns> products{};
  double log_determinant = 0;
  std::size_t count = 0;

  void add(const InnovationColumns& innovation, double variance) {
    const double weight = 1 / variance;
    for (std::size_t a = 0; a < columns; ++a)
      for (std::size_t b = a; b < columns; ++b) products[a][b] += innovation[a] * innovation[b] * weight;
    log_determinant += logarithm(variance);
    ++count;
  }

  /// By elimination of the nuisance columns, the last first; the values are column 0.
  double log_likelihood() {
    double log_nuisance = 0;
    for (std::size_t c = columns; c-- > 1;) {
      const double pivot = products[c][c];
      if (!(pivot > 0)) return -std::numeric_limits<double>::infinity();
      log_nuisance += logarithm(pivot);
      for (std::size_t a = 0; a < c; ++a)
        for (std::size_t b = a; b < c; ++b) products[a][b] -= products[a][c] * products[b][c] / pivot;
    }
    const double degrees = static_cast<double>(count) - static_cast<double>(columns - 1);
    return -0.5 * (degrees * logarithm(2 * std::numbers::pi) + log_determinant + log_nuisance + products[0][0]);
  }
};

/// The walk s and its exponential mean z, in units of the walk's standard deviation: a Markov process whose covariance
/// P moves by P' = P0 + F (P - P0) F', with P0 that of all time, F = ((a, 0), (c, b)).
struct ExponentialEcho {
  double tau, theta, common, ss = 1, sz, zz;
  InnovationColumns mean_s{}, mean_z{};
  GeneralLeastSquares squares;

  ExponentialEcho(double damping_time, double reach, std::size_t columns)
      : tau(damping_time), theta(reach), common(tau / (tau + theta)), sz(common), zz(common) {
    squares.columns = columns;
  }

  void move(double distance) {
    if (distance <= 0) return;
    const double a = exponential(-distance / tau), b = exponential(-distance / theta);
    const bool equal = std::abs(tau - theta) < 1e-6 * tau;
    const double c = equal ? distance / tau * a : (a - b) * tau / (tau - theta);
    const double new_ss = ss - 1, new_sz = sz - common, new_zz = zz - common;
    ss = 1 + a * a * new_ss;
    sz = common + a * (c * new_ss + b * new_sz);
    zz = common + c * c * new_ss + 2 * b * c * new_sz + b * b * new_zz;
    for (std::size_t k = 0; k < squares.columns; ++k) {
      mean_z[k] = c * mean_s[k] + b * mean_z[k];
      mean_s[k] *= a;
    }
  }

  /// An observation of gain times s, or of gain times z.
  void see(const InnovationColumns& observed, bool of_echo, double gain, double variance) {
    const double of_s = gain * (of_echo ? sz : ss), of_z = gain * (of_echo ? zz : sz);
    const double expected = gain * (of_echo ? of_z : of_s) + variance;
    InnovationColumns innovation{};
    for (std::size_t k = 0; k < squares.columns; ++k)
      innovation[k] = observed[k] - gain * (of_echo ? mean_z[k] : mean_s[k]);
    squares.add(innovation, expected);
    ss -= of_s * of_s / expected;
    sz -= of_s * of_z / expected;
    zz -= of_z * of_z / expected;
    for (std::size_t k = 0; k < squares.columns; ++k) {
      mean_s[k] += of_s / expected * innovation[k];
      mean_z[k] += of_z / expected * innovation[k];
    }
  }
};

}  // namespace

/// The filter. Covariances of the walk s, its integral, and the integral's copies at the openings of the windows first_
/// to last_, which close in the order in which they opened.
struct DelayedWalk::State {
  Samples driver, response;
  int trend = 0;
  double middle = 0, half_span = 1;  // trends are straight lines in (t - middle) / half_span

  std::size_t first = 0, last = 0, capacity = 0;
  double ss = 0, si = 0, ii = 0;
  std::vector<double> sf, iff, ff, gain;
  InnovationColumns mean_s{}, mean_i{};
  std::vector<InnovationColumns> mean_f;
  GeneralLeastSquares squares;

  std::size_t curves() const { return driver.time.empty() || response.time.empty() ? 1 : 2; }
  InnovationColumns observation(const Samples& of, std::size_t place, bool is_response) const {
    InnovationColumns column{of.value[place]};
    const std::size_t own = is_response ? curves() : 1;
    column[own] = 1;
    if (trend > 0) column[own + curves()] = (of.time[place] - middle) / half_span;
    return column;
  }

  void start(const DelayedWalkParameters& parameters);
  void move(double distance, const DelayedWalkParameters& parameters);
  void open();
  void close(const InnovationColumns& observed, double gain_of_window, double variance);
  void see(const InnovationColumns& observed, double scale, double variance);
  void correct(double of_s, double of_i, const InnovationColumns& innovation, double variance);
  void reserve(double width);
};

void DelayedWalk::State::reserve(double width) {
  std::size_t most = 0, oldest = 0;
  for (std::size_t j = 0; width > 0 && j < response.time.size(); ++j) {
    while (response.time[j] - response.time[oldest] > width) ++oldest;
    most = std::max(most, j - oldest + 1);
  }
  capacity = 2 * most + 4;  // one more than ever open, and room so that moving to the front is rare
  sf.resize(capacity);
  iff.resize(capacity);
  gain.resize(capacity);
  mean_f.resize(capacity);
  ff.resize(capacity * capacity);
}

void DelayedWalk::State::start(const DelayedWalkParameters& parameters) {
  first = last = 0;
  ss = parameters.deviation * parameters.deviation;
  si = ii = 0;
  mean_s = mean_i = {};
  squares = {};
  squares.columns = 1 + curves() * (1 + trend);
}

void DelayedWalk::State::move(double distance, const DelayedWalkParameters& parameters) {
  if (distance <= 0) return;
  const double tau = parameters.damping_time, power = parameters.deviation * parameters.deviation;
  const double x = distance / tau, decay = exponential(-x), rest = 1 - decay;
  if (first < last) {  // the integral matters only while a window is open
    const double reach = tau * rest;
    ii += 2 * reach * si + reach * reach * ss + power * tau * tau * walk_integral_variance(x);
    si = decay * (si + reach * ss) + power * tau * rest * rest;
    for (std::size_t m = first; m < last; ++m) {
      iff[m] += reach * sf[m];
      sf[m] *= decay;
    }
    for (std::size_t c = 0; c < squares.columns; ++c) mean_i[c] += reach * mean_s[c];
  }
  ss = decay * decay * ss + power * rest * (1 + decay);
  for (std::size_t c = 0; c < squares.columns; ++c) mean_s[c] *= decay;
}

void DelayedWalk::State::open() {
  if (first == last) {  // only differences of the integral matter: it may begin anew
    first = last = 0;
    si = ii = 0;
    mean_i = {};
  }
  if (last == capacity) {
    for (std::size_t m = first; m < last; ++m) {
      sf[m - first] = sf[m];
      iff[m - first] = iff[m];
      mean_f[m - first] = mean_f[m];
      for (std::size_t o = first; o < last; ++o) ff[(m - first) * capacity + o - first] = ff[m * capacity + o];
    }
    last -= first;
    first = 0;
  }
  for (std::size_t m = first; m < last; ++m) ff[last * capacity + m] = ff[m * capacity + last] = iff[m];
  ff[last * capacity + last] = ii;
  sf[last] = si;
  iff[last] = ii;
  mean_f[last] = mean_i;
  ++last;
}

/// gain holds Cov[window's copy, observation] for the open windows.
void DelayedWalk::State::correct(double of_s, double of_i, const InnovationColumns& innovation, double variance) {
  squares.add(innovation, variance);
  const double weight = 1 / variance;
  ss -= of_s * of_s * weight;
  for (std::size_t c = 0; c < squares.columns; ++c) mean_s[c] += of_s * weight * innovation[c];
  if (first == last) return;
  si -= of_s * of_i * weight;
  ii -= of_i * of_i * weight;
  for (std::size_t c = 0; c < squares.columns; ++c) mean_i[c] += of_i * weight * innovation[c];
  for (std::size_t m = first; m < last; ++m) {
    const double share = gain[m] * weight;
    sf[m] -= of_s * share;
    iff[m] -= of_i * share;
    for (std::size_t o = first; o < last; ++o) ff[m * capacity + o] -= share * gain[o];
    for (std::size_t c = 0; c < squares.columns; ++c) mean_f[m][c] += share * innovation[c];
  }
}

/// An observation of scale times the walk itself.
void DelayedWalk::State::see(const InnovationColumns& observed, double scale, double variance) {
  InnovationColumns innovation{};
  for (std::size_t c = 0; c < squares.columns; ++c) innovation[c] = observed[c] - scale * mean_s[c];
  for (std::size_t m = first; m < last; ++m) gain[m] = scale * sf[m];
  correct(scale * ss, scale * si, innovation, scale * scale * ss + variance);
}

/// An observation of what the integral has gained since the oldest window opened, times the gain.
void DelayedWalk::State::close(const InnovationColumns& observed, double gain_of_window, double variance) {
  const std::size_t oldest = first;
  const double of_s = gain_of_window * (si - sf[oldest]), of_i = gain_of_window * (ii - iff[oldest]);
  InnovationColumns innovation{};
  for (std::size_t c = 0; c < squares.columns; ++c)
    innovation[c] = observed[c] - gain_of_window * (mean_i[c] - mean_f[oldest][c]);
  for (std::size_t m = first; m < last; ++m) gain[m] = gain_of_window * (iff[m] - ff[oldest * capacity + m]);
  const double expected = gain_of_window * (of_i - gain[oldest]);
  ++first;
  correct(of_s, of_i, innovation, expected + variance);
}

DelayedWalk::DelayedWalk(Samples driver, Samples response, int trend) : state_(std::make_unique<State>()) {
  check_samples(driver, "driver");
  check_samples(response, "response");
  require(!driver.time.empty() || !response.time.empty(),
          "delayed walk: there are no samples; the driver or the response must have one at least.");
  require(trend == 0 || trend == 1, "delayed walk: trend is ", trend, ", but must be 0 (means) or 1 (straight lines).");
  state_->driver = driver;
  state_->response = response;
  state_->trend = trend;
  const Samples& first = driver.time.empty() ? response : driver;
  const Samples& second = response.time.empty() ? driver : response;
  const double low = std::min(first.time.front(), second.time.front()),
               high = std::max(first.time.back(), second.time.back());
  state_->middle = (low + high) / 2;
  state_->half_span = high > low ? (high - low) / 2 : 1;
}

DelayedWalk::~DelayedWalk() = default;
DelayedWalk::DelayedWalk(DelayedWalk&&) noexcept = default;
DelayedWalk& DelayedWalk::operator=(DelayedWalk&&) noexcept = default;

double DelayedWalk::exponential_likelihood(const DelayedWalkParameters& parameters) const {
  const State& of = *state_;
  const std::size_t drivers = of.driver.time.size(), responses = of.response.time.size();
  const double delay = parameters.lag - parameters.tail;
  ExponentialEcho echo(parameters.damping_time, parameters.tail, 1 + of.curves() * (1 + of.trend));
  double now = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0, j = 0; i < drivers || j < responses;) {
    const bool response = i == drivers || (j < responses && of.response.time[j] - delay < of.driver.time[i]);
    const double at = response ? of.response.time[j] - delay : of.driver.time[i];
    if (i + j > 0) echo.move(at - now);
    now = at;
    if (response) {
      echo.see(of.observation(of.response, j, true), true, parameters.scale * parameters.deviation,
               of.response.variance[j] + parameters.response_variance);
      ++j;
    } else {
      echo.see(of.observation(of.driver, i, false), false, parameters.deviation,
               of.driver.variance[i] + parameters.driver_variance);
      ++i;
    }
  }
  const double found = echo.squares.log_likelihood();
  return std::isfinite(found) ? found : -std::numeric_limits<double>::infinity();
}

double DelayedWalk::log_likelihood(const DelayedWalkParameters& parameters) {
  if (parameters.tail > 0) return exponential_likelihood(parameters);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  State& filter = *state_;
  filter.reserve(parameters.width);
  filter.start(parameters);
  const std::size_t drivers = filter.driver.time.size(), responses = filter.response.time.size();
  const double width = parameters.width, half = width / 2;
  const double gain = width > 0 ? parameters.scale / width : parameters.scale;
  std::size_t next_driver = 0, next_open = width > 0 ? 0 : responses, next_close = 0;
  double now = -kNever;
  while (next_driver < drivers || next_close < responses) {
    const double driver_at = next_driver < drivers ? filter.driver.time[next_driver] : kNever;
    const double open_at = next_open < responses ? filter.response.time[next_open] - parameters.lag - half : kNever;
    const double close_at = next_close < responses ? filter.response.time[next_close] - parameters.lag + half : kNever;
    const double at = std::min({driver_at, open_at, close_at});
    if (now > -kNever) filter.move(at - now, parameters);
    now = at;
    if (open_at == at) {
      filter.open();
      ++next_open;
    } else if (driver_at == at) {
      filter.see(filter.observation(filter.driver, next_driver, false), 1,
                 filter.driver.variance[next_driver] + parameters.driver_variance);
      ++next_driver;
    } else {
      const InnovationColumns observed = filter.observation(filter.response, next_close, true);
      const double variance = filter.response.variance[next_close] + parameters.response_variance;
      if (width > 0)
        filter.close(observed, gain, variance);
      else
        filter.see(observed, gain, variance);
      ++next_close;
    }
  }
  const double found = filter.squares.log_likelihood();
  return std::isfinite(found) ? found : -kNever;
}

}  // namespace fovea
