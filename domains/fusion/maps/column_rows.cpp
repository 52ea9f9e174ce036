#include "fovea/domains/fusion/maps/column_rows.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

namespace fovea::fusion::maps {

namespace {

constexpr float kPerReflectance = 10000, kDarkSum = 100;  // as in flood/pixel_columns.cpp

/// So many numbers that a register behind the last one is room that may be read and written.
Index padded(Index count) { return whole_groups<float>(count + kGroup<float>); }

Index levels_of(const std::vector<Index>& sides) {
  Index levels = 1;
  while (!sides.empty() && (Index{1} << levels) <= sides.back()) ++levels;
  return levels;
}

Index power_of_two(Index least) {
  Index power = 1;
  while (power < least) power *= 2;
  return power;
}

}  // namespace

SensorRows::SensorRows(Index channels, std::vector<Index> sides, Index margin, Index width)
    : channels_(channels),
      margin_(margin),
      width_(width),
      stride_(padded(width)),
      kept_(power_of_two(2 * margin + 2)),
      levels_(levels_of(sides)),
      sides_(std::move(sides)) {
  for (Index c = 0; c <= channels_; ++c) memory_.emplace_back(levels_ * kept_ * stride_, 0.0F);
  lines_.assign((levels_ + 1) * stride_, 0.0F);
  for (std::size_t s = 0; s < sides_.size(); ++s) counts_.emplace_back(stride_, 0.0F);
}

float* SensorRows::row(Index channel, Index level, Index index) {
  return memory_[channel].data() + (level * kept_ + (index & (kept_ - 1))) * stride_;
}

float* SensorRows::next(Index channel) { return row(channel, 0, pushed_); }

void SensorRows::push() {
  const auto add = map_kernels().add;
  for (Index c = 0; c <= channels_; ++c)
    for (Index level = 1; level < levels_; ++level) {
      const Index half = Index{1} << (level - 1), first = pushed_ - 2 * half + 1;
      if (first < 0) break;
      add(row(c, level - 1, first), row(c, level - 1, first + half), width_, row(c, level, first));
    }
  ++pushed_;
}

/// Sums over squares of that side, from below the least power of two of the side to the largest, down and then along.
void SensorRows::squares(Index channel, Index side, float* to) {
  const auto add = map_kernels().add;
  const Index top = pushed_ - 1 - margin_ - side / 2;
  Index done = 0;
  float* const line = lines_.data();
  for (Index level = 0; level < levels_ && (Index{1} << level) <= side; ++level) {
    const Index power = Index{1} << level;
    if ((side & power) == 0) continue;
    const float* const from = row(channel, level, top + done);
    if (done == 0)
      std::copy_n(from, width_, line);
    else
      add(line, from, width_, line);
    done += power;
  }
  const Index inner = width_ - 2 * margin_;
  float* from = line;
  done = 0;
  for (Index level = 0; (Index{1} << level) <= side; ++level) {
    const Index power = Index{1} << level;
    if ((side & power) != 0) {
      const float* const start = from + margin_ - side / 2 + done;
      if (done == 0)
        std::copy_n(start, inner, to);
      else
        add(to, start, inner, to);
      done += power;
    }
    if (2 * power > side) break;
    float* const sums = line + (level + 1) * stride_;
    add(from, from + power, width_ - power, sums);
    from = sums;
  }
}

void SensorRows::columns(float* to, float* valid, Index stride) {
  const Index centre = pushed_ - 1 - margin_, inner = width_ - 2 * margin_;
  std::copy_n(row(channels_, 0, centre) + margin_, inner, valid);
  for (std::size_t s = 0; s < sides_.size(); ++s) squares(channels_, sides_[s], counts_[s].data());
  for (Index c = 0; c < channels_; ++c) {
    std::copy_n(row(c, 0, centre) + margin_, inner, to + c * stride);
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      float* const mean = to + ((static_cast<Index>(s) + 1) * channels_ + c) * stride;
      squares(c, sides_[s], mean);
      map_kernels().quotient(mean, counts_[s].data(), inner, mean);
    }
  }
}

ColumnRows::ColumnRows(const flood::ColumnPlan& plan, Index columns)
    : plan_(plan),
      differences_(plan.differences()),
      width_(columns + 2 * plan.margin()),
      stride_(padded(columns)),
      sensors_{SensorRows(plan.s1_channels(), plan.s1_sides, plan.margin(), width_),
               SensorRows(plan.s2_channels(), plan.s2_sides, plan.margin(), width_)} {
  none_.assign(stride_, 0.0F);
  columns_[0].assign(plan_.s1_columns() * stride_, 0.0F);
  columns_[1].assign(plan_.s2_columns() * stride_, 0.0F);
  for (AlignedVector<float>& valid : inner_valid_) valid.assign(stride_, 0.0F);
}

void ColumnRows::begin(const datasets::rasters::SceneWindow& shown, Index first) {
  require(first >= 0 && first + width_ <= shown.window.columns, "ColumnRows: columns ", first, " to ", first + width_,
          " of a window of ", shown.window.columns, ".");
  shown_ = &shown, row_ = 0, first_ = first;
  for (SensorRows& sensor : sensors_) sensor.begin();
  for (Index r = 0; r < 2 * plan_.margin(); ++r) push_row();
}

void ColumnRows::push_sensor(std::size_t s) {
  const MapKernels& loops = map_kernels();
  const Matrix<float>& values = s == 0 ? shown_->s1 : shown_->s2;
  SensorRows& sensor = sensors_[s];
  const Index start = row_ * shown_->window.columns + first_;
  const auto band = [&](Index b) { return values.row(b).data() + start; };
  float* const valid = sensor.next(s == 0 ? plan_.s1_channels() : plan_.s2_channels());
  loops.flags((s == 0 ? shown_->s1_valid : shown_->s2_valid).data() + start, width_, valid);
  for (Index b = 0; b < values.rows(); ++b)
    loops.scaled(band(b), valid, s == 0 ? 1.0F : kPerReflectance, width_, sensor.next(b));
  if (s == 0) loops.difference(band(1), band(0), valid, 0, width_, sensor.next(2));
  for (std::size_t k = 0; s == 1 && k < differences_.size(); ++k)
    loops.difference(band(differences_[k].first), band(differences_[k].second), valid, kDarkSum, width_,
                     sensor.next(values.rows() + static_cast<Index>(k)));
  sensor.push();
}

void ColumnRows::push_row() {
  if (shown_->s1.rows() > 0) push_sensor(0);
  if (shown_->s2.rows() > 0) push_sensor(1);
  ++row_;
}

PixelRow ColumnRows::next() {
  push_row();
  PixelRow made;
  made.count = width_ - 2 * plan_.margin(), made.stride = stride_;
  for (std::size_t s = 0; s < 2; ++s) {
    made.valid[s] = none_.data();
    if ((s == 0 ? shown_->s1 : shown_->s2).rows() == 0) continue;
    sensors_[s].columns(columns_[s].data(), inner_valid_[s].data(), stride_);
    made.columns[s] = columns_[s].data(), made.valid[s] = inner_valid_[s].data();
  }
  return made;
}

}  // namespace fovea::fusion::maps
