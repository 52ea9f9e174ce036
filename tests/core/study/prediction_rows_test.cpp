#include "fovea/core/study/predict/prediction_rows.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Two cases of one and two tokens; an id with a comma and a quote.
Cases two_cases() {
  Cases cases;
  cases.offsets = {0, 1, 3};
  cases.ids = {"a", "b, \"c\""};
  return cases;
}

}  // namespace

TEST_CASE("rows of a binary target hold probability, spread and range in the shortest exact form", "[study]") {
  const Target target;
  Predictions predictions{
      Matrix<double>{{0.1}, {1.0 / 3}}, Matrix<double>{{0}, {1e-300}}, {}, {}, {0.1, 0.25}, {0.1, 0.5}};
  CHECK(prediction_header(target) == "id,probability,spread,low,high\n");
  CHECK(prediction_header(target, true, "time_hours", "stay_id") ==
        "stay_id,time_hours,probability,spread,low,high,decision\n");
  CHECK(prediction_rows(target, two_cases(), predictions) ==
        "a,0.1,0,0.1,0.1\n\"b, \"\"c\"\"\",0.3333333333333333,1e-300,0.25,0.5\n");
  predictions.high.clear();
  CHECK_THROWS_AS(prediction_rows(target, two_cases(), predictions), ArgumentError);
}

TEST_CASE("rows of classes name the likeliest class and every probability", "[study]") {
  Target target;
  target.kind = TargetKind::classes;
  target.classes = {"quake", "blast, mine"};
  const Predictions predictions{Matrix<double>{{0.75, 0.25}, {0.25, 0.75}}, Matrix<double>{{0.1, 0.2}, {0.3, 0.4}}, {}};
  CHECK(prediction_header(target) == "id,class,p_quake,\"p_blast, mine\",spread\n");
  CHECK(prediction_rows(target, two_cases(), predictions) ==
        "a,quake,0.75,0.25,0.1\n\"b, \"\"c\"\"\",\"blast, mine\",0.25,0.75,0.4\n");
}

TEST_CASE("rows of a number a token count the tokens within each case", "[study]") {
  Target target;
  target.kind = TargetKind::number;
  target.level = TargetLevel::per_token;
  const Predictions predictions{Matrix<double>{{1}, {2}, {3}}, Matrix<double>{{0}, {0.5}, {0}}, {4, 5, 6}};
  CHECK(prediction_header(target) == "id,token,prediction,deviation,spread\n");
  CHECK(prediction_rows(target, two_cases(), predictions) ==
        "a,0,1,4,0\n\"b, \"\"c\"\"\",0,2,5,0.5\n\"b, \"\"c\"\"\",1,3,6,0\n");
  target.level = TargetLevel::per_case;
  CHECK_THROWS_AS(prediction_rows(target, two_cases(), predictions), ArgumentError);
}

TEST_CASE("targets that cases have stand behind what is predicted, and are empty where they are not known", "[study]") {
  Target target;
  target.name = "the, label";
  Cases cases = two_cases();
  CHECK_FALSE(has_target_column(target, cases));
  cases.targets = {1, std::nan("")};
  CHECK(has_target_column(target, cases));
  const Predictions predictions{
      Matrix<double>{{0.5}, {0.25}}, Matrix<double>{{0}, {0}}, {}, {1, 0}, {0.5, 0}, {0.5, 1}};
  CHECK(prediction_header(target, true, "", "id", true) == "id,probability,spread,low,high,decision,\"the, label\"\n");
  const std::string with = "a,0.5,0,0.5,0.5,1,1\n\"b, \"\"c\"\"\",0.25,0,0,1,0,\n";
  CHECK(prediction_rows(target, cases, predictions, nullptr, true) == with);
  CHECK(prediction_rows(target, cases, predictions) == "a,0.5,0,0.5,0.5,1\n\"b, \"\"c\"\"\",0.25,0,0,1,0\n");

  target = {.kind = TargetKind::classes, .name = "kind", .classes = {"quake", "blast, mine"}};
  const Predictions classes{Matrix<double>{{0.75, 0.25}, {0.25, 0.75}}, Matrix<double>{{0.1, 0.2}, {0.3, 0.4}}, {}};
  CHECK(prediction_rows(target, cases, classes, nullptr, true) ==
        "a,quake,0.75,0.25,0.1,\"blast, mine\"\n\"b, \"\"c\"\"\",\"blast, mine\",0.25,0.75,0.4,\n");
  target.kind = TargetKind::hazards;
  CHECK_FALSE(has_target_column(target, cases));
}

}  // namespace fovea::study
