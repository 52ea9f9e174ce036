/// The model of ehr.known_decay: attention over all events with a half-life for each variable.

#include "fovea/domains/ehr/decay/recency.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::ehr::decay;

namespace {

RecencyData made_data(double half_life, Index stays, std::uint64_t seed) {
  const auto made =
      datasets::simulated::made_stays(datasets::simulated::known_decay_plan(half_life, stays), Random(seed));
  return recency_data(made.stays, 48);
}

/// Off every start: what is wrong with defaults alone must show.
RecencyModel uneven_model() {
  return {{0.3, -0.4, 0, -1.2}, {std::log(5.0), std::log(20.0), std::log(1.5), std::log(90.0)}, 1.7, -0.2};
}

/// The definition, event by event.
double plain_logit(const RecencyData& data, const RecencyModel& model, Index stay) {
  double sum = 0, total = 0;
  for (Index v = 0; v < data.variables; ++v)
    for (Index k = data.first(stay, v); k < data.first(stay, v + 1); ++k) {
      const std::size_t i = k;
      const double tau = std::exp(model.log_half_life[v]);
      const double weight = std::exp(model.preference[v]) * std::exp2(-data.ages[i] / tau);
      sum += weight * data.values[i], total += weight;
    }
  return model.slope * sum / total + model.intercept;
}

double plain_recency_loss(const RecencyData& data, const RecencyModel& model) {
  double loss = 0;
  for (Index s = 0; s < data.stays(); ++s) {
    const double logit = plain_logit(data, model, s);
    loss += std::log1p(std::exp(logit)) - logit * static_cast<double>(data.outcomes[s]);
  }
  return loss;
}

learning::TrainingSeries one_series(Workbench& bench) { return {bench, 1}; }

}  // namespace

TEST_CASE("logits are those of the definition, and the attention on all variables adds up to 1", "[ehr][twin]") {
  constexpr double kExact = 1e-12;
  const RecencyData data = made_data(6, 200, 1);
  const RecencyModel model = uneven_model();
  const std::vector<double> fast = logits(data, model);
  double worst = 0, mass = 0;
  for (Index s = 0; s < 200; ++s) worst = std::max(worst, std::abs(fast[s] - plain_logit(data, model, s)));
  for (Index v = 0; v < 4; ++v) mass += attention_mass(data, model, v);
  CHECK(worst < kExact);
  CHECK(std::abs(mass - 1) < kExact);
}

TEST_CASE("a part of the stays has the logits that they have among all", "[ehr]") {
  const RecencyData data = made_data(6, 50, 2);
  const std::vector<double> all = logits(data, uneven_model()), part = logits(part_of(data, 20, 10), uneven_model());
  CHECK(std::equal(part.begin(), part.end(), all.begin() + 20));
}

TEST_CASE("the most likely model is one: no step in any parameter lowers the loss", "[ehr][limit]") {
  constexpr double kPromised = 3e-3;  // nats; the search stops where a step promises 1e-3
  const RecencyData data = made_data(12, 1500, 3);
  const RecencyFit fit = most_likely(data, fresh_model(data, 8));
  CHECK(std::abs(fit.loss - plain_recency_loss(data, fit.model)) < 1e-7);
  for (const double step : {-0.02, 0.02})
    for (std::size_t p = 0; p < 10; ++p) {
      RecencyModel moved = fit.model;
      (p < 4    ? moved.preference[p]
       : p < 8  ? moved.log_half_life[p - 4]
       : p == 8 ? moved.slope
                : moved.intercept) += step;
      CHECK(plain_recency_loss(data, moved) > fit.loss - kPromised);
    }
}

TEST_CASE("an interval ends where the profile likelihood has fallen by half the quantile", "[ehr][statistics]") {
  constexpr double kQuantile = 2.7055, kBesides = 0.12;  // of chi squared at 90 %; ends to 1 %, losses to 3e-3
  const RecencyData data = made_data(12, 1500, 3);
  const RecencyFit fit = most_likely(data, fresh_model(data, 8));
  const HalfLifeInterval interval = half_life_interval(data, fit, 0, 0.9);
  const double estimate = std::exp(fit.model.log_half_life[0]);
  CHECK((interval.low < estimate && estimate < interval.high));
  CHECK((interval.low < 12 && 12 < interval.high));
  for (const double end : {interval.low, interval.high}) {
    RecencyModel held = fit.model;
    held.log_half_life[0] = std::log(end);
    const double fallen = 2 * (most_likely(data, held, 0).loss - fit.loss);
    CHECK(std::abs(fallen - kQuantile) < kBesides);
  }
  const double by_information = 2 * 1.645 * fit.log_errors[0];
  CHECK(std::abs(std::log(interval.high / interval.low) / by_information - 1) < 0.15);
}

TEST_CASE("what has no effect has a half-life that nothing bounds", "[ehr][limit]") {
  RecencyData data = made_data(12, 1000, 4);
  for (std::size_t s = 0; s < data.outcomes.size(); ++s) data.outcomes[s] = static_cast<Index>(s % 2);
  const HalfLifeInterval interval = half_life_interval(data, most_likely(data, fresh_model(data, 8)), 0, 0.9);
  CHECK((interval.low == 0 || std::isinf(interval.high)));
}

TEST_CASE("training by gradients ends near the most likely model, with the same bits for any number of threads",
          "[ehr][threads]") {
  const RecencyData data = made_data(12, 1000, 5);
  const int before = omp_get_max_threads();
  std::vector<RecencyModel> models;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    const auto bench = plain_workbench();
    auto series = one_series(*bench);
    models.push_back(trained(data, {}, Random(6), series));
  }
  omp_set_num_threads(before);
  for (const RecencyModel& model : models) {
    CHECK(model.log_half_life == models[0].log_half_life);
    CHECK(model.preference == models[0].preference);
  }
  const RecencyFit fit = most_likely(data, models[0]);
  CHECK(std::abs(fit.model.log_half_life[0] - models[0].log_half_life[0]) < 0.1);
  CHECK(attention_mass(data, models[0], 0) > 0.9);
}

TEST_CASE("a free function of time falls as the true weights do", "[ehr]") {
  const RecencyData data = made_data(12, 3000, 7);
  const auto bench = plain_workbench();
  auto series = one_series(*bench);
  const FreeTime free = trained_free(data, {}, Random(8), series);
  CHECK(std::abs(free.half_life / 12 - 1) < 0.2);
  REQUIRE(free.knots.size() == free.weights.size());
  for (std::size_t k = 0; k < free.knots.size(); ++k)
    if (free.knots[k] <= 24) CHECK(std::abs(std::log2(free.weights[k]) + free.knots[k] / 12) < 1);
}
