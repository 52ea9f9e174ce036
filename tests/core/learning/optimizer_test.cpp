#include "fovea/core/learning/training/optimizer.hpp"

#include "fovea/core/learning/training/clipping.hpp"
#include "fovea/core/learning/training/schedule.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr double kSumOfRoundings = 1e-13;  // 20 steps of a few operations, numbers of about 1

/// A weight that decays, a bias that does not, a frozen table, a weight behind it.
Parameters<double> four_parameters() {
  Parameters<double> parameters;
  parameters.add("weight", Matrix<double>::Constant(2, 2, 0.7));
  parameters.add("bias", Matrix<double>::Constant(1, 2, -0.4), Decay::no);
  parameters.add("table", Matrix<double>::Constant(1, 3, 0.2));
  parameters.add("last", Matrix<double>::Constant(1, 1, 1.5));
  parameters.set_learning("table", false);
  return parameters;
}

double gradient_at(Index k, int step) {
  return Random(3).normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(step));
}

std::vector<double> gradients_at(Index count, int step) {
  std::vector<double> gradients;
  for (Index k = 0; k < count; ++k) gradients.push_back(gradient_at(k, step));
  return gradients;
}

double rate_at(int step) { return 0.01 * (1 + step % 3); }

Parameters<double> walked(const OptimizerSettings& settings, int steps) {
  Parameters<double> parameters = four_parameters();
  Optimizer<double> optimizer(settings, parameters.size());
  for (int t = 0; t < steps; ++t) optimizer.step(parameters, gradients_at(parameters.size(), t), rate_at(t));
  return parameters;
}

}  // namespace

TEST_CASE("AdamW follows its published algorithm, written as sums over the past", "[learning][optimizer][twin]") {
  constexpr int kSteps = 20;
  const AdamW settings{0.8, 0.95, 1e-3, 0.3};
  const Parameters<double> parameters = walked(settings, kSteps);
  for (const auto& entry : parameters.entries()) {
    for (Index k = entry.place.begin; k < entry.place.begin + entry.place.size(); ++k) {
      double theta = four_parameters().values()[k];
      for (int t = 0; t < kSteps && entry.learns; ++t) {
        double m = 0, v = 0;  // exponentially weighted means over all gradients so far, not recursions
        for (int s = 0; s <= t; ++s) {
          m += (1 - settings.first) * std::pow(settings.first, t - s) * gradient_at(k, s);
          v += (1 - settings.second) * std::pow(settings.second, t - s) * std::pow(gradient_at(k, s), 2);
        }
        const double unbiased_m = m / (1 - std::pow(settings.first, t + 1));
        const double unbiased_v = v / (1 - std::pow(settings.second, t + 1));
        const double decay = entry.decay == Decay::yes ? settings.decay : 0;
        theta -= rate_at(t) * (unbiased_m / (std::sqrt(unbiased_v) + settings.epsilon) + decay * theta);
      }
      CHECK(std::abs(parameters.values()[k] - theta) < kSumOfRoundings);
    }
  }
}

TEST_CASE("the heavy ball and Nesterov's method follow their equations", "[learning][optimizer][twin]") {
  constexpr int kSteps = 20;
  for (const bool nesterov : {false, true}) {
    const Sgd settings{0.9, nesterov, 0.2};
    const Parameters<double> parameters = walked(settings, kSteps);
    for (const auto& entry : parameters.entries()) {
      const Index k = entry.place.begin;
      double theta = four_parameters().values()[k];
      for (int t = 0; t < kSteps && entry.learns; ++t) {
        const auto velocity = [&](int last) {
          double v = 0;
          for (int s = 0; s <= last; ++s) v += std::pow(0.9, last - s) * gradient_at(k, s);
          return v;
        };
        const double direction = nesterov ? gradient_at(k, t) + 0.9 * velocity(t) : velocity(t);
        if (entry.decay == Decay::yes) theta -= rate_at(t) * settings.decay * theta;
        theta -= rate_at(t) * direction;
      }
      CHECK(std::abs(parameters.values()[k] - theta) < kSumOfRoundings);
    }
  }
}

TEST_CASE("a frozen parameter keeps every bit, decay or not", "[learning][optimizer]") {
  const Parameters<double> parameters = walked(AdamW{0.9, 0.99, 1e-8, 0.5}, 5);
  const auto table = parameters.matrix(parameters.at("table").place);
  CHECK((table.array() == 0.2).all());
}

TEST_CASE("without a gradient only what decays gets smaller", "[learning][optimizer]") {
  Parameters<double> parameters = four_parameters();
  Optimizer<double> optimizer(AdamW{0.9, 0.999, 1e-8, 0.5}, parameters.size());
  const std::vector<double> zeros(parameters.size());
  optimizer.step(parameters, zeros, 0.1);
  CHECK(std::abs(parameters.matrix(parameters.at("weight").place)(0, 0) - 0.7 * 0.95) < kSumOfRoundings);
  CHECK(parameters.matrix(parameters.at("bias").place)(0, 0) == -0.4);
}

