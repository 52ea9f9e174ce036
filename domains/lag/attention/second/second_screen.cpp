#include "fovea/domains/lag/attention/second/second_screen.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"

namespace fovea::lag::attention {

namespace {

// Of all second keys: second_keys.hpp.
constexpr double kSingles = 0.2, kTurning = 0.15, kNearest = 0.5, kFurther = 1 - kSingles - kTurning - kNearest;
// Multiplications in single precision for all targets: of products a quarter of a second on one processor, of turns,
// one key at a time, as long.
constexpr double kScreenBudget = 5e8, kTurningBudget = 1e8;
// Numbers in all targets' candidates, each of which about ten conditions are taken out of.
constexpr double kPoolBudget = 2e7;
constexpr Index kFewestCandidates = 8, kMostCandidates = 256;
// |t| before conditions are taken out of a candidate, from which it is worth a test: 1 % of those without an effect (of
// nearest products 10 %, since others that join may hide them at first).
constexpr float kWorth = 2.58F, kNearestWorth = 1.64F;

double pairs(Index k) { return static_cast<double>(k * (k - 1)) / 2; }

/// t of a sum of products with what is left of a target: sum / norm * scale.
float scale_of(const Eigen::VectorXf& left) {
  return std::sqrt(static_cast<float>(left.size())) / std::max(left.norm(), 1e-30F);
}

void add(std::vector<Candidate>& found, const SecondKey& key, float t, double weight, float worth) {
  if (std::abs(t) > worth) found.push_back({key, weight, 0.5F * t * t + static_cast<float>(logarithm(weight))});
}

}  // namespace

Screen::Screen(const Learned& learned, const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
               Index targets)
    : settings_(settings), series_(table.series()), longest_(settings.lags.back()), rows_(table.steps() - longest_) {
  const KeyProducts& products = *learned.products;
  values_.resize(table.steps(), series_);
  for (Index i = 0; i < series_; ++i) values_.col(i) = products.columns().col(products.pulled_column(i)).cast<float>();
  const double each = static_cast<double>(rows_) * static_cast<double>(targets);
  turning_ = std::min(std::ssize(settings.lags),
                      static_cast<Index>(kTurningBudget / (each * static_cast<double>(kTurns * series_))));
  for_each_task(std::ssize(kShapes) - (turning_ > 0 ? 0 : kTurns), true, [&](Index s) {
    singles_[s] = values_.unaryExpr([s](float z) { return kShapes[s].at(z); });
    singles_[s].rowwise() -= singles_[s].colwise().mean().eval();
  });
  keys_ = std::min(all_keys(), static_cast<Index>(std::sqrt(kScreenBudget / each)));
  if (keys_ < series_ || series_ < 2) keys_ = 0;
  past_.resize(rows_, keys_);
  for (Index k = 0; k < keys_; ++k) past_.col(k) = before(values_, k % series_, k / series_);
  const auto rows = static_cast<float>(rows_);
  const Eigen::MatrixXf squares = past_.cwiseAbs2(), means = past_.transpose() * past_ / rows;
  norms_ = (squares.transpose() * squares - means.cwiseAbs2() * rows).cwiseMax(0).cwiseSqrt();
  most_ = std::clamp(static_cast<Index>(kPoolBudget / each), kFewestCandidates, kMostCandidates);
}

double Screen::single_weight(SecondForm form) const {
  if (form == SecondForm::bump || form == SecondForm::wave) return kSingles / static_cast<double>(2 * all_keys());
  return kTurning / static_cast<double>(std::max<Index>(kTurns * turning_ * series_, 1));
}

double Screen::nearest_weight() const { return keys_ > 0 ? kNearest / pairs(series_) : 0; }

double Screen::further_weight(Index conditions) const {
  return kFurther / std::max(pairs(keys_) - (keys_ > 0 ? pairs(series_) : 0) + pairs(conditions), 1.0);
}

double Screen::weight_of(Index place, Index conditions) const {
  const bool near = place == 0 && keys_ > 0;
  const auto others = static_cast<double>(near ? keys_ - series_ : std::max<Index>(keys_ - 1, 0));
  return 2 * single_weight(SecondForm::bump) + (place < turning_ ? kTurns * single_weight(SecondForm::sine) : 0) +
         (near ? nearest_weight() * static_cast<double>(series_ - 1) : 0) +
         further_weight(conditions) * (others + static_cast<double>(conditions));
}

void Screen::add_singles(std::vector<Candidate>& found, const Eigen::VectorXf& left, Index target) const {
  const float scale = scale_of(left);
  for (Index i = 0; i < series_; ++i)
    for (Index l = 0; l < std::ssize(settings_.lags); ++l) {
      if (!is_allowed(i, l, target)) continue;
      for (std::size_t s = 0; s < (l < turning_ ? kShapes.size() : kShapes.size() - kTurns); ++s) {
        const auto& [form, frequency] = kShapes[s];
        const Eigen::VectorXf x = before(singles_[s], i, l);
        const float norm = x.norm();
        if (norm > 0)
          add(found, {form, i, l, -1, 0, frequency}, x.dot(left) * scale / norm, single_weight(form), kWorth);
      }
    }
}

void Screen::add_products(std::vector<Candidate>& found, const Eigen::VectorXf& left, Index target,
                          const std::vector<std::pair<Index, Index>>& conditions) const {
  const float scale = scale_of(left);
  const double further = further_weight(std::ssize(conditions));
  const auto allowed = [&](const SecondKey& key) {
    return is_allowed(key.source, key.place, target) && is_allowed(key.other, key.other_place, target);
  };
  const Eigen::MatrixXf sums = (past_.array().colwise() * left.array()).matrix().transpose() * past_;
  for (Index b = 0; b < keys_; ++b)
    for (Index a = 0; a < b; ++a) {
      const SecondKey key{SecondForm::product, a % series_, a / series_, b % series_, b / series_};
      const bool near = b < series_;
      if (norms_(a, b) > 0 && allowed(key))
        add(found, key, sums(a, b) * scale / norms_(a, b), near ? nearest_weight() : further,
            near ? kNearestWorth : kWorth);
    }
  for (std::size_t b = 0; b < conditions.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto& [i, l] = conditions[a];
      const auto& [k, m] = conditions[b];
      const SecondKey key{SecondForm::product, i, l, k, m};
      if (std::max(l * series_ + i, m * series_ + k) < keys_ || !allowed(key)) continue;
      Eigen::VectorXf x = before(values_, i, l).cwiseProduct(before(values_, k, m));
      x.array() -= x.mean();
      const float norm = x.norm();
      if (norm > 0) add(found, key, x.dot(left) * scale / norm, further, kWorth);
    }
}

std::vector<Candidate> Screen::best(const Eigen::VectorXf& left, Index target,
                                    const std::vector<std::pair<Index, Index>>& conditions) const {
  std::vector<Candidate> found;
  add_singles(found, left, target);
  add_products(found, left, target, conditions);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  if (std::ssize(found) > most_) found.resize(most_);
  return found;
}

}  // namespace fovea::lag::attention
