#include "fovea/domains/fusion/maps/pixel_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/predict/unfamiliar.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::maps {

namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
using Weights = Matrix<double>;

/// The smallest float that is at least x, and the smallest that is above it.
float from_below(double x) {
  const auto near = static_cast<float>(x);
  return static_cast<double>(near) >= x ? near : std::nextafterf(near, kInfinite);
}
float above(double x) {
  const auto near = static_cast<float>(x);
  return static_cast<double>(near) > x ? near : std::nextafterf(near, kInfinite);
}

Weights matrix_of(const learning::Parameters<float>& parameters, const std::string& name) {
  return parameters.matrix(parameters.at(name).place).cast<double>();
}

/// y = bias + weight x of columns, whatever the layer's rows are: layers hold inputs x outputs.
struct Affine {
  Weights weight, bias;  ///< [inputs x outputs], [1 x outputs]
  Affine then(const Affine& next) const { return {weight * next.weight, bias * next.weight + next.bias}; }
};

Affine affine_of(const learning::Parameters<float>& parameters, const std::string& name) {
  return {matrix_of(parameters, name + ".weight"), matrix_of(parameters, name + ".bias")};
}

/// What a sensor is told of the other: values and result of its attention, whose only weight is 1.
Affine told_of(const learning::Parameters<float>& parameters, const std::string& name) {
  Affine values = affine_of(parameters, name + ".other.key_value");
  const Index half = values.weight.cols() / 2;
  values.weight = Weights(values.weight.rightCols(half)), values.bias = Weights(values.bias.rightCols(half));
  return values.then(affine_of(parameters, name + ".other.out"));
}

void product(const Matrix<float>& weight, const float* x, Index stride, Index count, const float* bias, float* y) {
  kernels<float>().blocks.product_from_column(weight.rows(), whole_lanes<float>(count), weight.cols(),
                                              {weight.data(), weight.cols(), 1}, {x, stride, kGroup<float>}, bias, y,
                                              stride);
}

}  // namespace

PieceTable score_pieces(const std::vector<double>& quantiles) {
  PieceTable table;
  std::fill_n(table.thresholds, PieceTable::kMost, kInfinite);
  std::fill_n(table.base, PieceTable::kMost, 0.0F);
  std::fill_n(table.slope, PieceTable::kMost, 0.0F);
  const std::size_t count = quantiles.size();
  const auto score = [&](std::size_t k) {
    return normal_quantile((static_cast<double>(k) + 0.5) / static_cast<double>(count));
  };
  std::size_t pieces = 0;
  table.start[0] = static_cast<float>(score(0));
  const auto add = [&](float threshold, double start, double slope, double base) {
    table.thresholds[pieces++] = threshold;
    table.base[pieces] = static_cast<float>(base);
    table.slope[pieces] = static_cast<float>(slope);
    table.start[pieces] = static_cast<float>(start + slope * (static_cast<double>(table.base[pieces]) - base));
  };
  for (std::size_t k = 0; k < count;) {
    std::size_t end = k + 1;
    while (end < count && quantiles[end] == quantiles[k]) ++end;
    const double here = quantiles[k], last = score(end - 1);
    const double slope = end < count ? (score(end) - last) / (quantiles[end] - here) : 0;
    if (end - k > 1) add(from_below(here), (score(k) + last) / 2, 0, 0);
    add(end - k > 1 ? above(here) : from_below(here), last, slope, here);
    k = end;
  }
  for (std::size_t k = pieces + 1; k < PieceTable::kMost; ++k) table.start[k] = table.start[pieces];
  table.arrange();
  return table;
}

PixelNetwork::PixelNetwork(const std::string& source, const study::TrainedModel& model, const study::Target& target,
                           const std::array<std::vector<std::string>, 2>& columns)
    : classes_(target.outputs()),
      width_(model.config.integer("model.width")),
      features_(model.config.integer("model.features")),
      members_count_(std::ssize(model.members)),
      inverse_temperature_(static_cast<float>(1 / model.calibration.scale)),
      names_(columns) {
  check(source, model.preparation, columns);
  pack_scores(model.preparation, columns);
  members_.resize(model.members.size());
  for (std::size_t m = 0; m < members_.size(); ++m) pack_member(model.members[m].parameters, m);
}

