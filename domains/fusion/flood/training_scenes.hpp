#pragma once
/// Scenes that a model learns from, whole in memory, and the pixels of them that teach, choose and examine.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/study/cases.hpp"
#include "fovea/domains/fusion/flood/pixel_columns.hpp"

namespace fovea::fusion::flood {

struct TrainingScene {
  std::string name;
  datasets::rasters::SceneWindow shown;  ///< the whole scene, S1 in dB, S2 in numbers
  bool has_split = false;
};

/// What a file must be: the bands of the model (none: those of the file) and the units that its user states ("": told
/// by its values).
struct SceneReading {
  std::vector<std::string> s2_bands;
  std::string s1_unit, s2_unit;
};
datasets::rasters::SceneRules rules_of(const SceneReading& reading);

/// All scenes of a list that have labels, and what was noticed. Throws DataError.
std::vector<TrainingScene> read_training_scenes(const std::string& list, const SceneReading& reading,
                                                std::vector<std::string>& notes);

/// Two simulated scenes of water (1) and four kinds of land (0), with clouds.
std::vector<TrainingScene> simulated_scenes(Index side, double cloud, double looks, const Random& random);
inline const std::vector<std::string> kSimulatedBands{"B02", "B03", "B04", "B08"};

/// How a scene is shown to a model: as it is, or with holes in S2, S1 moved, and more speckle.
struct Rendition {
  double holes = 0;           ///< share of the pixels whose S2 is hidden
  Index hole_side = 0;        ///< pixels; holes are smooth at this scale
  Index down = 0, right = 0;  ///< S1 is moved by so many pixels
  double looks = 0;           ///< of further speckle, Gamma distributed; 0: none
};
datasets::rasters::SceneWindow rendered(const datasets::rasters::SceneWindow& shown, const Rendition& rendition,
                                        const Random& random);

/// A pixel that takes part.
struct ChosenPixel {
  Index scene = 0, rendition = 0, pixel = 0;  ///< rendition 0: as it is
  std::string part;                           ///< "training", "validation", "test"
};

struct ChoicePlan {
  Index block = 64,
        guard = 4;  ///< side of a block; pixels so near the edge of a block for validation or test are left out
  Index training = 0, validation = 0;  ///< pixels at most
  Index renditions = 0;
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
