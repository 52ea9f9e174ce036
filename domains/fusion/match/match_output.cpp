#include "fovea/domains/fusion/match/match_output.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion::match {

namespace {

using datasets::rasters::Scene;
using datasets::rasters::SceneEntry;

struct Patch {
  std::string scene;
  Index row = 0, column = 0;  ///< of its upper left pixel
};

/// Patches of all scenes, one after another.
struct Embedded {
  std::vector<float> s1, s2;
  std::vector<Patch> patches;
  bool has_s1 = false, has_s2 = false;
};

/// Upper left pixels of the patches of a strip that the sensor sees whole, and which patch each is.
void seen_patches(const Matrix<float>& channels, Index columns, std::vector<Index>& pixels,
                  std::vector<std::size_t>& which) {
  for (Index p = 0; p < columns / kPatch; ++p) {
    bool whole = true;
    for (Index r = 0; r < kPatch && whole; ++r)
      whole = channels.middleCols(r * columns + p * kPatch, kPatch).allFinite();
    if (whole) pixels.push_back(p * kPatch), which.push_back(p);
  }
}

void embed_strip(const MatchModel& model, Sensor sensor, const Matrix<float>& channels, Index columns,
                 std::vector<float>& to) {
  const Index width = std::ssize(model.members) * model.plan.embedding();
  const std::size_t begin = to.size();
  to.resize(begin + (columns / kPatch * width), std::numeric_limits<float>::quiet_NaN());
  if (channels.size() == 0) return;
  std::vector<Index> pixels;
  std::vector<std::size_t> which;
  seen_patches(channels, columns, pixels, which);
  const Matrix<float> said = embed(model, sensor, channels, columns, pixels);
  for (std::size_t k = 0; k < which.size(); ++k)
    std::copy_n(said.row(static_cast<Index>(k)).data(), width, &to[begin + which[k] * width]);
}

void embed_scene(const MatchModel& model, const SceneEntry& entry, const Scene& scene, Embedded& all) {
  const Index rows = scene.facts().rows, columns = scene.facts().columns;
  all.has_s1 = all.has_s1 || !entry.s1.empty(), all.has_s2 = all.has_s2 || !entry.s2.empty();
  for (Index r = 0; r + kPatch <= rows; r += kPatch) {
    const PairScene strip = channels_of(entry.name, scene.read({r, 0, kPatch, columns}), model.plan.s2_bands);
    embed_strip(model, Sensor::s1, strip.s1, columns, all.s1);
    embed_strip(model, Sensor::s2, strip.s2, columns, all.s2);
    for (Index c = 0; c + kPatch <= columns; c += kPatch) all.patches.push_back({entry.name, r, c});
  }
}

}  // namespace

std::vector<std::string> write_embeddings(const MatchModel& model, const std::string& list, const std::string& output) {
  std::vector<std::string> notes;
  Embedded all;
  for (const SceneEntry& entry : datasets::rasters::read_scene_list(list)) {
    SceneEntry bare = entry;
    bare.labels.clear(), bare.split.clear();
    const Scene scene(bare, flood::rules_of({model.plan.s2_bands, "", ""}));
    notes.insert(notes.end(), scene.facts().notes.begin(), scene.facts().notes.end());
    if (scene.facts().rows < kPatch || scene.facts().columns < kPatch)
      throw DataError(concat(list, ": scene ", entry.name, " has ", scene.facts().rows, " x ", scene.facts().columns,
                             " pixels, but a patch has ", kPatch, " x ", kPatch, "; give a larger scene."));
    embed_scene(model, entry, scene, all);
  }
  const std::size_t width = std::ssize(model.members) * model.plan.embedding();
  Results results;
  results.data.dimension("patch", all.patches.size());
  results.data.dimension("d", width);
  const auto add = [&](const char* name, std::vector<float>& numbers, const char* what) {
    results.add(name, {"patch", "d"}, std::move(numbers), "1", what);
  };
  if (all.has_s1) add("embedding_s1", all.s1, "embedding of the S1 patch, of length 1");
  if (all.has_s2) add("embedding_s2", all.s2, "embedding of the S2 patch, of length 1");
  rows("patch", all.patches)
      .integer("row", &Patch::row, "row of the patch's upper left pixel")
      .integer("column", &Patch::column, "column of the patch's upper left pixel")
      .text("scene", &Patch::scene, "scene of the patch")
      .write(results);
  notes.push_back(concat(counted(std::ssize(all.patches), "patch", "patches"), " of 16 x 16 pixels"));
  write_dataset(output, results.data);
  return notes;
}

}  // namespace fovea::fusion::match
