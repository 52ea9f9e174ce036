#include "fovea/domains/fusion/pixels/composites.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/rasters/stack_grid.hpp"

namespace fovea::fusion::pixels {

namespace {

using datasets::rasters::ImageSeries;
using datasets::rasters::Stack;
using datasets::rasters::StackGrid;

constexpr double kSecondsOfDay = 86400;
constexpr float kStoredPerReflectance = 10000;
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
const std::vector<std::string> kPolarisations{"VV", "VH"};

std::vector<double> days_of(const std::vector<double>& seconds) {
  std::vector<double> days;
  for (const double second : seconds) days.push_back(second / kSecondsOfDay);
  return days;
}

/// The day, since 1970, on which the year of a day begins.
double new_year(double day) {
  using namespace std::chrono;
  const year_month_day date{sys_days{days{static_cast<int>(std::floor(day))}}};
  return static_cast<double>(sys_days{date.year() / January / 1}.time_since_epoch().count());
}

/// Bands of a date into columns of an image, beginning at `first`.
void put(const Matrix<float>& from, const std::vector<Index>& places, Index first, Matrix<float>& image) {
  for (Index i = 0; i < image.rows(); ++i)
    for (Index b = 0; b < from.rows(); ++b) image(i, first + b) = from(b, places[i]);
}

DatedImages radar_of(const Stack& file, const StackGrid& grid) {
  const ImageSeries& s1 = file.s1();
  if (s1.bands.empty()) return {};
  if (s1.bands != kPolarisations)
    throw DataError(concat(file.path(), ": ", s1.path, " must have the bands VV and VH, in this order."));
  const std::vector<Index> places = datasets::rasters::places_on(file.path(), grid, s1);
  return {s1.bands, days_of(s1.times), [&file, &s1, places, pixels = grid.pixels()](Index date) {
            Matrix<float> image(pixels, std::ssize(kPolarisations));
            put(file.image(s1, date), places, 0, image);
            if ((image.array() >= 0).any() && !(image.array() < 0).any()) {
              file.take_bad(
                  concat(s1.path, ", date ", date),
                  DataError(concat(file.path(), ": ", s1.path, ": date ", date, " has no number below 0, but ",
                                   "backscatter in dB is mostly below 0; convert intensities v by 10 ", "log10(v).")));
              image.setConstant(kNothing);
            }
            return Matrix<float>(
                (image.array().max(-99.0F).min(99.0F) / 10).unaryExpr([](float bel) { return std::pow(10.0F, bel); }));
          }};
}

DatedImages optics_of(const Stack& file, const StackGrid& grid) {
  const ImageSeries &fine = file.r10m(), &coarse = file.r20m();
  if (fine.bands.empty() && coarse.bands.empty()) return {};
  if (!fine.times.empty() && !coarse.times.empty() && fine.times.size() != coarse.times.size())
    throw DataError(concat(file.path(), ": /s2/r10m has ", fine.times.size(), " dates and /s2/r20m ",
                           coarse.times.size(), "; they must be the same."));
  DatedImages images;
  images.bands = fine.bands;
  images.bands.insert(images.bands.end(), coarse.bands.begin(), coarse.bands.end());
  images.days = days_of(fine.bands.empty() ? coarse.times : fine.times);
  const std::vector<Index> fine_places = datasets::rasters::places_on(file.path(), grid, fine),
                           coarse_places = datasets::rasters::places_on(file.path(), grid, coarse);
  const auto bands = std::ssize(images.bands);
  images.image = [&file, &fine, &coarse, fine_places, coarse_places, grid, bands](Index date) {
    Matrix<float> image(grid.pixels(), bands);
    if (!fine_places.empty()) put(file.image(fine, date), fine_places, 0, image);
    if (!coarse_places.empty()) put(file.image(coarse, date), coarse_places, std::ssize(fine.bands), image);
    image /= kStoredPerReflectance;
    const std::vector<std::int32_t> classes = file.classes(date);
    if (classes.empty()) return image;
    const std::vector<Index> places = datasets::rasters::class_places_on(file.path(), grid, classes.size());
    for (Index i = 0; i < image.rows(); ++i)
      if (!datasets::rasters::shows_ground(classes[places[i]])) image.row(i).setConstant(kNothing);
    return image;
  };
  return images;
}

/// The dates of a sensor that lie in a window.
std::pair<Index, Index> dates_in(const DatedImages& images, double from, double until) {
  const auto first = std::lower_bound(images.days.begin(), images.days.end(), from);
  const auto last = std::lower_bound(first, images.days.end(), until);
  return {first - images.days.begin(), last - images.days.begin()};
}

Matrix<float> mean_image(const DatedImages& images, std::pair<Index, Index> dates, Index pixels) {
  Matrix<float> sum = Matrix<float>::Zero(pixels, std::ssize(images.bands)), seen = sum;
  for (Index date = dates.first; date < dates.second; ++date) {
    const Matrix<float> image = images.image(date);
    for (Index i = 0; i < image.size(); ++i)
      if (std::isfinite(image.data()[i])) sum.data()[i] += image.data()[i], seen.data()[i] += 1;
  }
  return (seen.array() > 0).select(sum.array() / seen.array(), kNothing);
}

/// A pixel of a date counts where it has all bands.
Matrix<float> median_image(const DatedImages& images, std::pair<Index, Index> dates, Index pixels) {
  std::vector<Matrix<float>> all;
  for (Index date = dates.first; date < dates.second; ++date) all.push_back(images.image(date));
  Matrix<float> medians = Matrix<float>::Constant(pixels, std::ssize(images.bands), kNothing);
  std::vector<float> values;
  for (Index i = 0; i < pixels; ++i)
    for (Index b = 0; b < medians.cols(); ++b) {
      values.clear();
      for (const Matrix<float>& image : all)
        if (image.row(i).allFinite()) values.push_back(image(i, b));
      if (values.empty()) break;
      std::sort(values.begin(), values.end());
      const std::size_t half = values.size() / 2;
      medians(i, b) = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
  return medians;
}

Composites thinned(const std::string& source, const StackGrid& grid, const DatedImages& s1, const DatedImages& s2,
                   double step) {
  Composites stack{source, grid.rows, grid.columns, {}, s1.bands, s2.bands, {}, {}};
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const DatedImages* images : {&s1, &s2})
    for (const double day : images->days) first = std::min(first, day), last = std::max(last, day);
  if (!(std::abs(first) < 1e6 && std::abs(last) < 1e6))
    throw DataError(concat(source, ": has no dates, or dates beyond the year 4700; times are Unix seconds."));
  const double zero = new_year((first + last) / 2);
  for (double from = zero + std::floor((first - zero) / step) * step; from <= last; from += step) {
    const auto radar = dates_in(s1, from, from + step), optics = dates_in(s2, from, from + step);
    stack.days.push_back(from + step / 2 - zero);
    if (!s1.bands.empty()) stack.s1.push_back(mean_image(s1, radar, grid.pixels()));
    if (!s2.bands.empty()) stack.s2.push_back(median_image(s2, optics, grid.pixels()));
  }
  return stack;
}

/// Each band by itself: some may be reflectances, and others 10000 x.
void check_reflectances(const Composites& stack) {
  for (Index b = 0; b < std::ssize(stack.s2_bands); ++b) {
    float largest = -1;
    for (const Matrix<float>& image : stack.s2)
      for (Index i = 0; i < image.rows(); ++i)
        if (std::isfinite(image(i, b))) largest = std::max(largest, image(i, b));
    if (largest >= 0 && largest < 0.001F)
      throw DataError(concat(stack.source, ": the largest clear reflectance of ", stack.s2_bands[b], " is ",
                             largest * kStoredPerReflectance,
                             ", but must be stored as 10000 x; multiply the band by 10000."));
  }
}

}  // namespace

Composites composites(const Stack& file, double step) {
  const StackGrid grid = datasets::rasters::finest_grid(file);
  Composites stack = thinned(file.path(), grid, radar_of(file, grid), optics_of(file, grid), step);
  check_reflectances(stack);
  stack.notes = file.notes(), stack.left_out = file.left_out(), stack.s2_known_by = "the layout of the file";
  return stack;
}

Composites composites(const datasets::simulated::stacks::CloudedStackPlan& plan,
                      const datasets::simulated::stacks::CloudedStack& made, double step) {
  const DatedImages s1{kPolarisations, made.s1_days, [&](Index date) { return made.s1[date]; }};
  const DatedImages s2{made.bands, made.days, [&](Index date) {
                         const std::size_t at = date;
                         Matrix<float> image = made.images[at];
                         for (Index i = 0; i < image.rows(); ++i)
                           if (made.clear[at][i] == 0) image.row(i).setConstant(kNothing);
                         return image;
                       }};
  return thinned("the simulated stack", {plan.rows, plan.columns}, s1, s2, step);
}

double mean_about(const Composites& stack, const Matrix<float>& image, Index row, Index column, Index band,
                  Index side) {
  const Index reach = side / 2;
  double sum = 0, seen = 0;
  for (Index r = std::max<Index>(0, row - reach); r <= std::min(stack.rows - 1, row + reach); ++r)
    for (Index c = std::max<Index>(0, column - reach); c <= std::min(stack.columns - 1, column + reach); ++c) {
      const auto value = static_cast<double>(image(r * stack.columns + c, band));
      if (std::isfinite(value)) sum += value, ++seen;
    }
  return seen > 0 ? sum / seen : kNan;
}

}  // namespace fovea::fusion::pixels
