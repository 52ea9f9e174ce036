#pragma once
/// The model of this domain (model/fusion_model.hpp) for pixels with one token of each sensor, packed once and applied
/// to rows of pixels.
///
/// With one token a softmax is 1, so queries and doubts say nothing, and what follows one another without a function
/// between becomes one matrix: with h_s = GELU(W_s x_s) of sensor s, o the other,
///
///   alone_s = H_s GELU(A_s h_s),   informed_s = H_s GELU(A_s h_s + B_s h_o)
///
/// (biases left out). Inputs that are the same for all pixels, such as the marks of what the other sensor has, go into
/// biases; the normal scores of the columns are functions of straight pieces. Numbers differ from those of the model by
/// their rounding alone.

#include <array>
#include <string>
#include <vector>

#include "fovea/core/base/memory.hpp"
#include "fovea/core/study/trained/model_file.hpp"
#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

namespace fovea::fusion::maps {

/// A row of pixels: columns of each sensor, [columns x stride], stride a multiple of kGroup<float>; nullptr: no such
/// sensor. Columns are overwritten.
struct PixelRow {
  std::array<float*, 2> columns{};
  std::array<const float*, 2> valid{};  ///< 1 or 0, as long as the stride
  Index count = 0, stride = 0;
};

/// [rows x stride] each; of pixels without any sensor anything.
struct RowAnswers {
  float* probabilities;  ///< C rows, of the calibrated ensemble
  float* trust;          ///< 2 rows
  float *likeliest, *entropy, *spread;
  float* outside;  ///< share of the pixel's columns outside the training range
};

class PixelNetwork {
 public:
  /// columns: of each sensor, in their order, as the model must have learned them. Throws DataError that starts with
  /// `source` for a model of anything else.
  PixelNetwork(const std::string& source, const study::TrainedModel& model, const study::Target& target,
               const std::array<std::vector<std::string>, 2>& columns);

  Index classes() const { return classes_; }
  const std::string& column_name(std::size_t sensor, std::size_t column) const { return names_[sensor][column]; }
  /// Of each sensor and column, pixels of a row outside the training range; added to by answer().
  using OutsideCounts = std::array<std::vector<Index>, 2>;

  /// One thread's memory.
  using Work = AlignedVector<float>;
  /// Probabilities of pixels unlike those of the training fall back (core/study/predict/unfamiliar.hpp).
  void answer(const PixelRow& row, Work& work, const RowAnswers& to, OutsideCounts& outside) const;

 private:
  /// y = bias + weight x, weight [outputs x inputs]
  struct Layer {
    Matrix<float> weight;
    std::vector<float> bias;
  };
  struct MemberOfSensor {
    Layer seen, other, head;  ///< A_s, B_s (its bias is added to that of A_s), H_s
  };
  struct MemberParts {
    std::array<MemberOfSensor, 2> sensors;
    float sharpness = 1;
  };
  void check(const std::string& source, const study::Preparation& learned,
             const std::array<std::vector<std::string>, 2>& columns) const;
  void pack_scores(const study::Preparation& learned, const std::array<std::vector<std::string>, 2>& columns);
  void count_outside(const PixelRow& row, float* share, OutsideCounts& outside) const;
  void fall_back(const PixelRow& row, const RowAnswers& to) const;
  void pack_member(const learning::Parameters<float>& parameters, std::size_t member);

  Index classes_ = 0, width_ = 0, features_ = 0, members_count_ = 0;
  float inverse_temperature_ = 1;
  std::array<std::vector<std::string>, 2> names_;
  std::array<std::vector<PieceTable>, 2> scores_;
  std::array<std::vector<std::array<float, 2>>, 2> limits_;  ///< of the training range; of what was not learned none
  std::array<Layer, 2> stems_;                               ///< of all members, one below the other
  std::array<std::vector<float>, 2> marks_;                  ///< the inputs that no pixel changes, of each sensor
  std::vector<MemberParts> members_;
};

/// The normal score of a value among quantiles (core/study/cases/token_classes.hpp) as straight pieces.
PieceTable score_pieces(const std::vector<double>& quantiles);

}  // namespace fovea::fusion::maps
