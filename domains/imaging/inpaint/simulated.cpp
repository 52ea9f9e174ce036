#include "fovea/domains/imaging/inpaint/simulated.hpp"

#include <cmath>
#include <numbers>

namespace fovea::imaging::inpaint {

namespace {

struct Organ {
  std::array<double, 3> middle{}, radius{}, wave{};
  double value = 0, other = 0, phase = 0;
  bool holds(const Place& p) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += std::pow((static_cast<double>(p[k]) - middle[k]) / radius[k], 2);
    return sum < 1;
  }
};

Organ organ_of(const SimulatedPlan& plan, Index number, const Random& random) {
  Organ organ;
  std::uint64_t step = 0;
  const auto draw = [&](double low, double high) {
    return low + (high - low) * random.uniform(static_cast<std::uint64_t>(number), step++);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const auto side = static_cast<double>(plan.size[k]);
    organ.middle[k] = draw(0, side);
    organ.radius[k] = number == 0 ? side : draw(0.1, 0.35) * side;  // the first is the body around the others
    organ.wave[k] = draw(-0.7, 0.7) * (k == 2 ? 0.3 : 1);
  }
  organ.value = draw(0.1, 0.9), organ.other = draw(0.1, 0.9), organ.phase = draw(0, 2 * std::numbers::pi);
  return organ;
}

}  // namespace

Picture simulated_picture(const SimulatedPlan& plan, const Random& random) {
  Picture picture;
  picture.size = plan.size;
  std::vector<Organ> organs;
  for (Index k = 0; k < plan.organs; ++k) organs.push_back(organ_of(plan, k, random.stream("organs")));
  const Random noise = random.stream("noise"), other = random.stream("noise of the context");
  const Box all{{0, 0, 0}, plan.size};
  picture.missing.assign(picture.voxels(), 0);
  if (plan.context) picture.contexts.emplace_back();
  for (Index i = 0; i < picture.voxels(); ++i) {
    const Place p = all.place(i);
    const Organ* within = organs.data();
    for (const Organ& organ : organs)
      if (organ.holds(p)) within = &organ;
    double wave = within->phase;
    for (std::size_t k = 0; k < 3; ++k) wave += within->wave[k] * static_cast<double>(p[k]);
    const auto entity = static_cast<std::uint64_t>(i);
    const double texture = plan.texture * std::numbers::sqrt2 * std::sin(wave);
    picture.values.push_back(within->value + texture + plan.noise * noise.normal(entity));
    if (plan.context) picture.contexts[0].push_back(within->other + texture + plan.noise * other.normal(entity));
  }
  return picture;
}

}  // namespace fovea::imaging::inpaint