void PixelNetwork::check(const std::string& source, const study::Preparation& learned,
                         const std::array<std::vector<std::string>, 2>& columns) const {
  std::vector<std::string> wanted = columns[0];
  wanted.insert(wanted.end(), columns[1].begin(), columns[1].end());
  bool fits = learned.features.size() == wanted.size() && learned.time_unit.empty() && learned.coordinates == 0 &&
              learned.classes == model::kSensorNames;
  for (std::size_t f = 0; fits && f < wanted.size(); ++f)
    fits = learned.features[f].name == wanted[f] && learned.features[f].categories.empty();
  if (!fits)
    throw DataError(concat(source, ": its features are not those of pixels with the bands and squares of its config; ",
                           "train the model again."));
}

void PixelNetwork::pack_scores(const study::Preparation& learned,
                               const std::array<std::vector<std::string>, 2>& columns) {
  const std::size_t features = learned.features.size();
  for (std::size_t s = 0; s < 2; ++s) {
    const Index rows = members_count_ * width_;
    stems_[s].weight = Matrix<float>::Zero(rows, std::ssize(columns[s]));
    stems_[s].bias.assign(rows, 0.0F);
    marks_[s].assign(2 * features, 0.0F);  // an input and a mark for each feature
    const std::size_t first = s == 0 ? 0 : columns[0].size();
    for (std::size_t f = 0; f < features; ++f) {
      const study::FeatureScale& scale = learned.scales[s * features + f];
      const bool mine = f >= first && f < first + columns[s].size(), known = mine && !std::isnan(scale.low);
      if (!known) marks_[s][2 * f + 1] = 1;
      if (mine) scores_[s].push_back(known ? score_pieces(scale.quantiles) : PieceTable{});
      if (mine)
        limits_[s].push_back(known ? std::array{from_below(scale.low), std::nextafterf(above(scale.high), -kInfinite)}
                                   : std::array{-kInfinite, kInfinite});
      if (mine && !known) {  // a column of which nothing was learned is as if it were missing
        std::fill_n(scores_[s].back().thresholds, PieceTable::kMost, kInfinite);
        scores_[s].back().arrange();
      }
    }
  }
}

void PixelNetwork::pack_member(const learning::Parameters<float>& parameters, std::size_t member) {
  MemberParts& parts = members_[member];
  const auto packed = [](const Affine& layer) {
    Layer made;
    made.weight = Matrix<float>(layer.weight.transpose().cast<float>());
    for (Index i = 0; i < layer.bias.cols(); ++i) made.bias.push_back(static_cast<float>(layer.bias(0, i)));
    return made;
  };
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string &name = model::kSensorNames[s], &other = model::kSensorNames[1 - s];
    const Affine stem = affine_of(parameters, name + ".stem"), values = affine_of(parameters, name + ".value"),
                 others = affine_of(parameters, other + ".value"), features = affine_of(parameters, name + ".features");
    const Index first = s == 0 ? 0 : stems_[0].weight.cols();
    const auto top = static_cast<Index>(member) * width_;
    for (Index j = 0; j < width_; ++j) {
      double bias = stem.bias(0, j);
      for (std::size_t i = 0; i < marks_[s].size(); ++i)
        bias += static_cast<double>(marks_[s][i]) * stem.weight(static_cast<Index>(i), j);
      stems_[s].bias[top + j] = static_cast<float>(bias);
      for (Index f = 0; f < stems_[s].weight.cols(); ++f)
        stems_[s].weight(top + j, f) = static_cast<float>(stem.weight(2 * (first + f), j));
    }
    Affine told = others.then(told_of(parameters, name));
    told.weight = told.weight * features.weight, told.bias = told.bias * features.weight;
    parts.sensors[s] = {packed(values.then(features)), packed(told), packed(affine_of(parameters, name + ".head"))};
  }
  parts.sharpness = std::exp(parameters.matrix(parameters.at("arbiter.log_sharpness").place)(0, 0));
}

/// Before the columns become scores.
void PixelNetwork::count_outside(const PixelRow& row, float* share, OutsideCounts& outside) const {
  std::vector<std::int32_t> far(row.count, 0), known(row.count, 0);
  for (std::size_t s = 0; s < 2; ++s) {
    outside[s].resize(limits_[s].size());
    if (row.columns[s] == nullptr) continue;
    std::int32_t learned = 0;
    for (std::size_t c = 0; c < limits_[s].size(); ++c) {
      const auto [low, high] = limits_[s][c];
      if (low == -kInfinite) continue;
      ++learned;
      const float *const values = row.columns[s] + static_cast<Index>(c) * row.stride, *const valid = row.valid[s];
      std::int32_t sum = 0;
      for (Index i = 0; i < row.count; ++i) {
        const std::int32_t out = ((values[i] < low) | (values[i] > high)) & (valid[i] != 0);
        far[i] += out, sum += out;
      }
      outside[s][c] += sum;
    }
    for (Index i = 0; i < row.count; ++i) known[i] += row.valid[s][i] != 0 ? learned : 0;
  }
  for (Index i = 0; i < row.count; ++i)
    share[i] = known[i] > 0 ? static_cast<float>(far[i]) / static_cast<float>(known[i]) : 0;
}

