#pragma once
/// Patches of two sensors in one space (Radford et al. 2021).
///
/// A patch is cut into cells; a cell is the mean and the log deviation of each channel. Layers see a cell with its
/// eight neighbours; what they say of each cell, side by side and of length 1, is the embedding.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/parameters.hpp"
#include "fovea/domains/fusion/match/match_scenes.hpp"

namespace fovea::fusion::match {

enum class Sensor : std::uint8_t { s1, s2 };
const char* name_of(Sensor sensor);  ///< "s1", "s2"

struct MatchPlan {
  std::vector<std::string> s2_bands;
  Index cell = 4;                             ///< side, pixels; divides kPatch
  Index width = 32, layers = 1, numbers = 8;  ///< of a cell
  double dropout = 0.1;

  Index cells() const { return (kPatch / cell) * (kPatch / cell); }
  Index inputs(Sensor sensor) const;
  Index embedding() const { return cells() * numbers; }
};

/// What is subtracted from the columns of cells, and what they are divided by.
struct Standards {
  std::vector<float> mean, deviation;
};

class PatchEncoder {
 public:
  PatchEncoder(learning::Parameters<float>& parameters, const std::string& name, Index inputs, const MatchPlan& plan,
               const Random& random);
  /// cells: [patches cells x inputs] -> [patches x embedding], rows of length 1
  learning::Variable<float> operator()(learning::Variable<float> cells) const;

 private:
  MatchPlan plan_;
  learning::Linear<float> in_;
  std::vector<learning::Linear<float>> around_;
  learning::Linear<float> out_;
};

/// Two encoders and the temperature.
struct MatchNet {
  MatchNet(learning::Parameters<float>& parameters, const MatchPlan& plan, const Random& random);
  const PatchEncoder& of(Sensor sensor) const { return sensor == Sensor::s1 ? s1 : s2; }
  PatchEncoder s1, s2;
  learning::ParameterPlace log_scale;
};

struct MatchModel {
  MatchPlan plan;
  Standards s1, s2;
  std::vector<learning::Parameters<float>> members;
  const Standards& of(Sensor sensor) const { return sensor == Sensor::s1 ? s1 : s2; }
};

/// One of the eight ways to lay a square: bit 0 exchanges rows and columns, bits 1 and 2 reverse them.
using Orientation = std::uint8_t;

/// The cells of a patch, row by row: rows [first, first + plan.cells()) of `to`.
/// channels: [channels x pixels] of an image of so many columns; pixel: the upper left one
template <typename Rows>
void write_cells(const Matrix<float>& channels, Index columns, Index pixel, Orientation turn, const MatchPlan& plan,
                 const Standards& standards, Index first, Rows&& to);

/// Embeddings of patches, rows of length 1: those of the members side by side.
Matrix<float> embed(const MatchModel& model, Sensor sensor, const Matrix<float>& channels, Index columns,
                    const std::vector<Index>& patches);

/// kind = "fovea model", plan, standards, members and a hash of it all; and back, of unknown origin. Throws DataError.
Dataset match_model_dataset(const MatchModel& model, std::string_view experiment, int result_version);
MatchModel read_match_model(const std::string& source, const Dataset& data, int result_version);
std::string match_model_text(const MatchModel& model);

template <typename Rows>
void write_cells(const Matrix<float>& channels, Index columns, Index pixel, Orientation turn, const MatchPlan& plan,
                 const Standards& standards, Index first, Rows&& to) {
  const Index across = kPatch / plan.cell, count = channels.rows();
  const auto lies = [&](Index r, Index c) {
    if ((turn & 2) != 0) r = kPatch - 1 - r;
    if ((turn & 4) != 0) c = kPatch - 1 - c;
    return (turn & 1) != 0 ? pixel + c * columns + r : pixel + r * columns + c;
  };
  const auto size = static_cast<float>(plan.cell * plan.cell);
  std::vector<float> sum(count), squares(sum.size());
  for (Index t = 0; t < plan.cells(); ++t) {
    std::fill(sum.begin(), sum.end(), 0.0F);
    std::fill(squares.begin(), squares.end(), 0.0F);
    for (Index k = 0; k < plan.cell * plan.cell; ++k) {
      const Index at = lies(t / across * plan.cell + k / plan.cell, t % across * plan.cell + k % plan.cell);
      for (Index b = 0; b < count; ++b) sum[b] += channels(b, at);
    }
    for (Index k = 0; k < plan.cell * plan.cell; ++k) {
      const Index at = lies(t / across * plan.cell + k / plan.cell, t % across * plan.cell + k % plan.cell);
      for (Index b = 0; b < count; ++b) {
        const float off = channels(b, at) - sum[b] / size;
        squares[b] += off * off;
      }
    }
    for (Index b = 0; b < count; ++b) {
      const std::size_t one = b, two = b + count;
      const float log_deviation = 0.5F * std::log(squares[one] / size + 1e-4F);
      to(first + t, b) = (sum[one] / size - standards.mean[one]) / standards.deviation[one];
      to(first + t, b + count) = (log_deviation - standards.mean[two]) / standards.deviation[two];
    }
  }
}

}  // namespace fovea::fusion::match
