/// The experiment "mechanism.kernel_smoothing": with keys of one norm, dot-product attention is the kernel regression
/// of Nadaraya and Watson with a Gaussian kernel; the scale of the scores is its bandwidth, and the norm of a query
/// narrows or widens it.
///
/// One point writes difference (attention against plain loops, keys of one norm) and difference_of_unequal_keys (of
/// different norms: no kernel regression); width and its prediction over query_norm; for a noisy sine loo_error and
/// true_error over bandwidth, estimate and truth over angle; for the Nile nile_error over nile_bandwidth, nile_estimate
/// and nile_flow over year. Angles are in radians, and so are bandwidths but those of the Nile, which are in years.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/datasets/series/nile.hpp"
#include "fovea/domains/mechanism/statement.hpp"
#include "fovea/domains/mechanism/tasks/smoothing.hpp"

namespace fovea::mechanism::statements {

namespace {

constexpr double kTwoPi = 6.28318530717958647693;

std::size_t place_of_least(const std::vector<double>& values) {
  return (std::min_element(values.begin(), values.end()) - values.begin());
}

Matrix<double> with_norm(Matrix<double> rows, double norm) {
  for (Index i = 0; i < rows.rows(); ++i) rows.row(i) *= norm / rows.row(i).norm();
  return rows;
}

struct SmoothingSettings {
  Index keys = 200, dimension = 8;
  double key_norm = 2.0;
  std::vector<double> query_norms{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  Index sine_points = 200;
  double sine_noise = 0.4;
};

const Keys<SmoothingSettings>& smoothing_keys() {
  using S = SmoothingSettings;
  static const auto keys =
      Keys<S>()
          .key("keys", &S::keys, Range::between(2, 5000), "",
               "number of keys, and of queries, in the comparison with plain loops")
          .key(kDimension, &S::dimension, "d: dimension of queries and keys in that comparison")
          .key("key_norm", &S::key_norm, Range::between(1e-3, 10), "", "norm of all keys in that comparison")
          .key("query_norms", &S::query_norms, Range::between(0.01, 1e4), "",
               "query norms at which the width of the attention is measured; at least two of 30 or more")
          .key("sine.points", &S::sine_points, Range::between(10, 5000), "", "points of the noisy sine")
          .key("sine.noise", &S::sine_noise, Range::between(1e-3, 100), "", "standard deviation of the noise");
  return keys;
}

/// Attention against plain loops for random queries, keys and values; of any norm if `unequal`.
double largest_difference(const SmoothingSettings& settings, bool unequal, const Random& random) {
  const Index dimension = settings.dimension, count = settings.keys;
  const Matrix<double> drawn = normal_matrix(count, dimension, random.stream("keys"));
  const Matrix<double> keys = unequal ? drawn : with_norm(drawn, settings.key_norm);
  const Matrix<double> queries = normal_matrix(count, dimension, random.stream("queries"));
  const Vector<double> values = normal_matrix(count, 1, random.stream("values"));
  double largest = 0;
  for (const double bandwidth : {0.3, 1.0, 3.0}) {
    const Vector<double> plain = tasks::plain_smooth(queries, keys, values, bandwidth);
    largest = std::max(largest, (tasks::attend_smooth(queries, keys, values, bandwidth) - plain).cwiseAbs().maxCoeff());
  }
  return largest / values.cwiseAbs().maxCoeff();
}

void add_widths(const SmoothingSettings& settings, const Random& random, Results& results) {
  constexpr Index kKeysOnCircle = 4096;  // the sums over them are integrals to the last place
  const std::vector<double>& norms = settings.query_norms;
  struct Width {
    double attended, predicted;
  };
  std::vector<Width> widths;
  for (std::size_t k = 0; k < norms.size(); ++k) {
    const double towards = kTwoPi * random.uniform(k);
    Vector<double> query(2);
    query << norms[k] * std::cos(towards), norms[k] * std::sin(towards);
    widths.push_back(
        {tasks::attended_width(query, kKeysOnCircle, kTwoPi * random.uniform(k, 1)), tasks::von_mises_width(norms[k])});
  }
  results.coordinate("query_norm", norms, "1", "norm of the query");
  rows("query_norm", widths)
      .number("width", &Width::attended, "effective width of the attention", "rad")
      .number("predicted_width", &Width::predicted, "von Mises distribution", "rad")
      .write(results);
}

/// A regression with the bandwidth chosen by leave-one-out, by the engine; and how far plain loops are from it.
struct Regression {
  std::vector<double> errors;  ///< of leave-one-out, for each bandwidth
  std::size_t chosen = 0, chosen_by_plain_loops = 0;
  double difference = 0;  ///< of the errors, relative
};

Regression regress(const Matrix<double>& keys, const Vector<double>& values, const std::vector<double>& bandwidths) {
  Regression found;
  found.errors = tasks::leave_one_out(keys, values, bandwidths, &tasks::attend_smooth);
  const std::vector<double> plain = tasks::leave_one_out(keys, values, bandwidths, &tasks::plain_smooth);
  found.chosen = place_of_least(found.errors);
  found.chosen_by_plain_loops = place_of_least(plain);
  for (std::size_t k = 0; k < plain.size(); ++k)
    found.difference = std::max(found.difference, std::abs(found.errors[k] / plain[k] - 1));
  return found;
}

double add_sine(const SmoothingSettings& settings, const Random& random, Results& results) {
  constexpr std::size_t kGrid = 181;
  const double noise = settings.sine_noise;
  std::vector<double> angles, grid;
  for (std::int64_t j = 0; j < settings.sine_points; ++j)
    angles.push_back(kTwoPi * random.uniform(static_cast<std::uint64_t>(j)));
  for (std::size_t k = 0; k < kGrid; ++k) grid.push_back(kTwoPi * static_cast<double>(k) / (kGrid - 1));
  const Matrix<double> keys = tasks::on_circle(angles), queries = tasks::on_circle(grid);
  const Vector<double> values = keys.col(1) + noise * normal_matrix(keys.rows(), 1, random.stream("noise"));
  const Vector<double> truth = queries.col(1);
  const std::vector<double> bandwidths = tasks::spread_evenly_in_log(0.03, 1.2, 48);
  const Regression found = regress(keys, values, bandwidths);
  struct AtBandwidth {
    double bandwidth, left_out, error, on_new;  ///< on_new: of a new measurement at a place drawn like the others
  };
  std::vector<AtBandwidth> tried;
  for (std::size_t k = 0; k < bandwidths.size(); ++k) {
    const double error = tasks::squared_error(tasks::attend_smooth(queries, keys, values, bandwidths[k]), truth);
    tried.push_back({bandwidths[k], found.errors[k], error, noise * noise + error});
  }
  const AtBandwidth& chosen = tried[found.chosen];
  const Vector<double> estimate = tasks::attend_smooth(queries, keys, values, chosen.bandwidth);
  rows("bandwidth", tried, &AtBandwidth::bandwidth, "bandwidth", "rad")
      .number("loo_error", &AtBandwidth::left_out, "leave-one-out error")
      .number("new_error", &AtBandwidth::on_new, "noise^2 + true error")
      .write(results);
  rows("angle", grid, std::identity(), "angle", "rad")
      .number(
          "estimate", [&](double, std::size_t k) { return estimate[k]; }, "attention")
      .number(
          "truth", [&](double, std::size_t k) { return truth[k]; }, "sin")
      .write(results);
  results.scalar("chosen_bandwidth", chosen.bandwidth, "rad", "bandwidth chosen by leave-one-out");
  results.scalar("true_error_at_choice", chosen.error, "1", "true squared error at the chosen bandwidth");
  results.scalar("least_new_error", std::ranges::min(tried, {}, &AtBandwidth::on_new).on_new, "1",
                 "smallest noise^2 + true error of any bandwidth");
  results.scalar("new_error_at_choice", chosen.on_new, "1", "noise^2 + true error at the chosen bandwidth");
  results.scalar("loo_error_at_choice", chosen.left_out, "1", "leave-one-out error at the chosen bandwidth");
  return found.difference;
}

/// The years on a quarter of the circle, so that distances between them are nearly those in years.
double add_nile(Results& results) {
  const datasets::series::AnnualSeries series = datasets::series::nile_flow();
  const double per_year = kTwoPi / 4 / static_cast<double>(series.values.size());
  std::vector<double> angles, years, bandwidths;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    angles.push_back(per_year * static_cast<double>(i));
    years.push_back(series.first_year + static_cast<double>(i));
  }
  const std::vector<double> in_years = tasks::spread_evenly_in_log(0.5, 50, 30);
  for (const double h : in_years) bandwidths.push_back(h * per_year);
  const Matrix<double> keys = tasks::on_circle(angles);
  const Vector<double> flow = Eigen::Map<const Vector<double>>(series.values.data(), keys.rows());
  const Regression found = regress(keys, flow, bandwidths);
  const Vector<double> estimate = tasks::attend_smooth(keys, keys, flow, bandwidths[found.chosen]);
  const std::string unit = "1e8 m^3 / year";
  rows("nile_bandwidth", in_years, std::identity(), "bandwidth", "year")
      .number(
          "nile_error", [&](double, std::size_t k) { return std::sqrt(found.errors[k]); },
          "root mean squared leave-one-out error", unit)
      .write(results);
  rows("year", years, std::identity(), "year", "year")
      .number(
          "nile_flow", [&](double, std::size_t k) { return series.values[k]; }, "flow of the Nile at Aswan", unit)
      .number(
          "nile_estimate", [&](double, std::size_t k) { return estimate[k]; }, "attention smoother of the flow", unit)
      .write(results);
  results.scalar("nile_chosen", in_years[found.chosen], "year", "bandwidth chosen by leave-one-out");
  results.scalar("nile_chosen_by_plain_loops", in_years[found.chosen_by_plain_loops], "year",
                 "bandwidth chosen by leave-one-out with plain loops");
  return found.difference;
}

void add_figures_of_smoothing(Results& merged) {
  show(merged,
       {.variables = {"width"}, .references = {"predicted_width"}, .x = "query_norm", .log_x = true, .log_y = true},
       "The norm of the query is an adaptive bandwidth",
       "Circular standard deviation of the weights over keys on a circle. Dashed: the von Mises "
       "distribution of concentration |q|; for large |q| it is 1 / sqrt(|q|).");
  show(merged, {.name = "sine", .variables = {"estimate"}, .references = {"truth"}, .x = "angle"}, "A noisy sine",
       "Attention with the bandwidth chosen by leave-one-out. The band is the standard error over "
       "the seeds. Dashed: the true function.");
  show(merged,
       {.name = "leave_one_out",
        .variables = {"loo_error"},
        .references = {"new_error"},
        .x = "bandwidth",
        .log_x = true},
       "Leave-one-out chooses the bandwidth",
       "Error of predicting each point from the others, against the bandwidth. Dashed: expected "
       "error of a new measurement, noise plus true error.");
  show(merged, {.name = "nile", .variables = {"nile_flow", "nile_estimate"}, .x = "year"},
       "The flow of the Nile, smoothed by attention",
       "Annual flow at Aswan (Cobb 1978), and attention over the years at the bandwidth chosen by "
       "leave-one-out. The smoother shows the decrease of 1899.");
  show(merged,
       {.name = "nile_leave_one_out",
        .variables = {"nile_error"},
        .x = "nile_bandwidth",
        .log_x = true,
        .marks = {"nile_chosen"}},
       "Leave-one-out on the Nile", "Root mean squared error of predicting a year from the others.");
}

class KernelSmoothing final : public Statement<SmoothingSettings, smoothing_keys> {
 public:
  std::string_view name() const override { return "mechanism.kernel_smoothing"; }
  std::string_view summary() const override {
    return "dot-product attention over keys of one norm is Gaussian kernel regression, its scale the bandwidth";
  }
  int result_version() const override { return 2; }

