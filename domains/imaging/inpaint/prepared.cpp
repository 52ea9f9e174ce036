#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/imaging/inpaint/attended.hpp"
#include "fovea/domains/imaging/inpaint/columns.hpp"
#include "fovea/domains/imaging/inpaint/mixture.hpp"

namespace fovea::imaging::inpaint {

namespace {

/// Some voxels guessed with their surroundings.
struct Guessed {
  Patch patch;
  Matrix<double> all;         ///< of everything unknown in the patch
  Matrix<double> guesses;     ///< of the voxels
  std::vector<Index> depths;  ///< of the patch
};

Guessed guessed(const Picture& picture, const std::vector<Place>& voxels, Index slices,
                const std::vector<double>& rough) {
  Guessed made{patch_around(picture, voxels, slices, rough), {}, {}, {}};
  made.all = guesses_of(made.patch);
  made.depths = depths_of(made.patch);
  std::vector<Index> numbers(made.patch.unknown.size(), 0);
  Index count = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (made.patch.unknown[i] != 0) numbers[i] = count++;
  made.guesses.resize(std::ssize(voxels), kGuessCount);
  for (std::size_t n = 0; n < voxels.size(); ++n)
    made.guesses.row(static_cast<Index>(n)) = made.all.row(numbers[made.patch.box.at(voxels[n])]);
  return made;
}

/// Puts the mixture where the patch is unknown.
void mix_in(const Eigen::VectorXd& weights, Guessed& guessed) {
  const Eigen::VectorXd mixed = guessed.all * weights;
  Index next = 0;
  for (std::size_t i = 0; i < guessed.patch.unknown.size(); ++i)
    if (guessed.patch.unknown[i] != 0) guessed.patch.values[i] = mixed[next++];
}

Eigen::VectorXd depths_at(const Guessed& guessed, const std::vector<Place>& voxels) {
  Eigen::VectorXd depths(std::ssize(voxels));
  for (std::size_t n = 0; n < voxels.size(); ++n)
    depths[static_cast<Index>(n)] = static_cast<double>(guessed.depths[guessed.patch.box.at(voxels[n])]);
  return depths;
}

/// The keys of a cut hole: those of its voxels that are chosen.
struct CutKeys {
  std::vector<Place> places;
  Matrix<float> columns;
  Eigen::VectorXd left, depths;
};

CutKeys keys_of(const Picture& picture, const Cut& cut, const Box& hole, Index nth, const Example& example,
                const Eigen::VectorXd& weights, Guessed& guessed) {
  mix_in(weights, guessed);
  CutKeys keys;
  std::vector<Index> chosen;
  for (std::size_t n = 0; n < cut.voxels.size(); ++n)
    if (mirrored_hash(cut.voxels[n], hole) % static_cast<std::uint64_t>(nth) == 0)
      chosen.push_back(static_cast<Index>(n)), keys.places.push_back(cut.voxels[n]);
  Matrix<double> guesses(std::ssize(chosen), kGuessCount);
  keys.left.resize(std::ssize(chosen));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto row = static_cast<Index>(k);
    guesses.row(row) = example.guesses.row(chosen[k]);
    keys.left[row] = example.truth[chosen[k]] - guesses.row(row).dot(weights);
  }
  keys.columns = columns_of(picture, guessed.patch, keys.places, guesses, guessed.depths);
  keys.depths = depths_at(guessed, keys.places);
  return keys;
}

void join_keys(const std::vector<CutKeys>& cuts, PreparedHole& hole) {
  Index count = 0;
  for (const CutKeys& keys : cuts) count += std::ssize(keys.places);
  learning::ResidualLesson<float>& rows = hole.rows;
  rows.keys.resize(count, rows.queries.cols()), rows.left.resize(count, 1), hole.key_depths.resize(count);
  Index at = 0;
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const Index some = std::ssize(cuts[c].places);
    rows.keys.middleRows(at, some) = cuts[c].columns;
    rows.left.middleRows(at, some) = cuts[c].left.cast<float>();
    hole.key_depths.segment(at, some) = cuts[c].depths;
    hole.key_places.insert(hole.key_places.end(), cuts[c].places.begin(), cuts[c].places.end());
    hole.key_cuts.insert(hole.key_cuts.end(), some, static_cast<Index>(c));
    at += some;
  }
}

}  // namespace

PreparedHole prepared(const Picture& picture, const Hole& hole, Index slices, const std::vector<double>& rough,
                      Index most_cut_voxels, Index most_keys) {
  const std::vector<Cut> cuts = cuts_near(picture, hole, most_cut_voxels);
  const Index count = std::ssize(cuts);
  std::vector<Guessed> of_cuts(count);
  std::vector<Example> examples(count);
  Guessed own;
  const std::vector<double> none;
  for_each_task(count + 1, true, [&](Index k) {
    if (k == count) {
      own = guessed(picture, hole.voxels, slices, hole.part ? rough : none);
      return;
    }
    of_cuts[k] = guessed(picture, cuts[k].voxels, slices, none);
    examples[k] = {of_cuts[k].guesses, Eigen::VectorXd(std::ssize(cuts[k].voxels)), cuts[k].nearness};
    for (Index n = 0; n < examples[k].truth.size(); ++n)
      examples[k].truth[n] = picture.values[picture.at(cuts[k].voxels[n])];
  });
  PreparedHole made;
  made.voxels = hole.voxels;
  std::vector<const Example*> list;
  Index voxels = 0;
  for (const Example& example : examples) list.push_back(&example), voxels += example.truth.size();
  made.weights = Eigen::VectorXd::Unit(kGuessCount, 2);  // harmonic where nothing can be cut
  if (!list.empty()) made.weights = mixing_weights(list);
  if (own.patch.box.size[2] == 1) {  // no slices to go between
    made.weights[2] += made.weights[0] + made.weights[1] + made.weights[3], made.weights[5] += made.weights[4];
    made.weights[0] = made.weights[1] = made.weights[3] = made.weights[4] = 0;
  }
  mix_in(made.weights, own);
  made.mixed = own.guesses * made.weights;
  made.rows.queries = columns_of(picture, own.patch, hole.voxels, own.guesses, own.depths);
  made.depths = depths_at(own, hole.voxels);
  std::vector<CutKeys> keys(count);
  const Index nth = std::max<Index>((voxels + most_keys - 1) / most_keys, 1);
  for_each_task(count, true, [&](Index k) {
    keys[k] = keys_of(picture, cuts[k], hole.box, nth, examples[k], made.weights, of_cuts[k]);
  });
  join_keys(keys, made);
  for (const Cut& cut : cuts) made.nearness.push_back(cut.nearness);
  return made;
}

}  // namespace fovea::imaging::inpaint
