#include "fovea/core/study/baselines/baselines.hpp"

#include "fovea/core/statistics/metrics.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

study::Target baseline_target(study::TargetKind kind) {
  study::Target target;
  target.kind = kind;
  if (kind == study::TargetKind::classes) target.classes = {"a", "b", "c"};
  return target;
}

/// A part of the data: x normal on scales from 1 to 1000, and what follows from it.
struct BaselinePart {
  Matrix<double> x;
  std::vector<double> y;
};

BaselinePart linear_part_of_data(study::TargetKind kind, Index rows, std::uint64_t seed, double noise = 0.1) {
  const Random random = Random(seed).stream("linear rule");
  BaselinePart part{Matrix<double>(rows, 3), {}};
  for (Index i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    const double a = random.normal(row, 0), b = random.normal(row, 1), c = random.normal(row, 2);
    part.x.row(i) << a, 50 + 1000 * b, 0.01 * c;
    if (kind == study::TargetKind::number) {
      part.y.push_back(7 + 2 * a - 3 * b + noise * random.normal(row, 3));
    } else if (kind == study::TargetKind::binary) {
      part.y.push_back(random.uniform(row, 3) < 1 / (1 + std::exp(-(0.5 + a - 2 * b))) ? 1 : 0);
    } else {
      part.y.push_back(a > b && a > c ? 0 : b > c ? 1 : 2);
    }
  }
  return part;
}

study::Predictions ridge_of(study::TargetKind kind, const BaselinePart& training, const BaselinePart& validation,
                            const BaselinePart& test) {
  return study::ridge(baseline_target(kind), training.x, training.y, validation.x, validation.y, test.x);
}

const BaselinePart kNoRows{Matrix<double>(0, 3), {}};

constexpr study::TargetKind kAllKinds[]{study::TargetKind::binary, study::TargetKind::classes,
                                        study::TargetKind::number};

}  // namespace

TEST_CASE("the base rate is the share of each class, or the mean and deviation of a number", "[study][baselines]") {
  const std::vector<double> classes{0, 2, 2, NAN, 1};
  const study::Predictions shares = study::base_rate(baseline_target(study::TargetKind::classes), classes, 2);
  CHECK(shares.mean == Matrix<double>{{0.25, 0.25, 0.5}, {0.25, 0.25, 0.5}});
  CHECK(shares.spread == Matrix<double>::Zero(2, 3));
  const std::vector<double> two{1, 0, 0, NAN, 0};
  CHECK(study::base_rate(baseline_target(study::TargetKind::binary), two, 3).mean ==
        Matrix<double>::Constant(3, 1, 0.25));
  const std::vector<double> numbers{1, 3, NAN, 5};
  const study::Predictions number = study::base_rate(baseline_target(study::TargetKind::number), numbers, 2);
  CHECK(number.mean == Matrix<double>::Constant(2, 1, 3.0));
  CHECK(std::abs(number.deviation.at(1) - std::sqrt(8.0 / 3)) < 1e-15);
  CHECK(study::base_rate(baseline_target(study::TargetKind::number), std::vector<double>{4, 4}, 1).deviation.at(0) ==
        1);
  CHECK_THROWS_AS(study::base_rate(baseline_target(study::TargetKind::number), std::vector<double>{NAN}, 1),
                  ArgumentError);
}

TEST_CASE("a case is on average the mean of its tokens and the log of their number", "[study][baselines]") {
  study::Cases cases;
  cases.offsets = {0, 2, 2, 5};
  const Matrix<float> inputs{{1, 2}, {3, 6}, {1, 0}, {2, 0}, {6, 3}};
  study::Target target;
  const Matrix<double> means = study::mean_inputs(cases, inputs, target, {2, 1, 0});
  const Matrix<double> by_hand{{3, 1, std::log(4.0)}, {0, 0, 0}, {2, 4, std::log(3.0)}};
  CHECK((means - by_hand).cwiseAbs().maxCoeff() < 1e-15);
  target.level = study::TargetLevel::per_token;
  CHECK(study::mean_inputs(cases, inputs, target, {2, 0}) == Matrix<double>{{1, 0}, {2, 0}, {6, 3}, {1, 2}, {3, 6}});
}

TEST_CASE("ridge finds a linear rule and how far from it the data are", "[study][baselines]") {
  using enum study::TargetKind;
  const BaselinePart training = linear_part_of_data(number, 2000, 1), validation = linear_part_of_data(number, 500, 2);
  const BaselinePart exact = linear_part_of_data(number, 200, 3, 0);
  const study::Predictions found = ridge_of(number, training, validation, exact);
  // 4 coefficients from 2000 rows with noise 0.1: an error of about 0.1 sqrt(4 / 2000) = 0.0045; 3 times that
  for (Index i = 0; i < exact.x.rows(); ++i) CHECK(std::abs(found.mean(i, 0) - exact.y[i]) < 0.03);
  CHECK(std::abs(found.deviation.at(0) - 0.1) < 0.015);  // 500 residuals: standard error 0.1 / sqrt(1000), 4 times
  CHECK(found.deviation.size() == 200);
  CHECK(found.spread == Matrix<double>::Zero(200, 1));
}

