#include "fovea/core/learning/training/ensemble.hpp"

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/tests/core/learning/line_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {

TEST_CASE("an ensemble's mean, spread and mixture are those worked out by hand", "[learning][ensemble]") {
  constexpr double kRoundings = 1e-15;
  const std::vector<Matrix<double>> members{Matrix<double>{{1, 4}}, Matrix<double>{{2, 4}}, Matrix<double>{{6, 4}}};
  const EnsemblePrediction together = combine(members);
  CHECK(together.mean == Matrix<double>{{3, 4}});
  CHECK(std::abs(together.spread(0, 0) - std::sqrt(7.0)) < kRoundings);  // (4 + 1 + 9) / 2
  CHECK(together.spread(0, 1) == 0);
  CHECK(combine(std::span(members).first(1)).spread == Matrix<double>{{0, 0}});
  const std::vector<Matrix<double>> variances(3, Matrix<double>{{0.5, 2}});
  const MixtureMoments mixture = combine_gaussian(members, variances);
  CHECK(std::abs(mixture.variance(0, 0) - (0.5 + 41.0 / 3 - 9)) < 1e-14);  // mean of mu^2 = 41 / 3
  CHECK(mixture.variance(0, 1) == 2);
  CHECK_THROWS_AS(combine({}), ArgumentError);
  CHECK_THROWS_AS(combine(std::vector<Matrix<double>>{Matrix<double>{{1}}, Matrix<double>{{1, 2}}}), ArgumentError);
}

TEST_CASE("members of an ensemble agree where there were data and differ where there were none",
          "[learning][ensemble]") {
  // The last input is always 0 in the data, so its weight stays where each member started.
  LineTask task = line_task(200, 0.0);
  task.input_noise = 0;
  for (std::size_t e = 0; e < 200; ++e) {
    for (Index i = 0; i < task.sizes[e]; ++i) {
      task.targets[e] -= 2 * task.tokens[e](i, 2);
      task.tokens[e](i, 2) = 0;
    }
  }
  const LineModel model;
  std::vector<Parameters<float>> members;
  for (std::uint64_t k = 0; k < 4; ++k) {
    LineModel own;
    for (std::size_t j = 0; j < 4; ++j) own.parameters.values()[j] = static_cast<float>(Random(9).normal(j, k));
    members.push_back(own.parameters);
  }
  const auto bench = plain_workbench();
  TrainingSeries series(*bench, 4);
  TrainingSettings settings = line_settings(60);
  settings.optimizer = AdamW{0.9, 0.99, 1e-8, 0};
  for (std::size_t k = 0; k < members.size(); ++k) {
    settings.name = concat("member_", k);
    series.train(members[k], line_problem(model, task, 20), settings, Random(3).stream(settings.name));
  }
  std::vector<Matrix<double>> weights;
  for (const Parameters<float>& member : members)
    weights.push_back(member.matrix(model.weight).transpose().cast<double>());
  const EnsemblePrediction together = combine(weights);
  CHECK(together.spread(0, 0) < 1e-2);
  CHECK(together.spread(0, 1) < 1e-2);
  CHECK(together.spread(0, 2) > 0.1);
}

}  // namespace fovea::learning
