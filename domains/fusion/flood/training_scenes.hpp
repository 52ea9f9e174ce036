#pragma once
/// Scenes that a model learns from, whole in memory, and the pixels of them that teach, choose and examine.

#include <functional>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/fusion/flood/clouds.hpp"
#include "fovea/domains/fusion/flood/pixel_columns.hpp"

namespace fovea::fusion::flood {

struct TrainingScene {
  std::string name;
  datasets::rasters::SceneWindow shown;  ///< the whole scene, S1 in dB, S2 in numbers
  bool has_split = false;
  std::vector<std::uint8_t> mask = {};  ///< of S2, 1 cloudy: where it does not hide S2 (SceneReading); else empty
  bool tested_whole = false;            ///< it is one group: intervals are over scenes
  std::vector<std::uint8_t> ground = {}, shaded = {},
                            veiled = {};  ///< of simulated ones (flooded_plain.hpp); else empty
};

/// What a file must be: the bands of the model (none: those of the file) and the units that its user states (auto, or
/// none: told by its values).
struct SceneReading {
  std::vector<std::string> s2_bands;
  std::string s1_unit = "auto", s2_unit = "auto";
  bool mask_hides = true;  ///< S2 where the scene's mask is not 0; else the mask is kept, to examine with
  Index label_band = 0;    ///< as in SceneRules, and the next
  bool byte_255_is_class = false;
  bool leave_out_bad = false;  ///< a scene that cannot be read is left out, with a note; else it is refused
};
const Keys<SceneReading>& reading_keys();  ///< of units and bands
datasets::rasters::SceneRules rules_of(const SceneReading& reading);

/// Reads one of `scenes` scenes; false where it cannot be read and is left out, which a note says. Throws DataError.
bool reads_scene(const std::string& name, std::size_t scenes, const SceneReading& reading,
                 std::vector<std::string>& notes, const std::function<void()>& read);

/// All scenes of a list that have labels, and what was noticed. Throws DataError.
std::vector<TrainingScene> read_training_scenes(const std::string& list, const SceneReading& reading,
                                                std::vector<std::string>& notes);

struct SimulatedPlan {
  Index side = 96;
  double cloud = 0.15, looks = 4;
  Index teaching = 2;  ///< scenes of which blocks teach
  Index tested = 0;    ///< scenes that are tested whole; 0: every third block of those that teach is tested
};
/// Simulated river plains in flood (flooded_plain.hpp) of water (1) and land (0), those that teach first.
std::vector<TrainingScene> simulated_scenes(const SimulatedPlan& plan, const Random& random);
inline const std::vector<std::string> kSimulatedBands{"B02", "B03", "B04", "B08"};

/// How a scene is shown to a model: as it is, or with clouds over S2, S1 moved, and more speckle.
struct Rendition {
  double cover = 0;           ///< share of the pixels below clouds
  Index cover_side = 31;      ///< pixels; clouds are smooth at this scale
  bool by_mask = false;       ///< clouds lie where the scene's mask says so, in place of `cover`; if it has one
  Index paint_side = 31;      ///< pixels; what they look like is smooth at this scale
  bool announced = true;      ///< clouds hide S2; else they are painted into its values
  Index down = 0, right = 0;  ///< S1 is moved by so many pixels
  double looks = 0;           ///< of further speckle, Gamma distributed; 0: none
};

/// 1 where a rendition has clouds, announced or not.
std::vector<std::uint8_t> cloudy_pixels(const TrainingScene& scene, const Rendition& rendition, const Random& random);
datasets::rasters::SceneWindow rendered(const TrainingScene& scene, const std::vector<std::string>& s2_bands,
                                        const Rendition& rendition, const Random& random);
/// The random numbers of one rendition of a scene in cases_of_pixels().
Random stream_of(const TrainingScene& scene, std::size_t rendition, const Random& random);

/// A pixel that takes part.
struct ChosenPixel {
  Index scene = 0, rendition = 0, pixel = 0;  ///< rendition 0: as it is; below 0: not at all, it has no tokens
  std::string part;                           ///< "training", "validation", "test"
};

struct ChoicePlan {
  Index block = 64,
        guard = 4;  ///< side of a block; pixels so near the edge of a block for validation or test are left out
  Index training = 0, validation = 0;  ///< pixels at most
  Index renditions = 0;
  Index fold = 0;               ///< 0 to 4: which fifth of the blocks that teach is for validation
  bool examine_others = false;  ///< the next fifth is for the test, in place of the blocks that are for it
};

/// Where a scene has a split map, 0 is for training and validation, 1 for test; else every third block is for test.
/// Every fifth block of the rest is for validation. Only pixels with a label and a valid sensor.
std::vector<ChosenPixel> choose_pixels(const std::vector<TrainingScene>& scenes, const ChoicePlan& plan);

/// One case a pixel in this order: a token of each sensor that is valid there. renditions[0] must be as it is;
/// classes: the labels' numbers; a label of none of them is not known.
study::Cases cases_of_pixels(const std::vector<TrainingScene>& scenes, const std::vector<ChosenPixel>& chosen,
                             const std::vector<Rendition>& renditions, const ColumnPlan& plan,
                             const std::vector<std::int32_t>& classes, Index block, const Random& random);

}  // namespace fovea::fusion::flood