TEST_CASE("ridge without a validation part has the penalty that predicts each row best from the others",
          "[study][baselines][twin]") {
  const std::vector<double> y{1, 0, 2, 5}, z0{-2, -1, 0, 3};  // x = 1, 2, 3, 6 has mean 3, y has mean 2
  const BaselinePart training{Matrix<double>{{1}, {2}, {3}, {6}}, y};
  const BaselinePart none{Matrix<double>(0, 1), {}}, test{Matrix<double>{{0}, {3}}, {}};
  const study::Predictions found = ridge_of(study::TargetKind::number, training, none, test);
  const double deviation = std::sqrt(14.0 / 4);
  double least = INFINITY, slope = 0;
  for (const double penalty : {1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3}) {
    double loss = 0;
    for (std::size_t left = 0; left < 4; ++left) {  // the line y = a + b z of the other three, least squares + penalty
      double n = 0, sz = 0, szz = 0, sy = 0, szy = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        if (i == left) continue;
        const double z = z0[i] / deviation;
        n += 1, sz += z, szz += z * z, sy += y[i], szy += z * y[i];
      }
      const double b = (szy - sz * sy / n) / (szz + penalty - sz * sz / n), a = (sy - b * sz) / n;
      const double error = y[left] - a - b * z0[left] / deviation;
      loss += error * error;
    }
    if (loss < least) least = loss, slope = 13 / deviation / (4 + penalty);  // sum of z (y - 2) is 13 / deviation
  }
  CHECK(std::abs(found.mean(0, 0) - (2 - 3 / deviation * slope)) < 1e-14);
  CHECK(std::abs(found.mean(1, 0) - 2) < 1e-14);
}

TEST_CASE("logistic ridge recovers the probabilities of a logistic rule", "[study][baselines]") {
  using enum study::TargetKind;
  const BaselinePart training = linear_part_of_data(binary, 8000, 4), validation = linear_part_of_data(binary, 1000, 5);
  const BaselinePart test{Matrix<double>{{0, 50, 0}, {1, 50, 0}, {0, 1050, 0}, {-1, -950, 0.01}}, {}};
  const study::Predictions found = ridge_of(binary, training, validation, test);
  const double logits[]{0.5, 1.5, -1.5, 1.5};
  // coefficients from 8000 rows: standard errors of about 0.05 in a logit, 0.0125 in a probability; 3 of them
  for (Index i = 0; i < 4; ++i) CHECK(std::abs(found.mean(i, 0) - 1 / (1 + std::exp(-logits[i]))) < 0.04);
}

TEST_CASE("logistic ridge is at the minimum of its loss", "[study][baselines][twin]") {
  // y = [x > 0] of x = -1, 1 twice each: the slope b solves 4 sigmoid(-b) = b / 1000 (and no intercept), as the least
  // penalty predicts a row best from the others
  const BaselinePart training{Matrix<double>{{-1}, {1}, {-1}, {1}}, {0, 1, 0, 1}};
  const study::Predictions found =
      ridge_of(study::TargetKind::binary, training, {Matrix<double>(0, 1), {}}, {Matrix<double>{{1}}, {}});
  double low = 0, high = 40;
  while (high - low > 1e-12) {
    const double b = (low + high) / 2;
    (4 / (1 + std::exp(b)) > b / 1000 ? low : high) = b;
  }
  CHECK(std::abs(found.mean(0, 0) - 1 / (1 + std::exp(-low))) < 1e-9);
}

TEST_CASE("ridge of several classes gives probabilities that beat the base rate", "[study][baselines]") {
  using enum study::TargetKind;
  const BaselinePart training = linear_part_of_data(classes, 1000, 6),
                     validation = linear_part_of_data(classes, 300, 7);
  const BaselinePart test = linear_part_of_data(classes, 500, 8);
  const study::Predictions found = ridge_of(classes, training, validation, test);
  REQUIRE(found.mean.cols() == 3);
  for (Index i = 0; i < 500; ++i) CHECK(std::abs(found.mean.row(i).sum() - 1) < 1e-12);
  const std::vector<Index> y(test.y.begin(), test.y.end());
  const study::Predictions base = study::base_rate(baseline_target(classes), training.y, 500);
  CHECK(log_loss(found.mean, y) < 0.5 * log_loss(base.mean, y));
  CHECK(accuracy(found.mean, y) > 0.85);
}

