#include "fovea/domains/fusion/gapfill/image_stack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/datasets/rasters/stack_grid.hpp"

namespace fovea::fusion::gapfill {

namespace {

using datasets::rasters::class_places_on;
using datasets::rasters::ImageSeries;
using datasets::rasters::places_on;

constexpr double kSecondsOfDay = 86400;
constexpr float kPerReflectance = 10000;
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 30;  // of all optical images: 4 GiB

datasets::rasters::StackGrid grid_of(const ImageStack& stack) { return {stack.rows, stack.columns}; }

/// The bands of a date into columns of an image, beginning at `first`.
void put_bands(const Matrix<float>& from, const std::vector<Index>& places, Index first, float divisor,
               Matrix<float>& image) {
  for (Index i = 0; i < image.rows(); ++i)
    for (Index b = 0; b < from.rows(); ++b) image(i, first + b) = from(b, places[i]) / divisor;
}

/// Which pixels of a date are cloudy by their scene class, and which are clear: neither cloudy nor without a band.
void add_flags(const Matrix<float>& image, const std::vector<std::int32_t>& classes, const std::vector<Index>& places,
               ImageStack& stack) {
  Flags clear, cloudy;
  for (Index i = 0; i < image.rows(); ++i) {
    const std::int32_t seen = classes[places[i]];
    cloudy.push_back(datasets::rasters::shows_ground(seen) ? 0 : 1);
    clear.push_back(cloudy.back() == 0 && !image.row(i).array().isNaN().any() ? 1 : 0);
  }
  stack.clear.push_back(std::move(clear)), stack.cloudy.push_back(std::move(cloudy));
}

/// Each band by itself: some may be reflectances, and others 10000 x.
void check_units(const ImageStack& stack) {
  std::vector<float> largest(stack.bands.size(), 0);
  bool clear = false;
  for (Index d = 0; d < stack.dates(); ++d)
    for (Index i = 0; i < stack.pixels(); ++i) {
      if (stack.clear[d][i] == 0) continue;
      clear = true;
      for (std::size_t b = 0; b < largest.size(); ++b)
        largest[b] = std::max(largest[b], stack.images[d](i, static_cast<Index>(b)));
    }
  if (!clear)
    throw DataError(concat(stack.source,
                           ": no pixel of any date is clear (scene class 4 to 7 and no band 0), so there ",
                           "is nothing to fill from; give a stack with clear dates."));
  for (std::size_t b = 0; b < largest.size(); ++b)
    if (largest[b] < 0.001F)
      throw DataError(concat(stack.source, ": the largest clear reflectance of ", stack.bands[b], " is ",
                             largest[b] * kPerReflectance,
                             ", but must be stored as 10000 x; multiply the band by 10000."));
}

/// A radar without a number is none; intensities in place of dB are refused.
void check_radar(ImageStack& stack, double largest_db, double least_db) {
  if (!std::isfinite(least_db)) {
    stack.s1_bands.clear(), stack.s1_days.clear(), stack.s1.clear();
    return;
  }
  if (least_db >= 0)
    throw DataError(concat(stack.source, ": /s1/db has numbers from ", least_db, " to ", largest_db,
                           ", but backscatter in dB is mostly below 0; convert intensities v by 10 log10(v)."));
}

void read_radar(const datasets::rasters::Stack& file, ImageStack& stack) {
  const std::vector<Index> places = places_on(stack.source, grid_of(stack), file.s1());
  if (places.empty()) return;
  stack.s1_bands = file.s1().bands;
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (Index d = 0; d < std::ssize(file.s1().times); ++d) {
    stack.s1_days.push_back(file.s1().times[d] / kSecondsOfDay);
    Matrix<float> intensity(stack.pixels(), std::ssize(stack.s1_bands));
    put_bands(file.image(file.s1(), d), places, 0, 1, intensity);
    for (Index i = 0; i < intensity.size(); ++i) {
      const auto db = static_cast<double>(intensity.data()[i]);
      if (std::isfinite(db)) least = std::min(least, db), largest = std::max(largest, db);
      intensity.data()[i] = std::pow(10.0F, std::clamp(intensity.data()[i], -99.0F, 99.0F) / 10);
    }
    stack.s1.push_back(std::move(intensity));
  }
  check_radar(stack, largest, least);
}

}  // namespace

double ImageStack::clear_share(Index date) const {
  const Flags& flags = clear[date];
  return static_cast<double>(std::count(flags.begin(), flags.end(), 1)) / static_cast<double>(pixels());
}

std::string ImageStack::date_text(Index date) const { return study::day_text(days[date]); }

ImageStack image_stack(const datasets::rasters::Stack& file) {
  const ImageSeries &fine = file.r10m(), &coarse = file.r20m();
  ImageStack stack;
  stack.source = file.path();
  if (fine.bands.empty() && coarse.bands.empty())
    throw DataError(concat(stack.source, ": has neither /s2/r10m nor /s2/r20m; gaps are filled in optical bands."));
  if (!file.has_classes())
    throw DataError(concat(stack.source, ": has no /s2/scl, the scene classes that tell clouds; add them."));
  const ImageSeries& finest = fine.bands.empty() ? coarse : fine;
  stack.rows = finest.rows, stack.columns = finest.columns;
  stack.bands = fine.bands;
  stack.bands.insert(stack.bands.end(), coarse.bands.begin(), coarse.bands.end());
  const auto dates = static_cast<std::int64_t>(finest.times.size());
  if (dates * stack.pixels() > kMostNumbers / std::ssize(stack.bands))
    throw DataError(concat(stack.source, ": has ", dates, " dates of ", stack.pixels(), " pixels with ",
                           stack.bands.size(), " bands, which do not fit in memory; cut it into smaller squares."));
  const std::vector<Index> fine_places = places_on(stack.source, grid_of(stack), fine),
                           coarse_places = places_on(stack.source, grid_of(stack), coarse);
  if (!fine.times.empty() && !coarse.times.empty() && fine.times.size() != coarse.times.size())
    throw DataError(concat(stack.source, ": /s2/r10m has ", fine.times.size(), " dates and /s2/r20m ",
                           coarse.times.size(), "; they must be the same."));
  std::vector<Index> class_places;
  for (Index d = 0; d < dates; ++d) {
    stack.days.push_back(finest.times[d] / kSecondsOfDay);
    Matrix<float> image(stack.pixels(), std::ssize(stack.bands));
    if (!fine_places.empty()) put_bands(file.image(fine, d), fine_places, 0, kPerReflectance, image);
    if (!coarse_places.empty())
      put_bands(file.image(coarse, d), coarse_places, std::ssize(fine.bands), kPerReflectance, image);
    const std::vector<std::int32_t> classes = file.classes(d);
    if (class_places.empty()) class_places = class_places_on(stack.source, grid_of(stack), classes.size());
    add_flags(image, classes, class_places, stack);
    stack.images.push_back(std::move(image));
  }
  check_units(stack);
  read_radar(file, stack);
  stack.left_out = file.left_out();
  return stack;
}

ImageStack image_stack(const datasets::simulated::stacks::CloudedStackPlan& plan,
                       datasets::simulated::stacks::CloudedStack made) {
  ImageStack stack;
  stack.source = "the simulated stack";
  stack.rows = plan.rows, stack.columns = plan.columns;
  stack.bands = std::move(made.bands), stack.days = std::move(made.days);
  stack.images = std::move(made.images), stack.clear = std::move(made.clear), stack.ground = std::move(made.ground);
  for (const Flags& clear : stack.clear) {
    stack.cloudy.emplace_back();
    for (const std::uint8_t seen : clear) stack.cloudy.back().push_back(seen != 0 ? 0 : 1);
  }
  stack.s1_bands = {"VV", "VH"}, stack.s1_days = std::move(made.s1_days), stack.s1 = std::move(made.s1);
  return stack;
}

}  // namespace fovea::fusion::gapfill
