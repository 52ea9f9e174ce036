#include "fovea/domains/imaging/inpaint/examine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/agreement/picture_quality.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/imaging/findings.hpp"

namespace fovea::imaging::inpaint {

namespace {

double range_of(const Picture& picture) {
  double low = INFINITY, high = -INFINITY;
  for (Index i = 0; i < picture.voxels(); ++i)
    if (picture.missing[i] == 0) low = std::min(low, picture.values[i]), high = std::max(high, picture.values[i]);
  return std::max(high - low, 1e-300);
}

struct HoleMean {
  double mean, low, high;
};

/// A mean over the holes with its 95 % interval; NaN for the interval of one hole.
HoleMean hole_mean(const std::vector<double>& values, const Random& random) {
  const auto mean = [&](std::span<const Index> rows) {
    double sum = 0;
    for (const Index k : rows) sum += values[k];
    return sum / static_cast<double>(rows.size());
  };
  std::vector<Index> all(values.size());
  std::iota(all.begin(), all.end(), 0);
  if (values.size() < 2) return {mean(all), kNan, kNan};
  BootstrapSettings settings;
  settings.kind = BootstrapKind::percentile;
  const BootstrapInterval interval = bootstrap_interval(std::ssize(values), mean, random, settings);
  return {mean(all), interval.low, interval.high};
}

HoleMean add_hole_mean(const std::string& name, const std::string& unit, const std::string& meaning,
                       const std::vector<ExaminedHole>& holes, const std::function<double(const ExaminedHole&)>& of,
                       const Random& random, Results& results) {
  std::vector<double> values;
  for (const ExaminedHole& hole : holes) values.push_back(of(hole));
  const HoleMean found = hole_mean(values, random.stream(name));
  results.scalar(name, found.mean, unit, meaning);
  if (values.size() < 2) return found;
  results.scalar(name + "_low", found.low, unit, meaning + ", lower end (95 %, bootstrap over holes)");
  results.scalar(name + "_high", found.high, unit, meaning + ", upper end (95 %, bootstrap over holes)");
  return found;
}

void add_holes_table(const Picture& picture, const std::vector<ExaminedHole>& holes, Results& results) {
  const auto place = [&](const ExaminedHole& hole) {
    const Place p = Box{{0, 0, 0}, picture.size}.place(hole.voxels.front());
    return concat('(', p[0], ", ", p[1], ", ", p[2], ')');
  };
  auto table = rows("hole", holes, place, "first voxel of the hole: x, y, z");
  table.prefix("hole_")
      .number("psnr", &ExaminedHole::psnr, "attention", "dB")
      .number("psnr_guess", &ExaminedHole::guess_psnr, "its guess", "dB");
  for (std::size_t m = 0; m < kSimple.size(); ++m)
    table.number(
        concat("psnr_simple_", m), [=](const ExaminedHole& hole) { return hole.simple_psnr[m]; }, kGuesses[kSimple[m]],
        "dB");
  table
      .number(
          "share", [](const ExaminedHole& hole) { return hole.filled.attention.share; }, "share of attention")
      .number("covered", &ExaminedHole::covered, "within 90 %")
      .write(results)
      .table(results, {.name = "holes",
                       .title = "Examined holes",
                       .caption = "PSNR over each hole, whose truth was hidden.",
                       .digits = 4});
}

/// The slice of the picture in which most of the hole lies, with some voxels around it.
Box shown_box(const Picture& picture, const ExaminedHole& hole) {
  std::vector<Place> places;
  const Box all{{0, 0, 0}, picture.size};
  for (const Index i : hole.voxels) places.push_back(all.place(i));
  Box box = box_of(places);
  box.first[2] += box.size[2] / 2, box.size[2] = 1;
  return around(picture, box, {40, 40, 0});
}

void add_pictures(const Picture& picture, const ExaminedHole& hole, Results& results) {
  const Box box = shown_box(picture, hole);
  std::vector<double> truth(box.voxels()), holed, filled, error(box.voxels(), kNan), width = error, attended = error;
  std::vector<double> shares;
  double low = INFINITY, high = -INFINITY, most = 0;
  for (Index i = 0; i < box.voxels(); ++i) {
    const Index at = picture.at(box.place(i));
    truth[i] = picture.missing[at] != 0 ? kNan : picture.values[at];
    if (picture.missing[at] == 0) low = std::min(low, truth[i]), high = std::max(high, truth[i]);
    if (const double share = hole.filled.attended[at]; share > 0) attended[i] = share, shares.push_back(share);
  }
  holed = filled = truth;
  for (std::size_t k = 0; k < hole.voxels.size(); ++k) {
    const Place p = Box{{0, 0, 0}, picture.size}.place(hole.voxels[k]);
    if (!box.holds(p)) continue;
    const Index i = box.at(p);
    holed[i] = kNan, filled[i] = std::clamp(hole.filled.values[k], low, high);
    error[i] = hole.errors[k], width[i] = hole.filled.half_widths[k];
    most = std::max({most, error[i], std::isfinite(width[i]) ? width[i] : 0});
  }
  results.data.dimension("row", box.size[1]);
  results.data.dimension("column", box.size[0]);
  const auto add = [&](const char* name, const char* meaning, const std::vector<double>& values, double from,
                       double to) {
    results.add(name, {"row", "column"}, values, "1", meaning);
    results.data.at(name).attributes = {{"valid_min", exact_text(from)}, {"valid_max", exact_text(to)}};
  };
  add("holed", "with the hole", holed, low, high), add("truth", "truth", truth, low, high);
  add("filled", "filled", filled, low, high), add("error_map", "error", error, 0, most);
  add("width_map", "half-width", width, 0, most);
  std::sort(shares.begin(), shares.end());
  const double top = shares.empty() ? 1 : shares[shares.size() * 99 / 100];
  for (double& share : attended) share = std::min(share, top);
  add("attended_map", "attention", attended, 0, top);
  results.figure({.kind = "image",
                  .name = "pictures",
                  .title = "A hole: what was hidden, and what fills it",
                  .caption = "The hole with the median PSNR, in its middle slice. Attention: the share that each known "
                             "voxel of this slice receives from the whole hole, up to its 99 % quantile. Half-width: "
                             "of the 90 % interval.",
                  .variables = {"holed", "truth", "filled", "error_map", "width_map", "attended_map"},
                  .x = "column",
                  .y = "row"});
}

/// Spearman's correlation of error and half-width over all voxels; NaN where there is no interval.
double error_rank(const std::vector<ExaminedHole>& holes) {
  std::vector<double> errors, widths;
  for (const ExaminedHole& hole : holes)
    for (std::size_t k = 0; k < hole.errors.size(); ++k)
      if (std::isfinite(hole.filled.half_widths[k]))
        errors.push_back(hole.errors[k]), widths.push_back(hole.filled.half_widths[k]);
  return errors.size() < 3 ? kNan : rank_correlation(errors, widths);
}

}  // namespace

std::vector<std::vector<Index>> examined_holes(const Picture& picture, const ExaminePlan& plan, const Random& random) {
  constexpr std::uint64_t kTries = 200;
  const Place size{plan.side, plan.side, std::min(plan.depth, picture.size[2])};
  std::vector<std::vector<Index>> holes;
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(plan.holes) * kTries && std::ssize(holes) < plan.holes;
       ++n) {
    Box box{{0, 0, 0}, size};
    bool fits = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Index rim = picture.size[k] > size[k] + 1 ? 1 : 0, room = picture.size[k] - size[k] - 2 * rim;
      fits = fits && room >= 0;
      if (fits) box.first[k] = rim + static_cast<Index>(random.below(static_cast<std::uint64_t>(room + 1), n, k));
    }
    std::vector<Index> hole;
    for (Index i = 0; fits && i < box.voxels(); ++i) hole.push_back(picture.at(box.place(i)));
    fits = fits && std::all_of(hole.begin(), hole.end(), [&](Index i) { return picture.missing[i] == 0; });
    if (fits) holes.push_back(std::move(hole));
  }
  return holes;
}