void PixelNetwork::fall_back(const PixelRow& row, const RowAnswers& to) const {
  const float equal = 1 / static_cast<float>(classes_);
  for (Index i = 0; i < row.count; ++i) {
    const float weight = study::weight_of_equal(to.outside[i]);
    if (weight == 0) continue;
    to.entropy[i] = 0, to.spread[i] *= 1 - weight;
    for (Index c = 0; c < classes_; ++c) {
      float& p = to.probabilities[c * row.stride + i];
      p = p * (1 - weight) + weight * equal;
      if (p > 0) to.entropy[i] -= p * std::log(p);
    }
  }
}

void PixelNetwork::answer(const PixelRow& row, Work& work, const RowAnswers& to, OutsideCounts& outside) const {
  count_outside(row, to.outside, outside);
  const MapKernels& loops = map_kernels();
  const auto& functions = learning::learning_kernels<float>();
  const Index stride = row.stride, hidden = members_count_ * width_, answers = members_count_ * classes_;
  const Index rows = 2 * hidden + 3 * features_ + 5 * classes_ + answers + 2;
  float* next = room(work, rows * stride);
  const auto take = [&](Index some) { return std::exchange(next, next + some * stride); };
  std::array<float*, 2> h{take(hidden), take(hidden)};
  float *const before = take(features_), *const after = take(features_), *const informed_before = take(features_);
  std::array<float*, 2> alone{take(classes_), take(classes_)}, informed{take(classes_), take(classes_)};
  float *const scratch = take(classes_), *const all = take(answers), *const trust = take(2);
  for (std::size_t s = 0; s < 2; ++s) {
    const Index inputs = stems_[s].weight.cols();
    if (row.columns[s] == nullptr) {
      std::fill_n(h[s], hidden * stride, 0.0F);
      continue;
    }
    for (Index c = 0; c < inputs; ++c) {
      float* const column = row.columns[s] + c * stride;
      loops.pieces(scores_[s][c], column, row.count, column);
    }
    product(stems_[s].weight, row.columns[s], stride, row.count, stems_[s].bias.data(), h[s]);
    loops.gelu(h[s], hidden * stride, h[s]);
  }
  std::fill_n(to.trust, 2 * stride, 0.0F);
  for (Index m = 0; m < members_count_; ++m) {
    const MemberParts& member = members_[m];
    for (std::size_t s = 0; s < 2; ++s) {
      const MemberOfSensor& mine = member.sensors[s];
      product(mine.seen.weight, h[s] + m * width_ * stride, stride, row.count, mine.seen.bias.data(), before);
      loops.gelu(before, features_ * stride, after);
      product(mine.head.weight, after, stride, row.count, mine.head.bias.data(), alone[s]);
      if (row.columns[1 - s] == nullptr) continue;  // the arbiter takes what it says alone
      product(mine.other.weight, h[1 - s] + m * width_ * stride, stride, row.count, mine.other.bias.data(),
              informed_before);
      loops.gelu_of_sum(before, informed_before, features_ * stride, after);
      product(mine.head.weight, after, stride, row.count, mine.head.bias.data(), informed[s]);
    }
    float* const mixed = all + m * classes_ * stride;
    loops.arbitrate({{alone[0], alone[1]}, {informed[0], informed[1]}, row.valid, member.sharpness}, classes_,
                    row.count, stride, scratch, trust, mixed);
    loops.softmax(mixed, classes_, row.count, stride, inverse_temperature_);
    loops.add(to.trust, trust, 2 * stride, to.trust);
  }
  functions.scale(to.trust, 1.0F / static_cast<float>(members_count_), 0.0F, 2 * stride, to.trust);
  loops.together(all, members_count_, classes_, row.count, stride, to.probabilities, to.likeliest, to.spread,
                 to.entropy);
  fall_back(row, to);
}

}  // namespace fovea::fusion::maps
