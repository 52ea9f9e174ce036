#include "fovea/core/linear/calibration_line.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

const std::vector<double> kLogOdds{-3, -2, -2, -1, -0.5, 0, 0, 0.5, 1, 2, 2.5, 3};
const std::vector<Index> kOutcomes{0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1};

}  // namespace

TEST_CASE("calibration in the large of equal log-odds is the distance of the odds", "[calibration]") {
  const std::vector<double> log_odds(8, -1.0986122886681098);
  const std::vector<Index> outcomes{0, 1, 0, 1, 0, 1, 0, 1};
  CHECK(std::abs(fit_calibration_in_the_large(log_odds, outcomes).intercept - 1.0986122886681098) < 1e-12);
}

TEST_CASE("the calibration line is the one that scikit-learn and SciPy find", "[statistics][calibration]") {
  // scikit-learn 1.9.1 LogisticRegression without penalty; errors from the information at SciPy's optimum
  constexpr double kDigits = 1e-7;
  const CalibrationLine line = fit_calibration_line(kLogOdds, kOutcomes);
  CHECK(std::abs(line.intercept + 0.02306979) < kDigits);
  CHECK(std::abs(line.slope - 0.76051047) < kDigits);
  CHECK(std::abs(line.intercept_error - 0.68378623) < kDigits);
  CHECK(std::abs(line.slope_error - 0.46910815) < kDigits);
  CHECK(std::abs(line.log_likelihood + 6.402790527) < kDigits);
  const CalibrationLine large = fit_calibration_in_the_large(kLogOdds, kOutcomes);
  CHECK(std::abs(large.intercept + 0.02357741) < kDigits);
  CHECK(std::abs(large.intercept_error - 0.73758965) < kDigits);
  CHECK((large.slope == 1 && large.slope_error == 0));
}

TEST_CASE("recalibrated in the large as many are expected as happened; by the line also their log-odds agree",
          "[statistics][calibration]") {
  const CalibrationLine line = fit_calibration_line(kLogOdds, kOutcomes);
  const CalibrationLine large = fit_calibration_in_the_large(kLogOdds, kOutcomes);
  std::vector<double> p, q;
  double moment = 0;
  for (std::size_t i = 0; i < kLogOdds.size(); ++i) {
    p.push_back(line.probability(kLogOdds[i]));
    q.push_back(large.probability(kLogOdds[i]));
    moment += (p.back() - static_cast<double>(kOutcomes[i])) * kLogOdds[i];
  }
  CHECK(std::abs(observed_over_expected(p, kOutcomes) - 1) < 1e-12);
  CHECK(std::abs(observed_over_expected(q, kOutcomes) - 1) < 1e-12);
  CHECK(std::abs(moment) < 1e-11);
}

TEST_CASE("a calibration line finds by how much log-odds are too extreme and too high", "[statistics][calibration]") {
  // 20000 outcomes drawn at log-odds 0.5 z - 1: standard errors of about 0.02; five of them, with a fixed seed.
  const Random random = Random(3).stream("line");
  std::vector<double> z;
  std::vector<Index> y;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    z.push_back(2 * random.normal(i));
    y.push_back(random.uniform(i, 1) < 1 / (1 + std::exp(1 - 0.5 * z.back())) ? 1 : 0);
  }
  const CalibrationLine line = fit_calibration_line(z, y);
  CHECK(line.slope_error < 0.012);
  CHECK(line.intercept_error < 0.02);
  CHECK(std::abs(line.slope - 0.5) < 5 * line.slope_error);
  CHECK(std::abs(line.intercept + 1) < 5 * line.intercept_error);
}

TEST_CASE("a calibration line is found far from where the search begins", "[statistics][calibration][limit]") {
  std::vector<double> steep;
  for (const double z : kLogOdds) steep.push_back(1000 * z + 500);
  const CalibrationLine near = fit_calibration_line(kLogOdds, kOutcomes), far = fit_calibration_line(steep, kOutcomes);
  CHECK(std::abs(far.slope * 1000 - near.slope) < 1e-9);
  CHECK(std::abs(far.intercept + 500 * far.slope - near.intercept) < 1e-9);
  const CalibrationLine large = fit_calibration_in_the_large(steep, kOutcomes);  // where all p are 0 or 1
  CHECK(std::abs(large.intercept + 500) < 1e-9);
}

TEST_CASE("a calibration line is refused where no line is the most likely", "[statistics][calibration][errors]") {
  const std::vector<double> z{-1, 0, 0, 1};
  CHECK_THROWS_WITH(
      fit_calibration_line(z, std::vector<Index>{0, 0, 1, 1}),
      "fit_calibration_line: the log-odds part the outcomes without an error; no line is the most likely one.");
  CHECK_THROWS_AS(fit_calibration_line(z, std::vector<Index>{1, 1, 0, 0}), ArgumentError);
  CHECK_THROWS_AS(fit_calibration_line(std::vector<double>{1, 1}, std::vector<Index>{1, 0}), ArgumentError);
  CHECK_THROWS_WITH(fit_calibration_in_the_large(z, std::vector<Index>(4)),
                    "fit_calibration_in_the_large: all outcomes are 0; both 0 and 1 are needed.");
  CHECK_THROWS_AS(fit_calibration_line(std::vector<double>{INFINITY, 1}, std::vector<Index>{1, 0}), ArgumentError);
  CHECK(std::abs(log_odds_of(0.25) + std::log(3)) < 1e-15);
  CHECK(std::abs(log_odds_of(0) + 27.631) < 1e-3);
  CHECK(std::abs(log_odds_of(1) - 27.631) < 1e-3);
}
