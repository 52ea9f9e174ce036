/// Alarms by hand: when they go off, what they are worth, and what is kept of few stays; and ehr.trajectory as a whole.

#include "fovea/domains/ehr/alarms/alarms.hpp"

#include "fovea/core/config/config.hpp"
#include "fovea/domains/ehr/alarms/last_value_risks.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::alarms {
namespace {

TEST_CASE("an alarm is a crossing upwards, and none follows within the refractory time", "[ehr][alarms]") {
  const std::vector<double> hours{1, 2, 3, 4, 5, 6, 7, 8}, risks{0.1, 0.6, 0.7, 0.2, 0.8, 0.3, 0.5, 0.9};
  CHECK(alarm_hours(hours, risks, 0.5, 0) == std::vector<double>{2, 5, 7});
  CHECK(alarm_hours(hours, risks, 0.5, 3) == std::vector<double>{2, 5});
  CHECK(alarm_hours(hours, risks, 0.5, 4) == std::vector<double>{2, 7});
  CHECK(alarm_hours(hours, risks, 0.05, 0) == std::vector<double>{1});  // above from the start: one alarm
  CHECK(alarm_hours(hours, risks, 0.95, 0).empty());
}

/// a died at hour 60, b at 100, d at a time that nobody wrote down; c and e lived.
Watch five_stays() {
  return {.hours = {8, 16, 24},
          .watched = {3, 3, 3, 3, 3},
          .outcomes = {1, 1, 0, 1, 0},
          .death = {60, 100, kNan, kNan, kNan},
          .folds = {0, 0, 0, 0, 0},
          .groups = {0, 1, 2, 3, 4},
          .refractory = 6};
}

const Matrix<double> kRisks{{0.9, 0.8, 0.1}, {0.1, 0.2, 0.1}, {0.6, 0.1, 0.7}, {0.1, 0.1, 0.9}, {0.1, 0.1, 0.1}};

TEST_CASE("sensitivity, predictive values, rate and lead time are those worked out by hand", "[ehr][alarms]") {
  const Watch watch = five_stays();
  const std::vector<double> threshold{0.5};
  const std::vector<StayAlarms> alarms = alarms_of(watch, kRisks, threshold);
  CHECK(alarms[0].count == 1);
  CHECK(alarms[0].first == 8);
  CHECK(std::isnan(alarms[1].first));
  CHECK(alarms[2].count == 2);
  CHECK(alarms[3].first == 24);
  const AlarmScores once = alarm_scores(watch, alarms, std::vector<double>(5, 1.0));
  CHECK(once.rate == 4.0 / 5);         // 4 alarms in 5 days
  CHECK(once.sensitivity == 2.0 / 3);  // a and d of a, b, d
  CHECK(once.by_alarm == 2.0 / 4);     // those of a and d; c has two
  CHECK(once.by_stay == 2.0 / 3);      // a and d of a, c, d
  CHECK(once.lead == 60 - 8);          // of a; the death of d is not dated
  CHECK(once.led == 1);
  CHECK(once.missed == 1);  // b
  const AlarmScores drawn = alarm_scores(watch, alarms, std::vector<double>{2, 2, 1, 0, 0});
  CHECK(drawn.rate == 4.0 / 5);
  CHECK(drawn.sensitivity == 0.5);
  CHECK(drawn.by_alarm == 0.5);
  CHECK(drawn.led == 2);
  const AlarmScores none = alarm_scores(watch, alarms, std::vector<double>{0, 1, 0, 0, 1});
  CHECK(none.rate == 0);
  CHECK(std::isnan(none.by_alarm));
  CHECK(std::isnan(none.lead));
}

TEST_CASE("a stay is watched until its death, and its days end there", "[ehr][alarms]") {
  Watch watch = five_stays();
  CHECK(watched_hours(watch.hours, 100) == 3);
  CHECK(watched_hours(watch.hours, 16) == 2);
  CHECK(watched_hours(watch.hours, 3) == 0);
  CHECK(watched_hours(watch.hours, kNan) == 3);
  watch.watched[2] = 2;  // its second alarm comes too late
  CHECK(watch.days(2) == 16.0 / 24);
  const std::vector<double> threshold{0.5};
  CHECK(alarms_of(watch, kRisks, threshold)[2].count == 1);
}

TEST_CASE("the threshold of a fold is the lowest with which the others have no more alarms than wanted",
          "[ehr][alarms]") {
  Watch watch{{24},
              std::vector<Index>(8, 1),
              std::vector<double>(8, 0.0),
              std::vector<double>(8, kNan),
              {1, 1, 1, 1, 0, 0, 0, 0},
              {0, 1, 2, 3, 4, 5, 6, 7},
              0};
  Matrix<double> risks(8, 1);
  risks.col(0) << 0.1, 0.4, 0.2, 0.3, 0.6, 0.9, 0.7, 0.8;
  const auto found = thresholds_for(watch, risks, std::vector<double>{0.5, 0.25, 0.1, 2});
  CHECK(found[0] == std::vector<double>{0.3, 0.8});  // 2 alarms of 4 stay-days
  CHECK(found[1] == std::vector<double>{0.4, 0.9});
  CHECK(found[2][0] > 0.4);                          // one alarm would be too many
  CHECK(found[3] == std::vector<double>{0.1, 0.6});  // more than there can be: as many as can be
}

TEST_CASE("what rests on fewer than ten stays is not kept", "[ehr][alarms][private]") {
  const AlarmScores all{0.2, 0.5, 0.4, 0.3, 30, 20, 40, 25, 10, 40, 10};
  const auto with = [&](double alarmed, double ill, double led) {
    AlarmScores scores = all;
    scores.alarmed = alarmed, scores.alarmed_ill = ill, scores.led = led;
    return without_small_cells(scores, 10);
  };
  CHECK(with(25, 10, 40).by_stay == 0.3);
  CHECK(with(25, 10, 40).lead_low == 20);
  CHECK(std::isnan(with(25, 9, 40).by_alarm));
  CHECK(std::isnan(with(19, 10, 40).sensitivity));  // nine without the outcome
  CHECK(std::isnan(with(25, 10, 39).lead_high));
  AlarmScores few_missed = all;
  few_missed.missed = 9;
  CHECK(std::isnan(without_small_cells(few_missed, 10).sensitivity));
  CHECK(without_small_cells(few_missed, 10).by_stay == 0.3);
  few_missed.missed = 0;
  CHECK(without_small_cells(few_missed, 10).sensitivity == 0.5);
  CHECK(with(25, 10, 20).lead == 30);
  CHECK(std::isnan(with(25, 10, 19).lead));
}

TEST_CASE("a draw takes whole patients", "[ehr][alarms]") {
  const std::vector<Index> groups{0, 0, 1, 2, 2};
  const std::vector<double> weights = drawn_weights(groups, Random(1), 3);
  CHECK(weights[0] == weights[1]);
  CHECK(weights[3] == weights[4]);
  CHECK(weights[0] + weights[2] + weights[3] == 3);
}

TEST_CASE("the last value of each variable is that before each time", "[ehr][alarms]") {
  study::Cases cases;
  cases.classes = {"drug", "hr", "ph"};
  cases.kinds = {0, 1, 1, 1};
  cases.times = {3, 1, 2, 4};
  cases.offsets = {0, 4};
  const Matrix<float> inputs{{0, 1}, {0.5, 0}, {-1, 0}, {2, 0}};  // [value, mark of none]
  const Matrix<double> rows = last_values_at(cases, inputs, 0, {0.5, 1, 3.5, 9});
  CHECK(rows == Matrix<double>{{0, 0, 0, 0, 0, 0}, {0, 0, 0.5, 1, 0, 0}, {0, 1, -1, 1, 0, 0}, {0, 1, 2, 1, 0, 0}});
}

const std::string kSmallTrajectory =
    "split.validation = 0\ntraining.patience = 0\ncalibration.method = \"line\"\nmodel.hidden = [16]\n"
    "ensemble.members = 2\n";

TEST_CASE("trajectory: alarms of attention are right more often than those of noise, at the rates that were wanted",
          "[ehr][alarms][long]") {
  const Results results = support::run_of("ehr.trajectory",
                                          kSmallTrajectory +
                                              "data.simulated = 1500\nsplit.folds = 3\ntraining.epochs = 10\n"
                                              "training.batch_tokens = 5000\nexplain.cases = 0\nalarms.every = 2\n"
                                              "alarms.rates = [0.1, 0.2]\ntrajectory.hours = [12, 48]\n",
                                          5);
  const auto real = [&](const char* name, std::size_t k) { return results.data.at(name).reals()[k]; };
  for (const std::size_t k : {0, 1}) {
    CHECK(std::abs(real("alarm_rate", k) / (k == 0 ? 0.1 : 0.2) - 1) < 0.15);
    CHECK(real("alarm_precision", k) > real("alarm_precision", 4 + k) + 0.05);
    CHECK(real("precision_over_low", 4 + k) > 0);
    CHECK(real("precision_over", k) == 0);
    CHECK(real("alarm_precision_low", k) < real("alarm_precision", k));
    CHECK(real("alarm_precision", k) < real("alarm_precision_high", k));
    CHECK(real("alarm_lead", k) > 0);
  }
  CHECK(real("alarm_sensitivity", 1) > real("alarm_sensitivity", 0));
  CHECK(real("auroc_at", 1) > real("auroc_at", 0));
  CHECK(results.data.at("risk_by_hour").reals().size() == 2 * 24);
  CHECK(real("risk_by_hour", 47) > real("risk_by_hour", 23));  // at the end, with the outcome against without
  CHECK(results.verdict().find(" alarms per stay-day ") != std::string::npos);
  for (const Variable& variable : results.data.variables()) CHECK(variable.size() < 1000);  // nothing of each stay
}

TEST_CASE("trajectory: what cannot be watched is refused with the way out", "[ehr][alarms][errors]") {
  const auto refusal = [](const std::string& more) {
    return support::complaints_of("ehr.trajectory", kSmallTrajectory + more);
  };
  CHECK(refusal("").empty());
  CHECK(refusal("split.folds = 3\n").empty());
  CHECK(refusal("split.folds = 0\n").find("split.folds = 0, but ehr.trajectory asks of every case") !=
        std::string::npos);
  CHECK(refusal("split.folds = 3\ndata.unit = \"years\"\n").find("set data.unit = \"hours\"") != std::string::npos);
  CHECK(refusal("split.folds = 3\nalarms.every = 50\n").find("must be asked at least once") != std::string::npos);
  CHECK(refusal("split.folds = 3\nalarms.rates = []\n").find("must have one number or more") != std::string::npos);
}

}  // namespace
}  // namespace fovea::ehr::alarms