ExaminedHole examined(const Picture& picture, const std::vector<Index>& hole, const Settings& settings) {
  ExaminedHole made;
  Picture holed = picture;
  std::vector<double> truth;
  std::vector<Place> places;
  for (const Index i : hole) {
    holed.missing[i] = 1;
    truth.push_back(picture.values[i]), places.push_back(Box{{0, 0, 0}, picture.size}.place(i));
  }
  const double range = range_of(picture);
  Settings shown = settings;
  shown.shows = true;
  made.voxels = hole, made.filled = fill(holed, shown);
  // What was missing before is filled, too, but examined is the hole alone.
  Filled own = made.filled;
  own.voxels.clear(), own.values.clear(), own.half_widths.clear(), own.guess.clear();
  for (std::size_t k = 0, next = 0; k < made.filled.voxels.size() && next < hole.size(); ++k) {
    if (made.filled.voxels[k] != hole[next]) continue;
    own.voxels.push_back(hole[next]), own.values.push_back(made.filled.values[k]);
    own.half_widths.push_back(made.filled.half_widths[k]), own.guess.push_back(made.filled.guess[k]);
    ++next;
  }
  made.filled = std::move(own);
  made.psnr = peak_signal_to_noise(made.filled.values, truth, range);
  made.guess_psnr = peak_signal_to_noise(made.filled.guess, truth, range);
  const Patch patch = patch_around(holed, places, settings.slices, {});
  const Matrix<double> guesses = guesses_of(patch);
  std::array<std::vector<double>, 3> simple;
  Index row = 0;
  for (Index i = 0; i < patch.box.voxels(); ++i) {
    if (patch.unknown[i] == 0) continue;
    if (std::binary_search(hole.begin(), hole.end(), picture.at(patch.box.place(i))))
      for (std::size_t m = 0; m < 3; ++m) simple[m].push_back(guesses(row, kSimple[m]));
    ++row;
  }
  for (std::size_t m = 0; m < 3; ++m) made.simple_psnr[m] = peak_signal_to_noise(simple[m], truth, range);
  double within = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    made.errors.push_back(std::abs(made.filled.values[k] - truth[k]));
    if (made.errors[k] <= made.filled.half_widths[k]) ++within;
  }
  made.covered = within / static_cast<double>(truth.size());
  return made;
}

