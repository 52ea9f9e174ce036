#pragma once
/// Scenes whose two sensors are to be matched: their channels, and the patches that teach and are examined.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/datasets/rasters/scene.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion::match {

inline constexpr Index kPatch = 16;      ///< side of a patch, pixels
inline constexpr Index kS1Channels = 3;  ///< VV, VH, VH - VV, dB

/// Channels of S2: log10 of the numbers of each band, and differences of bands over their sums (NDVI, NDWI, ...).
Index s2_channels(const std::vector<std::string>& bands);

enum class Part : std::uint8_t { none, teaches, examined };

struct PairScene {
  std::string name;
  Index rows = 0, columns = 0;
  Matrix<float> s1, s2;     ///< [channels x pixels], NaN where the sensor shows nothing
  std::vector<Part> parts;  ///< of each pixel

  Index pixels() const { return rows * columns; }
};

/// Channels of both sensors; a sensor that is not there has no columns.
PairScene channels_of(const std::string& name, const datasets::rasters::SceneWindow& shown,
                      const std::vector<std::string>& s2_bands);

struct SplitPlan {
  Index block = 64, guard = 4;  ///< side of a block; what is nearer to examined pixels than guard teaches nothing
  bool validation = false;      ///< every fifth block of what teaches is examined in place of what is for test
};
/// split: 0 teaches, 1 is for test; empty: every third block is for test.
std::vector<Part> parts_of(Index rows, Index columns, const std::vector<std::int32_t>& split, const SplitPlan& plan);

struct PairScenes {
  std::vector<std::string> s2_bands;
  std::vector<PairScene> scenes;
  study::Reading reading;
};
/// All scenes of a list that both sensors see, whole in memory. Throws DataError.
PairScenes read_pair_scenes(const std::string& list, const flood::SceneReading& reading, const SplitPlan& split);

/// A simulated scene of small squares of five classes; S1 shows at (r, c) what lies at (r, c) + shift.
PairScenes simulated_pair(Index side, double looks, double shift, const SplitPlan& split, const Random& random);

/// Pixels (upper left ones, row by row) of the patches whose pixels all have that part and both sensors. step 1: any;
/// kPatch: those side by side.
std::vector<Index> patches_of(const PairScene& scene, Part part, Index step);

/// Examined patches, of those side by side, with the values of one that teaches: of a scene that is listed twice.
study::RepeatedCases repeated_patches(const std::vector<PairScene>& scenes);

}  // namespace fovea::fusion::match
