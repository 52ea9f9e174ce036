#include "fovea/domains/fusion/gapfill/stack_output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/hdf5_edit.hpp"
#include "fovea/domains/fusion/gapfill/stack_rasters.hpp"

namespace fovea::fusion::gapfill {

namespace {

using datasets::rasters::ImageSeries;

constexpr float kCounts = 10000;                       // of a reflectance of 1
constexpr double kLeastCount = 1, kMostCount = 30000;  // 0 is no data

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

/// Whether a pixel of an array is a gap that was filled: all of its fine pixels are hidden, and it is cloudy or lacks a
/// band.
bool is_filled_gap(const ImageStack& stack, const Flags& state, const Matrix<float>& stored, Index date, Index factor,
                   Index row, Index column) {
  bool cloudy = false;
  for (Index y = row * factor; y < (row + 1) * factor; ++y)
    for (Index x = column * factor; x < (column + 1) * factor; ++x) {
      const std::size_t at = y * stack.columns + x;
      if (state[at] != 1) return false;
      cloudy = cloudy || stack.cloudy[date][at] != 0;
    }
  return cloudy || stored.col(row * (stack.columns / factor) + column).array().isNaN().any();
}

/// The mean of a band over the fine pixels of a coarser one, as it is stored.
double count_of_mean(const ImageStack& stack, const Matrix<float>& image, Index factor, Index row, Index column,
                     Index band) {
  double sum = 0;
  for (Index y = row * factor; y < (row + 1) * factor; ++y)
    for (Index x = column * factor; x < (column + 1) * factor; ++x)
      sum += static_cast<double>(image(y * stack.columns + x, band));
  return std::clamp(std::round(sum / static_cast<double>(factor * factor) * static_cast<double>(kCounts)), kLeastCount,
                    kMostCount);
}

/// The filled numbers of a date in one array of the file.
void add_edits(const datasets::rasters::Stack& file, const ImageSeries& series, Index first_band,
               const ImageStack& stack, const Matrix<float>& image, const Flags& state, Index date, Hdf5Edit& edit) {
  if (series.bands.empty()) return;
  const Index factor = stack.rows / series.rows, bands = std::ssize(series.bands);
  const Matrix<float> stored = file.image(series, date);
  std::vector<Index> gaps;
  for (Index r = 0; r < series.rows; ++r)
    for (Index c = 0; c < series.columns; ++c)
      if (is_filled_gap(stack, state, stored, date, factor, r, c)) gaps.push_back(r * series.columns + c);
  for (Index b = 0; b < bands; ++b)
    for (const Index gap : gaps) {
      edit.places.push_back(static_cast<std::uint64_t>((date * bands + b) * series.rows * series.columns + gap));
      edit.numbers.push_back(
          count_of_mean(stack, image, factor, gap / series.columns, gap % series.columns, first_band + b));
    }
}

/// What becomes of the whole stack.
struct FilledStack {
  Hdf5Edit fine{"/s2/r10m", {}, {}}, coarse{"/s2/r20m", {}, {}};
  std::vector<float> filled, spread;
  std::int64_t gaps = 0, left = 0, untrusted = 0;
};

void add_date(const GapModel& model, const datasets::rasters::Stack& file, const ImageStack& stack,
              const Matrix<float>& seasons, Index date, FilledStack& all) {
  const FilledDate filled = filled_date(model, stack, seasons, stack.clear, date);
  const std::size_t d = date, pixels = stack.pixels();
  Flags state(pixels, 0);
  for (std::size_t i = 0; i < pixels; ++i) state[i] = stack.clear[d][i] != 0 ? 0 : 2;
  for (const Index i : filled.hidden) state[i] = 1;
  add_edits(file, file.r10m(), 0, stack, filled.image, state, date, all.fine);
  add_edits(file, file.r20m(), std::ssize(file.r10m().bands), stack, filled.image, state, date, all.coarse);
  std::vector<float> spread(stack.bands.size() * pixels, 0);
  for (std::size_t b = 0; b < stack.bands.size(); ++b) {
    for (std::size_t i = 0; i < pixels; ++i)
      if (state[i] == 2) spread[b * pixels + i] = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t k = 0; k < filled.hidden.size(); ++k)
      spread[b * pixels + filled.hidden[k]] = kCounts * filled.spread(static_cast<Index>(k), static_cast<Index>(b));
  }
  all.filled.insert(all.filled.end(), state.begin(), state.end());
  all.spread.insert(all.spread.end(), spread.begin(), spread.end());
  if (stack.clear_share(date) < model.trusted) ++all.untrusted;
  all.gaps += std::ssize(filled.hidden);
  all.left += std::count(state.begin(), state.end(), 2);
}

std::vector<std::string> sentences(const GapModel& learned, const ImageStack& stack, const FilledStack& all) {
  std::vector<std::string> said{concat(counted(all.gaps, "pixel"), " of ", counted(stack.dates(), "date"), " filled")};
  if (all.untrusted > 0)
    said.push_back(concat(counted(all.untrusted, "date"), " with less than ", rounded_text(100 * learned.trusted),
                          " % clear pixels interpolated in time, since these may be thin cloud"));
  if (all.left > 0) said.push_back(concat(counted(all.left, "pixel"), " not filled: no trusted date shows them"));
  if (stack.bands.size() < learned.plan.bands.size())
    said.push_back(concat("the stack has ", stack.bands.size(), " of the model's ", learned.plan.bands.size(),
                          " bands: pixels are compared by these"));
  if (!learned.plan.s1_bands.empty() && stack.s1_bands.empty())
    said.push_back("the stack has no S1, by which the model compares pixels, too: they are compared without it");
  return said;
}

}  // namespace