  void check_settings(const SmoothingSettings& settings, const Complain& complain) const override {
    const std::vector<double>& norms = settings.query_norms;
    if (std::count_if(norms.begin(), norms.end(), [](double norm) { return norm >= kLong; }) < 2)
      complain("query_norms", "at least two query_norms must be 30 or more, so that an exponent can be fitted.");
  }

  void measure(const SmoothingSettings& settings, const Random& random, Results& results, Workbench&) const override {
    const double difference = largest_difference(settings, false, random.stream("equality"));
    add_widths(settings, random.stream("widths"), results);
    const double of_regressions = std::max(add_sine(settings, random.stream("sine"), results), add_nile(results));
    results.scalar("difference", difference, "1", "attention against plain loops: keys of one norm");
    results.scalar("difference_of_unequal_keys", largest_difference(settings, true, random.stream("equality")), "1",
                   "attention against plain loops: keys of different norms");
    results.scalar("difference_of_regressions", of_regressions, "1",
                   "leave-one-out errors, attention against plain loops");
  }

  void conclude(Results& merged) const override {
    const auto largest = [&](const char* name) { return view(merged.data, name).largest(); };
    const auto mean = [&](const char* name) { return view(merged.data, name).mean().mean; };
    const std::string nadaraya = "Nadaraya 1964; Watson 1964; derived in domains/mechanism/theory.md";
    const double difference = largest("difference");
    merged.check({"same_as_kernel", "largest difference of attention and kernel regression, keys of one norm", nadaraya,
                  0.0, difference, absolute(kRounding)});
    merged.check({"regressions", "largest relative difference of their leave-one-out errors, sine and Nile", nadaraya,
                  0.0, largest("difference_of_regressions"), absolute(kRounding)});
    const LineFit exponent = add_width_checks(merged);
    // 200 points know the noise^2 to 10 %, 5 seeds to 4.5 %
    merged.check({"leave_one_out", "leave-one-out error of the sine against noise^2 + true error", "Stone 1974",
                  mean("new_error_at_choice"), mean("loo_error_at_choice"), relative(0.15)});
    // what a bandwidth costs in the error of a new measurement: noise^2 is most of it
    merged.check({"choice", "error of a new measurement at the chosen bandwidth over that at the best bandwidth",
                  "Stone 1974", 1.0, mean("new_error_at_choice") / mean("least_new_error"), absolute(0.05)});
    merged.check({"nile", "bandwidth for the Nile (years), by attention and by plain loops", nadaraya,
                  mean("nile_chosen_by_plain_loops"), mean("nile_chosen"), absolute(0.0)});
    add_headlines_of_smoothing(merged, difference);
    add_figures_of_smoothing(merged);
    give_verdict(
        merged, "Dot-product attention over keys of one norm is Gaussian kernel regression",
        concat(plain_text(difference, 2), "; the width of a query's attention falls as |q| to the power ",
               plain_text(exponent.slope, 4), " \u00b1 ", plain_text(exponent.half_width, 1), " (predicted -1/2)"));
  }

