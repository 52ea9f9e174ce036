#include "fovea/domains/imaging/radiomics/resampling.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"

namespace fovea::imaging::radiomics {

namespace {

constexpr Index kSplineReach = 40;  // voxels; the influence of a voxel falls by 2 - sqrt(3) each: 1e-23 there

/// Where a new voxel takes its value along an axis: up to 4 old voxels and their weights.
struct Taps {
  std::array<Index, 4> place{0, 0, 0, 0};
  std::array<double, 4> weight{0, 0, 0, 0};
};

Index mirrored_place(Index i, Index count) {
  if (count == 1) return 0;
  const Index period = 2 * (count - 1);
  i = std::abs(i) % period;
  return i < count ? i : period - i;
}

Taps taps_at(double position, Index count, Interpolation how) {
  const double x = std::clamp(position, 0.0, static_cast<double>(count - 1));
  if (how == Interpolation::nearest) return {{static_cast<Index>(std::floor(x + 0.5)), 0, 0, 0}, {1, 0, 0, 0}};
  const Index left = std::min(static_cast<Index>(x), std::max<Index>(0, count - 2));
  const double t = x - static_cast<double>(left), u = 1 - t;
  if (how == Interpolation::linear) return {{left, std::min(left + 1, count - 1), 0, 0}, {u, t, 0, 0}};
  Taps taps;
  for (Index k = 0; k < 4; ++k) taps.place[static_cast<std::size_t>(k)] = mirrored_place(left - 1 + k, count);
  taps.weight = {u * u * u / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * u * u + 3 * u * u * u) / 6,
                 t * t * t / 6};
  return taps;
}

/// Values along a line become the coefficients of the cubic B-splines through them (Unser 1999, box 2).
void to_coefficients(std::vector<double>& line) {
  const Index count = static_cast<Index>(line.size());
  if (count < 2) return;
  const double pole = std::sqrt(3.0) - 2;
  double sum = 0, power = 1;
  const Index period = 2 * (count - 1);
  for (Index k = 0; k < std::min(period, kSplineReach); ++k, power *= pole)
    sum += power * line[static_cast<std::size_t>(mirrored_place(k, count))];
  line[0] = sum / (count <= kSplineReach / 2 ? 1 - std::pow(pole, static_cast<double>(period)) : 1);
  for (std::size_t k = 1; k < line.size(); ++k) line[k] += pole * line[k - 1];
  const std::size_t last = line.size() - 1;
  line[last] = pole / (pole * pole - 1) * (line[last] + pole * line[last - 1]);
  for (std::size_t k = last; k-- > 0;) line[k] = pole * (line[k + 1] - line[k]);
  for (double& value : line) value *= 6;
}

Field along_axis(const Field& field, std::size_t axis, const std::vector<Taps>& taps, double spacing, bool splines) {
  Field made = field;
  made.size[axis] = static_cast<Index>(taps.size());
  made.spacing[axis] = spacing;
  made.values.resize(static_cast<std::size_t>(made.size[0] * made.size[1] * made.size[2]));
  const std::array<Index, 3> from{1, field.size[0], field.size[0] * field.size[1]};
  const std::array<Index, 3> to{1, made.size[0], made.size[0] * made.size[1]};
  const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  for_each_task(made.size[v], made.values.size() > 100000, [&](Index b) {
    std::vector<double> line(static_cast<std::size_t>(field.size[axis]));
    for (Index a = 0; a < made.size[u]; ++a) {
      const double* source = field.values.data() + a * from[u] + b * from[v];
      double* target = made.values.data() + a * to[u] + b * to[v];
      for (std::size_t k = 0; k < line.size(); ++k) line[k] = source[static_cast<Index>(k) * from[axis]];
      if (splines) to_coefficients(line);
      for (const Taps& tap : taps) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k)
          if (tap.weight[k] != 0) sum += tap.weight[k] * line[static_cast<std::size_t>(tap.place[k])];
        *target = sum;
        target += to[axis];
      }
    }
  });
  return made;
}

}  // namespace

AxisPlan::AxisPlan(Index count, double spacing, double wanted)
    : old_count(count), new_count(count), old_spacing(spacing), new_spacing(wanted > 0 ? wanted : spacing) {
  constexpr double kRounding = 1e-9;  // 100 voxels of 0.7 mm are 35 of 2 mm, not 36
  constexpr double kMost = 1e15;      // more than any memory holds
  const double wide = std::ceil(static_cast<double>(count) * old_spacing / new_spacing - kRounding);
  new_count = static_cast<Index>(std::min(wide, kMost));
}

double AxisPlan::position(Index i) const {
  return (static_cast<double>(i) - 0.5 * static_cast<double>(new_count - 1)) * (new_spacing / old_spacing) +
         0.5 * static_cast<double>(old_count - 1);
}

Cut cut_around(const Field& intensity, const std::vector<std::uint8_t>& inside, double margin) {
  const Extent extent = extent_of(intensity.size, inside);
  Cut cut;
  cut.full = intensity.size;
  cut.intensity.spacing = intensity.spacing;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Index pad = kSplineReach + static_cast<Index>(margin / intensity.spacing[axis]);
    cut.start[axis] = std::max<Index>(0, extent.first[axis] - pad);
    cut.intensity.size[axis] = std::min(intensity.size[axis], extent.last[axis] + pad + 1) - cut.start[axis];
  }
  cut.inside = cut.intensity;
  for (Index z = 0; z < cut.intensity.size[2]; ++z)
    for (Index y = 0; y < cut.intensity.size[1]; ++y)
      for (Index x = 0; x < cut.intensity.size[0]; ++x) {
        const Index from =
            ((z + cut.start[2]) * intensity.size[1] + y + cut.start[1]) * intensity.size[0] + x + cut.start[0];
        cut.intensity.values.push_back(intensity.values[static_cast<std::size_t>(from)]);
        cut.inside.values.push_back(inside[static_cast<std::size_t>(from)] != 0 ? 1 : 0);
      }
  return cut;
}

Field resampled(const Field& cut, const std::array<AxisPlan, 3>& plans, const std::array<Index, 3>& start,
                Interpolation how) {
  Field field = cut;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const AxisPlan& plan = plans[axis];
    if (plan.new_spacing == plan.old_spacing) continue;
    const Index count = cut.size[axis];
    std::vector<Taps> taps;
    for (Index i = 0; i < plan.new_count; ++i) {
      const double position = plan.position(i) - static_cast<double>(start[axis]);
      const bool starts = start[axis] == 0, ends = start[axis] + count == plan.old_count;
      if ((position < 0 && !starts) || (position > static_cast<double>(count - 1) && !ends)) continue;
      taps.push_back(taps_at(position, count, how));
    }
    field = along_axis(field, axis, taps, plan.new_spacing, how == Interpolation::cubic);
  }
  return field;
}

}  // namespace fovea::imaging::radiomics
