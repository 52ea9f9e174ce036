#include "fovea/domains/opinion/moderation/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fovea/core/attention/hijacking.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random_math.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"

namespace fovea::opinion::moderation {

namespace {

constexpr double kLoudest = 1e4;
constexpr double kBracket = 1e-3;  // relative width at which a bisection ends

AttentionSpec<double> spec_behind(const CrowdSettings& settings, Defence defence) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(false), {}};
  if (defence == Defence::cosine) spec.score = {cosine_score<double>(), {}};
  if (defence == Defence::clipping) spec.modifiers.push_back({key_norm_clipping<double>(), {logarithm(settings.clip)}});
  const double heat = defence == Defence::hotter ? settings.heat : 1.0;
  spec.modifiers.push_back({fovea::temperature<double>(), {logarithm(heat * settings.temperature)}});
  return spec;
}

/// score / T of a defence for a query q and a key.
double point_score(const CrowdSettings& settings, const Vector<double>& q, const Vector<double>& key, Defence defence) {
  const double product = q.dot(key) / settings.temperature;
  if (defence == Defence::hotter) return product / settings.heat;
  if (defence == Defence::cosine) return product / (q.norm() * key.norm());
  return defence == Defence::clipping ? product * std::min(1.0, settings.clip / key.norm()) : product;
}

