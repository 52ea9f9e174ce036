#include "fovea/domains/opinion/dynamics/model.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea::opinion::dynamics {

namespace {

ScoreTerm<double> score_term(const CrowdSetup& setup) {
  if (setup.score == "gaussian") return {gaussian_score<double>(), {}};
  if (setup.score == "dot_product") return {dot_product_score<double>(false), {}};
  if (setup.score == "cosine") return {cosine_score<double>(), {}};
  if (setup.score == "log_distance") return {log_distance_score<double>(setup.distance_floor), {}};
  throw ArgumentError(
      concat("Crowd: the score is '", setup.score, "', but must be gaussian, dot_product, cosine or log_distance."));
}

void require_valid(const CrowdSetup& setup) {
  const Index n = setup.anchors.rows();
  require(n > 0 && setup.anchors.cols() > 0, "Crowd: anchors are ", n, " x ", setup.anchors.cols(),
          "; at least one agent with one component is needed.");
  require(setup.anchors.allFinite(), "Crowd: an anchor is NaN or infinite; each opinion must be a number.");
  require(static_cast<Index>(setup.stubbornness.size()) == n, "Crowd: there are ", n, " agents but ",
          setup.stubbornness.size(), " values of stubbornness; each agent needs one.");
  for (const double s : setup.stubbornness)
    require(s >= 0 && s <= 1, "Crowd: stubbornness = ", s, ", but must be in [0, 1].");
  require(setup.noise >= 0, "Crowd: noise = ", setup.noise, ", but must be >= 0.");
  require(setup.distance_floor > 0, "Crowd: distance_floor = ", setup.distance_floor, ", but must be > 0.");
  if (setup.neighbours)
    require(static_cast<Index>(setup.neighbours->offsets.size()) == n + 1, "Crowd: there are ", n,
            " agents but neighbour lists for ", setup.neighbours->offsets.size() - 1, "; each agent needs one.");
}

}  // namespace

Crowd::Crowd(CrowdSetup setup, double temperature, const Random& random) : setup_(std::move(setup)), random_(random) {
  require_valid(setup_);
  spec_.score = score_term(setup_);
  spec_.modifiers.push_back({fovea::temperature<double>(), {0.0}});
  // After the temperature, so that the bias of an edge, log W, is not divided by it.
  if (setup_.neighbours) spec_.modifiers.push_back({neighbour_list<double>(*setup_.neighbours), {}});
  set_temperature(temperature);
}

void Crowd::set_temperature(double temperature) {
  require(temperature > 0 && std::isfinite(temperature), "Crowd: temperature = ", temperature,
          ", but must be > 0. Near 0 agents hear only themselves; at infinity all alike.");
  temperature_ = temperature;
  spec_.modifiers.front().theta = {std::log(temperature)};
}

Matrix<double> Crowd::heard(const Matrix<double>& opinions) const {
  const bool gaussian = setup_.score == "gaussian";
  const bool boxes = gaussian || setup_.score == "dot_product";
  if (!setup_.fast || !boxes || setup_.neighbours || components() != 1)
    return attend<double>(opinions, opinions, opinions, spec_).outputs;
  const auto n = static_cast<std::size_t>(agents());
  const std::span<const double> x{opinions.data(), n};
  Matrix<double> outputs(agents(), 1);
  if (gaussian)
    line_.gaussian(x, x, x, {}, temperature_, {outputs.data(), n});
  else
    line_.dot_product(x, x, x, {}, temperature_, {outputs.data(), n});
  return outputs;
}

Matrix<double> Crowd::step(const Matrix<double>& opinions, std::int64_t step_number) const {
  Matrix<double> next = heard(opinions);
  const Index n = agents(), d = components();
  for (Index i = 0; i < n; ++i) {
    const double s = setup_.stubbornness[static_cast<std::size_t>(i)];
    for (Index c = 0; c < d; ++c) {
      next(i, c) = (1 - s) * next(i, c) + s * setup_.anchors(i, c);
      if (setup_.noise > 0)
        next(i, c) += setup_.noise *
                      random_.normal(static_cast<std::uint64_t>(i * d + c), static_cast<std::uint64_t>(step_number));
    }
  }
  return next;
}

AttentionResult<double> Crowd::attention(const Matrix<double>& opinions) const {
  return attend<double>(opinions, opinions, opinions, spec_);
}

double largest_change(const Matrix<double>& before, const Matrix<double>& after) {
  double largest = 0;
  for (Index i = 0; i < before.size(); ++i) {
    const double change = std::abs(after.data()[i] - before.data()[i]);
    if (std::isnan(change)) return std::numeric_limits<double>::infinity();
    if (change > largest) largest = change;
  }
  return largest;
}

}  // namespace fovea::opinion::dynamics