void report_holes(const Picture& picture, const std::vector<ExaminedHole>& holes, const Random& random,
                  Results& results) {
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& meaning,
                       const std::function<double(const ExaminedHole&)>& of) {
    return add_hole_mean(name, unit, meaning, holes, of, random, results);
  };
  HolesFilled filled{std::ssize(holes), 0, 0, {}, 0};
  filled.psnr = add("psnr", "dB", "mean PSNR over the holes", [](const ExaminedHole& hole) { return hole.psnr; }).mean;
  add("psnr_guess", "dB", "mean PSNR of the guess alone", [](const ExaminedHole& hole) { return hole.guess_psnr; });
  filled.simple = -INFINITY;
  for (std::size_t m = 0; m < kSimple.size(); ++m) {
    const char* name = kGuesses[kSimple[m]];
    const double mean =
        add(concat("psnr_simple_", m), "dB", concat("mean PSNR, ", name), [m](const ExaminedHole& hole) {
          return hole.simple_psnr[m];
        }).mean;
    if (mean > filled.simple) filled.simple = mean, filled.best = name;
  }
  const HoleMean gain = add("psnr_gain", "dB", "PSNR with attention less that of its guess",
                            [](const ExaminedHole& hole) { return hole.psnr - hole.guess_psnr; });
  filled.covered =
      add("covered", "1", "share of the hidden voxels within their 90 % interval", [](const ExaminedHole& hole) {
        return hole.covered;
      }).mean;
  results.scalar("error_rank", error_rank(holes), "1", "Spearman's correlation of error and half-width");
  add_holes_table(picture, holes, results);
  std::vector<std::size_t> order(holes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return holes[a].psnr < holes[b].psnr; });
  add_pictures(picture, holes[order[order.size() / 2]], results);
  results.headline({.variable = "psnr", .label = "PSNR, dB", .meaning = "mean over the examined holes"});
  results.headline({.variable = "psnr_gain", .label = "gain by attention, dB", .meaning = "over its own guess"});
  results.headline({.variable = "covered",
                    .label = "within 90 % interval",
                    .meaning = "share of the hidden voxels that lie within their interval"});
  results.finding(filled);
  results.finding(AttentionMends{{gain.mean, gain.low, gain.high, std::ssize(holes)}});
  results.finding(AttentionAddsLittle{{gain.mean, gain.low, gain.high, std::ssize(holes)}});
  results.finding(NoDevice{true});
}

}  // namespace fovea::imaging::inpaint