double upper_median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Where a rising condition begins to hold between two places, on a logarithmic scale; +inf if it does not at `high`.
double first_that(const std::function<bool(double)>& holds, double low, double high) {
  if (!holds(high)) return std::numeric_limits<double>::infinity();
  while (high / low > 1 + kBracket) {
    const double middle = std::sqrt(low * high);
    (holds(middle) ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

std::string name_of(Defence defence) {
  constexpr const char* kNames[] = {"none", "clipping", "cosine", "hotter"};
  return kNames[static_cast<int>(defence)];
}

const std::vector<Defence>& all_defences() {
  static const std::vector<Defence> defences{Defence::none, Defence::clipping, Defence::cosine, Defence::hotter};
  return defences;
}

Vector<double> honest_mean(const CrowdSettings& settings) { return Vector<double>::Unit(settings.components, 0); }

Vector<double> attackers_opinion(const CrowdSettings& settings) {
  const double turn = settings.angle_degrees / 360;
  Vector<double> u = Vector<double>::Zero(settings.components);
  u[0] = cosine_of_turn(turn);
  u[1] = turn == 0 ? 0.0 : cosine_of_turn(turn + 0.75 >= 1 ? turn - 0.25 : turn + 0.75);
  return u;
}

Matrix<double> honest_opinions(const CrowdSettings& settings, const Random& random) {
  Matrix<double> opinions(settings.honest, settings.components);
  for (Index i = 0; i < opinions.rows(); ++i)
    for (Index c = 0; c < opinions.cols(); ++c)
      opinions(i, c) = (c == 0 ? 1.0 : 0.0) +
                       settings.spread * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c));
  return opinions;
}

AttackedCrowd::AttackedCrowd(const CrowdSettings& settings, Matrix<double> start, Index attackers, double loudness,
                             Defence defence)
    : settings_(settings),
      start_(std::move(start)),
      attackers_(attackers),
      loudness_(loudness),
      spec_(spec_behind(settings, defence)) {
  require(attackers >= 0, "moderation: there are ", attackers, " attackers; their number must be at least 0.");
  require(loudness > 0, "moderation: the loudness is ", loudness, "; it must be > 0.");
}

Matrix<double> AttackedCrowd::with_attackers(const Matrix<double>& opinions, double length) const {
  Matrix<double> all(opinions.rows() + attackers_, opinions.cols());
  all.topRows(opinions.rows()) = opinions;
  all.bottomRows(attackers_).rowwise() = length * attackers_opinion(settings_).transpose();
  return all;
}

/// A last column of values is 1 for attackers and 0 for the honest: its output is the weight on the attack.
AttentionResult<double> AttackedCrowd::attention(const Matrix<double>& opinions) const {
  Matrix<double> values(opinions.rows() + attackers_, opinions.cols() + 1);
  values.leftCols(opinions.cols()) = with_attackers(opinions, 1);
  values.rightCols(1).setZero();
  values.bottomRightCorner(attackers_, 1).setOnes();
  return attend<double>(opinions, with_attackers(opinions, loudness_), values, spec_);
}

AttackedStep AttackedCrowd::step(const Matrix<double>& opinions) const {
  const Matrix<double> outputs = attention(opinions).outputs;
  AttackedStep taken;
  taken.opinions = (1 - settings_.stubbornness) * outputs.leftCols(opinions.cols()) + settings_.stubbornness * start_;
  for (Index i = 0; i < outputs.rows(); ++i) taken.on_attack.push_back(outputs(i, opinions.cols()));
  return taken;
}

RestingCrowd AttackedCrowd::rest() const {
  RestingCrowd crowd;
  crowd.opinions = start_;
  AttackedStep next;
  while (crowd.steps < settings_.most_steps && !crowd.at_rest) {
    next = step(crowd.opinions);
    crowd.at_rest = (next.opinions - crowd.opinions).cwiseAbs().maxCoeff() <= settings_.tolerance;
    crowd.opinions = next.opinions;
    ++crowd.steps;
  }
  for (const double weight : next.on_attack) crowd.on_attack += weight / static_cast<double>(next.on_attack.size());
  const Vector<double> m = honest_mean(settings_), u = attackers_opinion(settings_);
  double captured = 0;
  for (Index i = 0; i < crowd.opinions.rows(); ++i) {
    const Vector<double> x = crowd.opinions.row(i).transpose();
    captured += (x - u).squaredNorm() < (x - m).squaredNorm() ? 1 : 0;
  }
  crowd.captured = captured / static_cast<double>(crowd.opinions.rows());
  const Vector<double> mean = crowd.opinions.colwise().mean().transpose();
  crowd.shift = (mean - m).dot(u - m) / (u - m).squaredNorm();
  crowd.variance = measures::variance(crowd.opinions);
  const AttentionResult<double> forward = attention(crowd.opinions);
  const auto worst =
      attention_hijacking<double>(crowd.opinions, with_attackers(crowd.opinions, loudness_), spec_, forward);
  crowd.largest_weight = worst.front().weight;
  crowd.bound = worst.front().bound;
  return crowd;
}

double half_attention_loudness(const CrowdSettings& settings, double temperature, double attackers) {
  const double along = honest_mean(settings).dot(attackers_opinion(settings));
  if (!(along > 1e-12)) return std::numeric_limits<double>::infinity();
  const double honest = static_cast<double>(settings.honest), width = settings.spread * settings.spread;
  return (temperature * logarithm(honest / attackers) + 1 + width / (2 * temperature)) / along;
}

double half_attention_loudness(const CrowdSettings& settings, const Matrix<double>& start, double attackers) {
  const double temperature = settings.temperature, width = measures::variance(start);
  const double odds = temperature * logarithm(static_cast<double>(start.rows()) / attackers);
  const Vector<double> m = start.colwise().mean().transpose(), u = attackers_opinion(settings);
  std::vector<double> loudness;
  for (Index i = 0; i < start.rows(); ++i) {
    const auto x = start.row(i);
    const double along = x.dot(u);
    loudness.push_back(along > 1e-12 ? (odds + x.dot(m) + x.squaredNorm() * width / (2 * temperature)) / along
                                     : std::numeric_limits<double>::infinity());
  }
  return upper_median(loudness);
}

bool point_crowd_follows(const CrowdSettings& settings, const Vector<double>& m, double attackers, double loudness,
                         Defence defence) {
  const Vector<double> u = attackers_opinion(settings);
  const double s = settings.stubbornness, log_ratio = logarithm(attackers / static_cast<double>(settings.honest));
  Vector<double> q = m;
  for (int k = 0; k < 100000; ++k) {
    const double score = point_score(settings, q, loudness * u, defence) - point_score(settings, q, q, defence);
    const double weight = 1 / (1 + exponential(-score - log_ratio));
    const Vector<double> next = (1 - s) * ((1 - weight) * q + weight * u) + s * m;
    const double moved = (next - q).cwiseAbs().maxCoeff();
    q = next;
    if (moved < 1e-12) break;
  }
  return (q - u).squaredNorm() < (q - m).squaredNorm();
}

namespace {

double capture_loudness_of(const CrowdSettings& settings, const Vector<double>& m, double attackers) {
  return first_that(
      [&](double loudness) { return point_crowd_follows(settings, m, attackers, loudness, Defence::none); }, 1e-3,
      kLoudest);
}

}  // namespace

double capture_loudness(const CrowdSettings& settings, double attackers) {
  return capture_loudness_of(settings, honest_mean(settings), attackers);
}

double capture_loudness(const CrowdSettings& settings, const Matrix<double>& start, double attackers) {
  return capture_loudness_of(settings, start.colwise().mean().transpose(), attackers);
}

double capture_number(const CrowdSettings& settings, double loudness, Defence defence) {
  const Vector<double> m = honest_mean(settings);
  const auto follows = [&](double number) { return point_crowd_follows(settings, m, number, loudness, defence); };
  return follows(1) ? 1 : first_that(follows, 1, 100 * static_cast<double>(settings.honest));
}

double measured_half_attention(const CrowdSettings& settings, const Matrix<double>& start, Index attackers) {
  return first_that(
      [&](double loudness) {
        return upper_median(AttackedCrowd(settings, start, attackers, loudness, Defence::none).step(start).on_attack) >
               0.5;
      },
      1e-3, kLoudest);
}

double measured_capture(const CrowdSettings& settings, const Matrix<double>& start, Index attackers) {
  return first_that(
      [&](double loudness) {
        return AttackedCrowd(settings, start, attackers, loudness, Defence::none).rest().captured > 0.5;
      },
      1e-3, kLoudest);
}

Index measured_capture_number(const CrowdSettings& settings, const Matrix<double>& start, double loudness,
                              Defence defence) {
  const auto captures = [&](Index attackers) {
    return AttackedCrowd(settings, start, attackers, loudness, defence).rest().captured > 0.5;
  };
  Index low = 0, high = 4 * settings.honest;
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (captures(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace fovea::opinion::moderation
