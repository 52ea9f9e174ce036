/// The regression on decayed means that half-lives are asked of: its definition, its maximum, its data.

#include "fovea/domains/ehr/decay/kernels/decay_regression.hpp"

#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::ehr::decay;

namespace {

/// Stays with uneven counts of two variables and an end in one of three intervals, some of it not seen.
DecayData uneven_hazards() {
  datasets::simulated::EventPlan plan;
  plan.stays = 300, plan.fewest = 4, plan.most = 30;
  plan.variables = {{.name = "a", .half_life = 8, .effect = 1}, {.name = "b", .effect = 0.6, .ordered = 0.7}};
  DecayData data{recency_data(datasets::simulated::made_stays(plan, Random(11)).stays, 48), 3, {}, {}};
  const Random random(12);
  for (Index s = 0; s < data.events.stays(); ++s)
    data.survived.push_back(data.events.outcomes[s] == 1 ? random.below(3, s) : 1 + random.below(3, s));
  return data;
}

/// std() over the cases that have something, in the way of the definition.
std::vector<double> standard(const std::vector<double>& values) {
  double sum = 0, squares = 0, count = 0;
  for (const double value : values)
    if (!std::isnan(value)) sum += value, count += 1;
  for (const double value : values)
    if (!std::isnan(value)) squares += (value - sum / count) * (value - sum / count);
  std::vector<double> all;
  for (const double value : values)
    all.push_back(std::isnan(value) ? 0 : (value - sum / count) / std::sqrt(squares / count));
  return all;
}

double plain_decay_loss(const DecayData& data, const DecayRegression& regression, const DecayModel& model) {
  std::vector<double> odds(data.events.stays(), 0.0);
  double loss = 0;
  for (Index k = 0; k < std::ssize(regression.terms()); ++k) {
    const Index variable = regression.terms()[k].variable;
    const double rate = std::sinh(model.speeds[k]) / data.events.window;
    std::vector<double> means, counts;
    for (Index s = 0; s < data.events.stays(); ++s) {
      double sum = 0, total = 0;
      const Index first = data.events.first(s, variable), end = data.events.first(s, variable + 1);
      for (Index i = first; i < end; ++i) {
        const double weight = std::exp(-rate * data.events.ages[i]);
        sum += weight * data.events.values[i], total += weight;
      }
      means.push_back(total > 0 ? sum / total : std::numeric_limits<double>::quiet_NaN());
      counts.push_back(std::log1p(static_cast<double>(end - first)));
    }
    const std::vector<double> mean = standard(means), count = standard(counts);
    for (std::size_t s = 0; s < odds.size(); ++s) odds[s] += model.effects[k] * mean[s] + model.counts[k] * count[s];
    for (const double effect : {model.effects[k], model.counts[k]})
      loss += effect * effect / (2 * kEffectDeviation * kEffectDeviation);
  }
  for (std::size_t s = 0; s < odds.size(); ++s)
    for (Index t = 0; t < data.survived[s] + data.events.outcomes[s]; ++t) {
      const double logit = odds[s] + model.intercepts[t];
      loss += std::log1p(std::exp(logit)) - (t == data.survived[s] ? logit : 0);
    }
  return loss;
}

}  // namespace

TEST_CASE("decay regression: the loss is that of the definition, and least where it was fitted", "[ehr][decay][twin]") {
  const DecayData data = uneven_hazards();
  DecayRegression regression(data, decay_terms(data, 1));
  REQUIRE(regression.terms().size() == 2);
  CHECK(parameters_of(data, regression.terms()) == 3 + 2 * 3);
  const std::vector<Held> nothing(2, Held::nothing);
  const DecayFit fit = regression.fit(regression.start(), nothing);
  CHECK(std::abs(fit.loss - plain_decay_loss(data, regression, fit.model)) < 1e-9);
  CHECK(fit.loss < plain_decay_loss(data, regression, regression.start()) - 5);
  constexpr double kSettled = 0.1;  // nats to which a fit goes
  for (Eigen::VectorXd DecayModel::*part :
       {&DecayModel::intercepts, &DecayModel::effects, &DecayModel::counts, &DecayModel::speeds})
    for (Index k = 0; k < (fit.model.*part).size(); ++k)
      for (const double step : {-0.2, 0.2}) {
        DecayModel moved = fit.model;
        (moved.*part)[k] += step;
        CHECK(plain_decay_loss(data, regression, moved) > fit.loss - kSettled);
      }
}

TEST_CASE("decay regression: what is held stays, and what is absent has no effect", "[ehr][decay]") {
  const DecayData data = uneven_hazards();
  DecayRegression regression(data, decay_terms(data, 1));
  DecayModel start = regression.start();
  start.speeds[0] = 2;
  const DecayFit held = regression.fit(start, std::vector<Held>{Held::speed, Held::absent});
  CHECK(held.model.speeds[0] == 2);
  CHECK(held.model.effects[0] != 0);
  CHECK(held.model.effects[1] == 0);
  CHECK_THROWS_AS(regression.fit(start, std::vector<Held>{Held::speed}), ArgumentError);
}

TEST_CASE("decay regression: speeds and half-lives are the same thing", "[ehr][decay][limit]") {
  CHECK(std::isinf(half_life_of(0, 48)));
  CHECK(std::isinf(half_life_of(-1, 48)));
  CHECK(std::abs(half_life_of(std::asinh(48 * std::numbers::ln2 / 6), 48) - 6) < 1e-12);
}

TEST_CASE("data of half-lives: values until the end, of cases of which something was seen", "[ehr][decay]") {
  study::Cases cases;
  cases.features = {{"value", "1", {}, false}};
  cases.classes = {"a", "b"};
  cases.offsets = {0, 4, 5, 6, 6};
  cases.kinds = {0, 0, 0, 1, 1, 0};
  cases.times = {1, 9, 11, 3, 5, 6};
  cases.ends = {10, 10, 10, 10};
  cases.time_unit = "h";
  cases.values = Matrix<float>::Ones(6, 1);
  cases.ids = {"p", "q", "r", "s"};
  Matrix<float> inputs(6, 2);
  inputs << 0.5F, 0, 1.5F, 0, 2.5F, 0, 3.5F, 0, 4.5F, 1, 5.5F, 0;

  study::Target binary;
  cases.targets = {1, 0, std::numeric_limits<double>::quiet_NaN(), 0};
  const DecayData seen = ehr::risk::decay_data(binary, cases, inputs);
  CHECK(seen.events.outcomes == std::vector<Index>{1, 0, 0});  // of the third nothing is known
  CHECK(seen.survived == std::vector<Index>{0, 1, 1});
  CHECK(seen.events.values == std::vector<double>{0.5, 1.5, 3.5});  // not the one after the end, nor the one without
  CHECK(seen.events.ages == std::vector<double>{9, 1, 7});
  CHECK(seen.events.offsets == std::vector<Index>{0, 2, 3, 3, 3, 3, 3});

  study::Target hazards{.kind = study::TargetKind::hazards, .classes = {"died", "moved"}, .edges = {0, 1, 2}};
  cases.targets = study::hazard_codes(hazards, std::vector<double>{0.5, 1.5, 1.5, 9}, std::vector<double>{1, 2, 1, 0});
  const DecayData ends = ehr::risk::decay_data(hazards, cases, inputs);
  CHECK(ends.intervals == 2);
  CHECK(ends.events.outcomes == std::vector<Index>{1, 0, 1, 0});  // who moved did not die until then
  CHECK(ends.survived == std::vector<Index>{0, 1, 1, 2});
}
