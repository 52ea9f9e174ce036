#include "fovea/domains/imaging/inpaint/inpaint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::imaging::inpaint {

namespace {

constexpr Index kTeachingHoles = 8;
constexpr Index kMostCutVoxels = 16384, kAllCutVoxels = 300'000;  // of a hole, of all
constexpr Index kMostKeys = 6144, kManyHoles = 32, kManyKeys = 1024;

/// number = low + range * scaled
struct Unit {
  double low = 0, range = 1;
};

/// The picture between 0 and 1, contexts with mean 0 and deviation 1 where they show something; holes hold 0.
Unit scale(Picture& picture) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index i = 0; i < picture.voxels(); ++i)
    if (picture.missing[i] == 0) low = std::min(low, picture.values[i]), high = std::max(high, picture.values[i]);
  require(low <= high, "inpaint: every voxel is missing; something must be known.");
  const Unit unit{low, high - low};
  for (Index i = 0; i < picture.voxels(); ++i)
    picture.values[i] = picture.missing[i] != 0 || unit.range == 0 ? 0 : (picture.values[i] - unit.low) / unit.range;
  for (std::vector<double>& context : picture.contexts) {
    double count = 0, sum = 0, squares = 0;
    for (const double value : context)
      if (std::isfinite(value)) ++count, sum += value;
    const double mean = sum / std::max(count, 1.0);
    for (const double value : context)
      if (std::isfinite(value)) squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / std::max(count, 1.0));
    for (double& value : context) value = deviation > 0 ? (value - mean) / deviation : 0;
  }
  return unit;
}

/// Those from whose cut holes attention learns: some of the largest, those that rank equally together.
std::vector<Index> teaching_holes(const Picture& picture, const std::vector<Hole>& holes) {
  using Rank = std::pair<Index, std::uint64_t>;
  std::vector<std::pair<Rank, Index>> ranked;
  for (Index k = 0; k < std::ssize(holes); ++k) {
    const Box& box = holes[k].box;
    const Place middle{2 * box.first[0] + box.size[0], 2 * box.first[1] + box.size[1], 2 * box.first[2] + box.size[2]};
    const Box twice{{0, 0, 0}, {2 * picture.size[0] + 1, 2 * picture.size[1] + 1, 2 * picture.size[2] + 1}};
    ranked.push_back({{-std::ssize(holes[k].voxels), mirrored_hash(middle, twice)}, k});
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<Index> chosen;
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    if (std::cmp_greater_equal(k, kTeachingHoles) && ranked[k].first != ranked[k - 1].first) break;
    if (k < 4 * kTeachingHoles) chosen.push_back(ranked[k].second);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

struct Answered {
  AttendedHole attended;
  Eigen::VectorXd weights, mixed, shares;
  std::vector<Place> key_places;  ///< of the shares
  Index beyond = 0;
};

}  // namespace

Filled fill(Picture picture, const Settings& settings) {
  const Unit unit = scale(picture);
  const std::vector<Hole> holes = holes_of(picture, settings.slices);
  const Index count = std::ssize(holes);
  Filled filled;
  filled.holes = count, filled.weights = Eigen::VectorXd::Zero(kGuessCount);
  if (count == 0) return filled;
  std::vector<double> rough;
  if (std::any_of(holes.begin(), holes.end(), [](const Hole& hole) { return hole.part; }))
    rough = rough_values(picture);
  const Index cut_voxels = std::clamp<Index>(kAllCutVoxels / count, 256, kMostCutVoxels);
  const auto prepare = [&](Index k) {
    return prepared(picture, holes[k], settings.slices, rough, cut_voxels, count > kManyHoles ? kManyKeys : kMostKeys);
  };
  const std::vector<Index> chosen = teaching_holes(picture, holes);
  std::vector<std::optional<PreparedHole>> kept(count);
  for_each_task(std::ssize(chosen), chosen.size() > 1, [&](Index k) { kept[chosen[k]] = prepare(chosen[k]); });
  std::vector<const PreparedHole*> teaching;
  for (const Index k : chosen) teaching.push_back(&*kept[k]);
  filled.attention = learned_attention(teaching, std::ssize(picture.contexts), settings.attends);
  std::vector<Answered> answers(count);
  for_each_task(count, count > 1, [&](Index k) {
    PreparedHole hole = kept[k] ? *std::exchange(kept[k], std::nullopt) : prepare(k);
    answers[k] = {attended_hole(hole, filled.attention), std::move(hole.weights), std::move(hole.mixed), {}, {}, 0};
    answers[k].beyond = (hole.depths.array() > filled.attention.deepest).count();
    if (!settings.shows) return;
    answers[k].shares = key_shares(hole, filled.attention), answers[k].key_places = std::move(hole.key_places);
  });
  struct Voxel {
    Index at;
    double value, half_width, guess;
  };
  std::vector<Voxel> voxels;
  if (settings.shows) filled.attended.assign(picture.voxels(), 0);
  for (Index k = 0; k < count; ++k) {
    const Answered& answer = answers[k];
    const auto size = static_cast<double>(holes[k].voxels.size());
    filled.weights += size * answer.weights, filled.beyond += answer.beyond;
    for (std::size_t n = 0; n < answer.key_places.size(); ++n)
      filled.attended[picture.at(answer.key_places[n])] += size * answer.shares[static_cast<Index>(n)];
    for (std::size_t n = 0; n < holes[k].voxels.size(); ++n) {
      const auto row = static_cast<Index>(n);
      voxels.push_back({picture.at(holes[k].voxels[n]), answer.attended.values[row], answer.attended.half_widths[row],
                        answer.mixed[row]});
    }
  }
  std::sort(voxels.begin(), voxels.end(), [](const Voxel& a, const Voxel& b) { return a.at < b.at; });
  filled.weights /= static_cast<double>(voxels.size());
  for (double& share : filled.attended) share /= static_cast<double>(voxels.size());
  for (const Voxel& voxel : voxels) {
    filled.voxels.push_back(voxel.at);
    filled.values.push_back(unit.low + unit.range * voxel.value);
    filled.guess.push_back(unit.low + unit.range * voxel.guess);
    filled.half_widths.push_back(unit.range * voxel.half_width);
  }
  return filled;
}

}  // namespace fovea::imaging::inpaint