TEST_CASE("ridge stands columns that are constant or equal, missing targets, and rules that part the classes exactly",
          "[study][baselines][limit]") {
  for (const study::TargetKind kind : kAllKinds) {
    BaselinePart training = linear_part_of_data(kind, 200, 9), validation = linear_part_of_data(kind, 50, 10),
                 test = linear_part_of_data(kind, 20, 11);
    const study::Predictions without = ridge_of(kind, training, validation, test);
    for (BaselinePart* part : {&training, &validation, &test}) {
      part->x.conservativeResize(Eigen::NoChange, 4);
      part->x.col(3).setConstant(0.1);
    }
    const study::Predictions constant = ridge_of(kind, training, validation, test);
    CHECK((constant.mean - without.mean).cwiseAbs().maxCoeff() < 1e-9);
    for (BaselinePart* part : {&training, &validation, &test}) part->x.col(3) = part->x.col(1);
    training.y[5] = validation.y[7] = NAN;
    CHECK(ridge_of(kind, training, validation, test).mean.allFinite());
  }
  const BaselinePart parted{Matrix<double>{{-2}, {-1}, {1}, {2}}, {0, 0, 1, 1}};
  const study::Predictions sure = ridge_of(study::TargetKind::binary, parted, parted, parted);
  CHECK(sure.mean(0, 0) < 0.01);
  CHECK(sure.mean(3, 0) > 0.99);
  CHECK(sure.mean.allFinite());
}

TEST_CASE("where all targets are equal ridge predicts them", "[study][baselines][limit]") {
  for (const study::TargetKind kind : kAllKinds)
    for (const bool validated : {true, false}) {
      BaselinePart training = linear_part_of_data(kind, 100, 12), validation = linear_part_of_data(kind, 30, 13);
      training.y.assign(100, 1.0);
      validation.y.assign(30, 1.0);
      const study::Predictions found =
          ridge_of(kind, training, validated ? validation : kNoRows, linear_part_of_data(kind, 10, 14));
      const Index column = kind == study::TargetKind::classes ? 1 : 0;
      for (Index i = 0; i < 10; ++i) CHECK(std::abs(found.mean(i, column) - 1) < 1e-4);
      if (kind == study::TargetKind::number) CHECK(found.deviation.at(0) == 1);
    }
}

TEST_CASE("ridge chooses a large penalty where there is nothing to learn", "[study][baselines]") {
  BaselinePart training = linear_part_of_data(study::TargetKind::number, 40, 15),
               validation = linear_part_of_data(study::TargetKind::number, 200, 16);
  const Random random = Random(17);
  for (std::size_t i = 0; i < 40; ++i) training.y[i] = random.normal(i);
  for (std::size_t i = 0; i < 200; ++i) validation.y[i] = random.normal(1000 + i);
  const study::Predictions found = ridge_of(study::TargetKind::number, training, validation, validation);
  const study::Predictions least = ridge_of(study::TargetKind::number, training, training, validation),
                           left_out = ridge_of(study::TargetKind::number, training, kNoRows, validation);
  const auto variation = [](const study::Predictions& p) { return (p.mean.array() - p.mean.mean()).square().mean(); };
  CHECK(variation(found) < 0.1 * variation(least));
  CHECK(variation(left_out) < 0.1 * variation(least));
}

TEST_CASE("ridge has the same bits for any number of threads", "[study][baselines][threads]") {
  const int before = omp_get_max_threads();
  for (const study::TargetKind kind : kAllKinds) {
    const BaselinePart training = linear_part_of_data(kind, 1500, 18), validation = linear_part_of_data(kind, 300, 19);
    omp_set_num_threads(1);
    const study::Predictions one = ridge_of(kind, training, validation, validation);
    for (const int threads : {2, 3}) {
      omp_set_num_threads(threads);
      const study::Predictions many = ridge_of(kind, training, validation, validation);
      CHECK(one.mean == many.mean);
      CHECK(one.deviation == many.deviation);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("ridge refuses parts that do not fit together", "[study][baselines]") {
  BaselinePart training = linear_part_of_data(study::TargetKind::number, 10, 20), test = training;
  test.x.conservativeResize(Eigen::NoChange, 2);
  CHECK_THROWS_WITH(ridge_of(study::TargetKind::number, training, kNoRows, test),
                    "ridge: the test part has 2 columns, but must have 3, as the training part has.");
  training.x(4, 1) = INFINITY;
  CHECK_THROWS_WITH(ridge_of(study::TargetKind::number, training, kNoRows, kNoRows),
                    "ridge: a value of the training part is not finite.");
  training.x(4, 1) = 0;
  training.y.assign(10, NAN);
  CHECK_THROWS_WITH(ridge_of(study::TargetKind::number, training, kNoRows, kNoRows),
                    "ridge: no target of the training part is known; at least one is needed.");
}
