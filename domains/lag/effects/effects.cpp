#include "fovea/domains/lag/effects/effects.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/domains/lag/effects/lag_interval.hpp"

namespace fovea::lag::effects {

namespace {

constexpr Index kRowsOfAColumn = 5;
constexpr double kLevel = 0.95, kBentLevel = 0.01, kPulledIn = 3, kTrainingShare = 0.7;

bool has_slope(const methods::Link& link) {
  return link.directed && (link.kind == methods::EffectKind::steady || link.kind == methods::EffectKind::changing);
}

/// What the links of one target ask for.
struct Question {
  Index target = 0;
  std::vector<methods::Link> links;   ///< from other series, with a slope
  std::vector<Regressor> regressors;  ///< theirs, then the own past
  bool is_own(std::size_t column) const { return regressors[column].series == target; }
};

void add_once(std::vector<Regressor>& regressors, const Regressor& one) {
  if (std::find(regressors.begin(), regressors.end(), one) == regressors.end()) regressors.push_back(one);
}

std::vector<Question> questions_of(const methods::LagSettings& settings, const std::vector<methods::Link>& links) {
  std::map<Index, Question> questions;
  for (const methods::Link& link : links) {
    if (!has_slope(link)) continue;
    Question& question = questions[link.effect];
    question.target = link.effect;
    if (link.self()) continue;
    question.links.push_back(link);
    add_once(question.regressors, {link.cause, link.lag});
  }
  std::vector<Question> all;
  for (auto& [target, question] : questions) {
    for (const methods::Link& link : links)
      if (link.self() && link.effect == target && has_slope(link)) add_once(question.regressors, {target, link.lag});
    add_once(question.regressors, {target, settings.lags.front()});
    all.push_back(std::move(question));
  }
  return all;
}

double width_of(Index degrees) { return student_width(kLevel, static_cast<int>(std::min<Index>(degrees, 1'000'000))); }

Estimate estimate_of(double size, double variance, double width) {
  const double half = width * std::sqrt(variance);
  return {size, size - half, size + half};
}

TargetModel model_of(const Question& question, const Design& design, const Regression& regression) {
  const auto size = static_cast<Index>(question.regressors.size());
  TargetModel model{question.target, question.regressors, {}, Matrix<double>::Zero(size, size)};
  for (Index c = 0; c < size; ++c) model.slope.push_back(regression.slope[c] / design.scale[c]);
  for (std::size_t a = 0; a < regression.kept.size(); ++a)
    for (std::size_t b = 0; b < regression.kept.size(); ++b) {
      const Index i = regression.kept[a], j = regression.kept[b];
      if (i < size && j < size)
        model.covariance(i, j) =
            regression.covariance(static_cast<Index>(a), static_cast<Index>(b)) / (design.scale[i] * design.scale[j]);
    }
  return model;
}

void add_bent(const Design& design, const Regression& regression, Index column, LinkEffect& effect, double plain_t) {
  const Eigen::VectorXd squares = design.x.col(column).cwiseMax(-kPulledIn).cwiseMin(kPulledIn).array().square();
  const double t = added_t(design, regression, squares);
  if (std::isnan(t)) return;
  effect.bent_p = 2 * normal_cdf(-std::abs(t));
  effect.bent = effect.bent_p < kBentLevel && !(std::abs(t) <= std::abs(plain_t));
}

/// The sum over the regressors of one cause; NaN where it has one only.
Estimate total_of(const TargetModel& model, Index cause, double width) {
  double sum = 0, variance = 0;
  int lags = 0;
  for (std::size_t a = 0; a < model.regressors.size(); ++a) {
    if (model.regressors[a].series != cause) continue;
    ++lags;
    sum += model.slope[a];
    for (std::size_t b = 0; b < model.regressors.size(); ++b)
      if (model.regressors[b].series == cause)
        variance += model.covariance(static_cast<Index>(a), static_cast<Index>(b));
  }
  return lags < 2 ? Estimate{} : estimate_of(sum, variance, width);
}

void add_links(const Question& question, const Design& design, const Regression& regression, Effects& effects) {
  const TargetModel model = model_of(question, design, regression);
  const double width = width_of(regression.degrees);
  for (std::size_t c = 0; c < question.regressors.size(); ++c) {
    const auto column = static_cast<Index>(c);
    const Regressor& one = question.regressors[c];
    const double variance = model.covariance(column, column);
    LinkEffect& effect = effects.links[{one.series, question.target, one.lag}];
    if (variance > 0) effect.effect = estimate_of(model.slope[c], variance, width);
    effect.total = total_of(model, one.series, width);
    if (one.lag > 0) effects.longest_lag = std::max(effects.longest_lag, one.lag);
    if (!question.is_own(c)) add_bent(design, regression, column, effect, model.slope[c] / std::sqrt(variance));
  }
  effects.models.push_back(model);
}

/// Mean square of what a regression on the first `stop` rows leaves of the others.
double error_ahead(const Design& design, Index stop) {
  const Regression regression = least_squares_of(design, stop);
  return regression.residual.tail(design.rows() - stop).squaredNorm();
}

double skill_of(const Question& question, const Design& design) {
  const auto stop = static_cast<Index>(kTrainingShare * static_cast<double>(design.rows()));
  if (question.links.empty() || stop < kRowsOfAColumn * design.x.cols()) return kNan;
  std::vector<Index> own;
  for (Index c = 0; c < design.x.cols(); ++c)
    if (c >= std::ssize(question.regressors) || question.is_own(c)) own.push_back(c);
  Design alone = design;
  alone.x.resize(design.rows(), static_cast<Index>(own.size()));
  for (std::size_t k = 0; k < own.size(); ++k) alone.x.col(static_cast<Index>(k)) = design.x.col(own[k]);
  return 1 - error_ahead(design, stop) / error_ahead(alone, stop);
}

}  // namespace

const LinkEffect& Effects::of(const methods::Link& link) const {
  static const LinkEffect none;
  if (link.kind != methods::EffectKind::steady) return none;
  const auto found = links.find({link.cause, link.effect, link.lag});
  return found == links.end() ? none : found->second;
}

Effects effects_of(const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
                   const std::vector<methods::Link>& links, const Random& random) {
  Effects effects;
  effects.skill.assign(table.series(), kNan);
  const std::vector<Question> questions = questions_of(settings, links);
  std::vector<Effects> parts(questions.size());
  for_each_task(std::ssize(questions), true, [&](Index q) {
    const Question& question = questions[q];
    const Design design = design_of(table, question.target, question.regressors, settings.conditions);
    if (design.rows() < kRowsOfAColumn * (design.x.cols() + 1)) return;
    Regression regression = least_squares_of(design, design.rows());
    add_covariance(design, regression);
    add_links(question, design, regression, parts[q]);
    parts[q].skill = {skill_of(question, design)};
  });
  LagIntervals intervals(table, settings, random);
  std::vector<std::pair<const Question*, methods::Link>> asked;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    if (parts[q].skill.empty()) continue;
    effects.skill[questions[q].target] = parts[q].skill.front();
    effects.longest_lag = std::max(effects.longest_lag, parts[q].longest_lag);
    effects.links.merge(parts[q].links);
    effects.models.push_back(std::move(parts[q].models.front()));
    std::vector<Index> done;
    for (const methods::Link& link : questions[q].links) {  // by q: the first of a pair is its most significant
      if (std::find(done.begin(), done.end(), link.cause) != done.end()) continue;
      done.push_back(link.cause);
      if (link.lag > 0 && intervals.affords(std::ssize(questions[q].regressors)))
        asked.emplace_back(&questions[q], link);
    }
  }
  for_each_task(std::ssize(asked), true, [&](Index k) {
    const auto& [question, link] = asked[k];
    const LagRange range = intervals.of(link, question->regressors);
    if (range.high > 0)
      effects.links.at({link.cause, link.effect, link.lag}).lag = {
          static_cast<double>(link.lag), static_cast<double>(range.low), static_cast<double>(range.high)};
  });
  return effects;
}

}  // namespace fovea::lag::effects