 private:
  static constexpr double kLong = 30;         ///< from here on 1 / sqrt(|q|) is right to 1 %
  static constexpr double kRounding = 1e-12;  ///< sums of 200 terms: 1e-14 each, and an exponent of up to 100

  static LineFit add_width_checks(Results& merged) {
    const std::vector<double> norms = view(merged.data, "query_norm").values();
    const auto width = view(merged.data, "width").series("query_norm");
    const auto predicted = view(merged.data, "predicted_width").series("query_norm");
    std::vector<double> x, y;
    double off = 0;
    for (std::size_t r = 0; r < width.size(); ++r)
      for (std::size_t k = 0; k < norms.size(); ++k) {
        off = std::max(off, std::abs(width[r][k] / predicted[r][k] - 1));
        if (norms[k] < kLong) continue;
        x.push_back(norms[k]);
        y.push_back(width[r][k]);
      }
    // -2 ln R = 1 / |q| + 1 / (2 |q|^2) + ...; a mean length near 1 loses 3 digits
    merged.check({"width", "largest relative difference of the width and that of a von Mises distribution",
                  "von Mises 1918", 0.0, off, absolute(1e-9)});
    const LineFit fit = fit_power(x, y);
    merged.check({"width_exponent", "exponent of the width against the query norm, at large norms",
                  "derived in domains/mechanism/theory.md", -0.5, fit.slope, absolute(0.01)});
    merged.scalar("exponent", fit.slope, "1", "exponent of the width against |q|");
    merged.scalar("exponent_half_width", fit.half_width, "1", "half width of its 95 % interval");
    merged.scalar("exponent_predicted", -0.5, "1", "predicted exponent");
    return fit;
  }

