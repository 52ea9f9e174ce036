#include "fovea/datasets/simulated/made_ends.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::datasets::simulated {

namespace {

/// The hazards of each end, and of none.
std::vector<double> hazards_at(const EndsPlan& plan, double z) {
  std::vector<double> shares{};
  double sum = 1;
  for (std::size_t k = 0; k < plan.rates.size(); ++k)
    sum += shares.emplace_back(exponential(plan.rates[k] + plan.slopes[k] * z));
  for (double& share : shares) share /= sum;
  shares.push_back(1 / sum);
  return shares;
}

void check_ends_plan(std::span<const double> risks, const EndsPlan& plan) {
  require(plan.edges.size() >= 2 && plan.edges[0] == 0,
          "made_ends: the edges must be two or more, the first of them 0.");
  for (std::size_t t = 1; t < plan.edges.size(); ++t)
    require(plan.edges[t] > plan.edges[t - 1], "made_ends: edge ", t, " is ", plan.edges[t], ", but the one before is ",
            plan.edges[t - 1], "; edges must rise.");
  require(!plan.rates.empty() && plan.rates.size() == plan.slopes.size(), "made_ends: there are ", plan.rates.size(),
          " rates and ", plan.slopes.size(), " slopes; each end needs one of both.");
  for (const double risk : risks)
    require(risk > 0 && risk < 1, "made_ends: a risk is ", risk, ", but must be in (0, 1).");
}

/// When and how a record ends; end 0 behind the last edge.
void draw_end(const EndsPlan& plan, const std::vector<double>& hazards, std::uint64_t record, const Random& random,
              MadeEnds& made) {
  double time = plan.edges.back(), end = 0;
  for (std::size_t t = 0; t + 1 < plan.edges.size() && end == 0; ++t) {
    double drawn = random.uniform(record, 2 * t);
    for (std::size_t k = 0; k + 1 < hazards.size() && end == 0; ++k) {
      drawn -= hazards[k];
      if (drawn >= 0) continue;
      time = plan.edges[t] + (plan.edges[t + 1] - plan.edges[t]) * random.uniform(record, 2 * t + 1);
      end = static_cast<double>(k + 1);
    }
  }
  const double drawn = random.stream("lost").uniform(record, 0);
  const double lost = plan.lost > 0 ? -logarithm(1 - drawn) / plan.lost : INFINITY;
  made.times.push_back(std::min(time, lost));
  made.ends.push_back(lost < time ? 0 : end);
}

}  // namespace

MadeEnds made_ends(std::span<const double> risks, const EndsPlan& plan, const Random& random) {
  check_ends_plan(risks, plan);
  double mean = 0;
  for (const double risk : risks) mean += logarithm(risk / (1 - risk)) / static_cast<double>(risks.size());
  const auto intervals = static_cast<Index>(plan.edges.size()) - 1, ends = static_cast<Index>(plan.rates.size());
  MadeEnds made;
  made.incidence.resize(static_cast<Index>(risks.size()), intervals * ends);
  for (std::size_t i = 0; i < risks.size(); ++i) {
    const std::vector<double> hazards = hazards_at(plan, logarithm(risks[i] / (1 - risks[i])) - mean);
    double survival = 1;
    for (Index t = 0; t < intervals; ++t) {
      for (Index k = 0; k < ends; ++k)
        made.incidence(static_cast<Index>(i), t * ends + k) =
            survival * hazards[k] + (t > 0 ? made.incidence(static_cast<Index>(i), (t - 1) * ends + k) : 0);
      survival *= hazards.back();
    }
    draw_end(plan, hazards, i, random, made);
  }
  return made;
}

}  // namespace fovea::datasets::simulated