std::vector<std::string> write_filled_stack(const GapModel& learned, const std::string& path, const std::string& output,
                                            bool rasters) {
  const datasets::rasters::Stack file(path);
  if (file.is_netcdf())
    throw DataError(concat(path, ": is netCDF with a variable for each band, which is read, but not written; give the ",
                           "stack as HDF5 with /s2/r10m, see datasets/rasters/stacks.hpp."));
  const ImageStack stack = image_stack(file);
  const GapModel model = for_bands_of(learned, stack);
  const Matrix<float> seasons = season_columns(stack, model.plan);
  FilledStack all;
  for (Index date = 0; date < stack.dates(); ++date) {
    if (process_stop_flag().load() != 0)
      throw Interrupted(concat("stopped before the last date; ", output, " was not written."));
    add_date(model, file, stack, seasons, date, all);
  }
  const auto dates = static_cast<std::uint64_t>(stack.dates()), rows = static_cast<std::uint64_t>(stack.rows),
             columns = static_cast<std::uint64_t>(stack.columns);
  std::vector<Hdf5Edit> edits;
  if (!all.fine.places.empty()) edits.push_back(std::move(all.fine));
  if (!all.coarse.places.empty()) edits.push_back(std::move(all.coarse));
  const std::vector<std::string> said = sentences(learned, stack, all);
  std::vector<Hdf5Addition> additions(2);
  additions[0] = {"/s2/filled",
                  {dates, rows, columns},
                  StoredNumber::int8,
                  std::move(all.filled),
                  {{"description", "0 seen, 1 filled, 2 a gap that no date shows"}, {"dims", "time,y,x"}}};
  additions[1] = {"/s2/spread",
                  {dates, stack.bands.size(), rows, columns},
                  StoredNumber::float32,
                  std::move(all.spread),
                  {{"bands", joined(stack.bands)},
                   {"description", "standard deviation of what was filled; 0 seen, NaN not filled"},
                   {"dims", "time,band,y,x"},
                   {"units", "surface reflectance x 10000"}}};
  write_edited_copy(path, output, edits, additions);
  if (rasters) write_stack_rasters(output);
  return said;
}

}  // namespace fovea::fusion::gapfill