  static void add_headlines_of_smoothing(Results& merged, double difference) {
    merged.scalar("largest_difference", difference, "1", "attention against kernel regression, all seeds");
    merged.headline(
        {.variable = "largest_difference",
         .label = "Attention against kernel regression: largest difference",
         .meaning = concat("For keys of one norm. With keys of different norms the largest difference is ",
                           plain_text(view(merged.data, "difference_of_unequal_keys").mean().mean, 2), ".")});
    merged.headline({.variable = "exponent",
                     .label = "Width of the attention scales as |q| to the power",
                     .predicted = "exponent_predicted",
                     .half_width = "exponent_half_width",
                     .meaning = "The norm of the query is the inverse square of the bandwidth."});
    add_pooled(merged, "chosen_bandwidth", "bandwidth_of_sine", "bandwidth chosen for the noisy sine");
    merged.headline({.variable = "bandwidth_of_sine",
                     .label = "Bandwidth for the noisy sine",
                     .half_width = "bandwidth_of_sine_half_width",
                     .meaning = "Chosen by leave-one-out; mean over the seeds and its 95 % interval."});
    merged.headline({.variable = "nile_chosen",
                     .label = "Bandwidth for the Nile",
                     .predicted = "nile_chosen_by_plain_loops",
                     .meaning = "Chosen by leave-one-out; predicted: the same by plain loops."});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_kernel_smoothing() { return std::make_unique<KernelSmoothing>(); }

}  // namespace fovea::mechanism::statements
