// Which numbers of a stack are values, and whether those of S2 have an offset.

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/stack_grid.hpp"
#include "fovea/datasets/rasters/stacks.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr double kBaseline0400 = 1643068800;  // 25 January 2022, from when on Sentinel-2 has the offset
constexpr Index kDatesExamined = 8, kPixelsExamined = 4096;
constexpr float kOffset = 1000;

/// Some dates of a series, evenly spread over those on one side of the baseline.
std::vector<Index> some_dates(const ImageSeries& series, bool later) {
  const auto first = std::lower_bound(series.times.begin(), series.times.end(), kBaseline0400);
  const Index from = later ? first - series.times.begin() : 0,
              until = later ? std::ssize(series.times) : first - series.times.begin();
  const Index count = std::min(kDatesExamined, until - from);
  std::vector<Index> dates;
  for (Index k = 0; k < count; ++k) dates.push_back(from + (until - from) * (2 * k + 1) / (2 * count));
  return dates;
}

}  // namespace

void Stack::add_values(const ImageSeries& series, Index date, bool clear_alone, BandValues& bands) const {
  const Matrix<float> image = this->image(series, date);
  const std::vector<std::int32_t> classes = clear_alone ? this->classes(date) : std::vector<std::int32_t>{};
  const bool fits = std::ssize(classes) == image.cols();
  const Index step = 1 + image.cols() / kPixelsExamined;
  for (Index i = 0; i < image.cols(); i += step)
    for (Index b = 0; b < image.rows(); ++b)
      if (!std::isnan(image(b, i)) && (!fits || shows_ground(classes[i]))) bands[b].push_back(image(b, i));
}

void Stack::take_fills_out(const char* sensor, BandValues& values, std::vector<Fill>& fills) {
  for (const Fill& fill : take_fills(values)) {
    if (std::any_of(fills.begin(), fills.end(), [&](const Fill& one) { return one.number == fill.number; })) continue;
    fills.push_back(fill);
    notes_.push_back(concat(path(), ": ", rounded_text(static_cast<double>(fill.number)), " in ", sensor,
                            " counts as no data; it stands far from all other numbers"));
  }
}

void Stack::settle_units(std::optional<OpticalUnit> stated) {
  limited_ = false;
  BandValues radar(s1_.bands.size());
  for (const bool later : {false, true})
    for (const Index date : some_dates(s1_, later)) add_values(s1_, date, false, radar);
  take_fills_out("S1", radar, s1_fills_);
  check_possible(concat(path(), ": ", s1_.path), radar, SarUnit::db);
  if (sar_unit(radar) == SarUnit::linear)
    throw DataError(
        concat(path(), ": ", s1_.path, " seems to be linear intensity, but must be dB; convert v by ", "10 log10(v)."));
  for (const bool later : {false, true}) {
    BandValues all;
    std::vector<std::string> names;
    for (const ImageSeries* series : {&r10m_, &r20m_}) {
      BandValues bands(series->bands.size());
      for (const Index date : some_dates(*series, later)) add_values(*series, date, true, bands);
      take_fills_out("S2", bands, s2_fills_);
      check_possible(concat(path(), ": ", series->path), bands, OpticalUnit::numbers);
      all.insert(all.end(), bands.begin(), bands.end());
      names.insert(names.end(), series->bands.begin(), series->bands.end());
    }
    const std::optional<OpticalUnit> found = optical_unit(all, names);
    if (!stated && !found && !all.empty() && are_enough(all))
      throw DataError(concat(no_unit_text<OpticalUnit>(path() + ": S2", all, fitting_scale<OpticalUnit>(all, names)),
                             "; if they are numbers all the same, state it: --set data.units.s2=numbers."));
    if (!stated && found == OpticalUnit::reflectance)
      throw DataError(concat(path(), ": S2 seems to be reflectance, but must be stored as 10000 x; multiply it by ",
                             "10000, or state that it is not: --set data.units.s2=numbers."));
    if (found != OpticalUnit::offset_numbers || stated == OpticalUnit::numbers) continue;
    const std::string when = later ? "from 25 January 2022 on" : "before 25 January 2022";
    if (!stated)
      throw DataError(concat(path(), ": in every band 999 of 1000 values of S2 ", when,
                             " are at least 900, as those with the offset of baseline 04.00 are; state whether they ",
                             "have it: --set data.units.s2=offset, or else --set data.units.s2=numbers."));
    offset_[later ? 1 : 0] = true;
    notes_.push_back(concat(path(), ": S2 ", when, " is converted from offset to numbers"));
  }
  limited_ = true;
}

void Stack::keep_values(const ImageSeries& series, Index date, Matrix<float>& values) const {
  constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();
  const bool radar = &series == &s1_;
  const PossibleRange range = radar ? possible_range(SarUnit::db) : possible_range(OpticalUnit::numbers);
  const float less = !radar && offset_[series.times[date] >= kBaseline0400 ? 1 : 0] ? kOffset : 0;
  for (Index i = 0; i < values.size(); ++i) {
    float& value = values.data()[i];
    if (limited_ && !(value >= range.low && value <= range.high)) value = kNoNumber;
    for (const Fill& fill : radar ? s1_fills_ : s2_fills_)
      if (value == fill.number) value = kNoNumber;
    value -= less;
  }
}

}  // namespace fovea::datasets::rasters