TEST_CASE("an optimiser that was saved and restored goes on with the same bits", "[learning][optimizer]") {
  for (const OptimizerSettings& settings : {OptimizerSettings(AdamW{}), OptimizerSettings(Sgd{0.9, true, 0.1})}) {
    Parameters<double> parameters = four_parameters();
    Optimizer<double> optimizer(settings, parameters.size());
    for (int t = 0; t < 3; ++t) optimizer.step(parameters, gradients_at(parameters.size(), t), rate_at(t));
    Optimizer<double> other(settings, parameters.size());
    restore_state(saved_state(optimizer), other);
    for (int t = 3; t < 6; ++t) other.step(parameters, gradients_at(parameters.size(), t), rate_at(t));
    const Parameters<double> straight = walked(settings, 6);
    CHECK(std::equal(parameters.values().begin(), parameters.values().end(), straight.values().begin()));
  }
}

TEST_CASE("an optimiser refuses the state of another and settings out of range", "[learning][optimizer][errors]") {
  Optimizer<double> sgd(Sgd{}, 3), adam(AdamW{}, 3), longer(Sgd{}, 4);
  const Dataset saved = saved_state(sgd);
  CHECK_THROWS_WITH(restore_state(saved, adam),
                    "checkpoint: /optimizer is 'sgd', but must be 'adamw'; it belongs to another run.");
  CHECK_THROWS_WITH(restore_state(saved, longer),
                    "checkpoint: /momentum has 3 values, but must have 4; it belongs to another run.");
  CHECK_THROWS_WITH(Optimizer<double>(AdamW{1.0}, 1), "optimizer: first = 1, but must be in [0, 1).");
  CHECK_THROWS_WITH(Optimizer<double>(Sgd{0.9, false, -1}, 1), "optimizer: decay = -1, but must be >= 0.");
  Parameters<double> parameters = four_parameters();
  CHECK_THROWS_AS(adam.step(parameters, gradients_at(10, 0), 0.1), ArgumentError);
}

TEST_CASE("clipping keeps the direction, bounds the norm and leaves a short gradient alone", "[learning][clipping]") {
  Parameters<double> parameters;
  parameters.add("a", Matrix<double>::Zero(1, 2));
  parameters.add("b", Matrix<double>::Zero(1, 1));
  std::vector<double> gradients{2, 3, 6};
  CHECK(clip_gradients<double>(parameters, gradients, 7.0) == 7.0);
  CHECK(gradients == std::vector<double>{2, 3, 6});
  CHECK(clip_gradients<double>(parameters, gradients, 3.5) == 7.0);
  CHECK(gradients == std::vector<double>{1, 1.5, 3});
}

TEST_CASE("a gradient that is no number is refused with the name of its parameter", "[learning][clipping][errors]") {
  Parameters<float> parameters;
  parameters.add("encoder.weight", Matrix<float>::Zero(1, 2));
  parameters.add("frozen", Matrix<float>::Zero(1, 1));
  parameters.add("head.bias", Matrix<float>::Zero(1, 2));
  parameters.set_learning("frozen", false);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> gradients{1, 1, nan, 1, -infinity};
  CHECK_THROWS_WITH(clip_gradients<float>(parameters, gradients, 1.0),
                    "the gradient of 'head.bias' is not finite; lower the learning rate, or look for a division by 0, "
                    "a logarithm or a root of 0 in the model.");
  gradients[4] = 1;
  CHECK(clip_gradients<float>(parameters, gradients, 10.0) == 2.0);  // the frozen one does not count
  CHECK_THROWS_AS(clip_gradients<float>(parameters, gradients, 0.0), ArgumentError);
}

TEST_CASE("schedules: warm-up is linear, the cosine ends where it should", "[learning][schedule][limit]") {
  ScheduleSettings settings;
  settings.learning_rate = 0.4;
  settings.warm_up_steps = 4;
  const Schedule constant(settings);
  CHECK(constant.rate(0, 0) == 0.1);
  CHECK(constant.rate(3, 0) == 0.4);
  CHECK(constant.rate(1000, 0.9) == 0.4);
  settings.course = RateCourse::cosine;
  settings.last_share = 0.25;
  const Schedule cosine(settings);
  CHECK(cosine.rate(4, 0) == 0.4);
  CHECK(std::abs(cosine.rate(50, 1.0 / 3) - 0.4 * (0.25 + 0.75 * 0.75)) < 1e-15);  // (1 + cos 60 degrees) / 2 = 3/4
  CHECK(cosine.rate(100, 1) == 0.1);
}

TEST_CASE("schedules: a plateau lowers the rate after as many epochs as allowed, and no further than allowed",
          "[learning][schedule]") {
  ScheduleSettings settings;
  settings.learning_rate = 1;
  settings.course = RateCourse::plateau;
  settings.plateau_epochs = 2;
  settings.smallest_share = 0.2;
  Schedule schedule(settings);
  std::vector<double> rates;
  for (const double loss : {5.0, 4.0, 4.0, 4.5, 3.9, 3.9, 4.0, 4.0, 4.0, 4.0, 4.0}) {
    schedule.observe(loss);
    rates.push_back(schedule.rate(0, 0));
  }
  CHECK(rates == std::vector<double>{1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.2, 0.2, 0.2});
  Schedule other(settings);
  restore_state(saved_state(schedule), other);
  CHECK(other.rate(0, 0) == 0.2);
  settings.plateau_factor = 1;
  CHECK_THROWS_WITH(Schedule(settings), "schedule: plateau_factor = 1, but must be in (0, 1).");
}

}  // namespace fovea::learning
