// The model of radar and optics: what is missing has no trust, and a case is answered the same in any company.

#include "fovea/domains/fusion/model/fusion_model.hpp"

#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/datasets/fields/made_fields.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/model/arbiter.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion {

namespace {

const std::vector<std::string> kBands{"B04", "B08", "B11"}, kLabels{"0", "1", "2", "3", "4"};

study::Cases some_fields(Index count) {
  return crops::cases_of_fields("fields", datasets::fields::crop_fields(count, {}, Random(4)), kBands, kLabels);
}

/// A model with random weights, and how it prepares these cases.
struct Untrained {
  study::Target target{.kind = study::TargetKind::classes, .classes = kLabels};
  study::Preparation preparation;
  std::vector<study::Member> members;

  explicit Untrained(const study::Cases& cases) {
    std::vector<Index> all(cases.count());
    for (std::size_t b = 0; b < all.size(); ++b) all[b] = static_cast<Index>(b);
    preparation = study::prepare(cases, all, target);
    members.resize(1);
    members[0].model = model::make_model({}, study::shape_of(preparation, target), members[0].parameters, Random(5));
    const Matrix<float> inputs = study::prepared(preparation, cases);
    const std::vector<Index> first{0};
    members[0].model->look(members[0].parameters, {first},
                           [&](learning::Tape<float>& tape, std::span<const Index>) -> study::Batch {
                             auto& tokens = tape.kept<learning::Tokens>();
                             tokens.offsets = {0, cases.size(0)};
                             tokens.times = {cases.times.front(), cases.times[cases.size(0) - 1]};
                             return {tape.constant(1, 1), &tokens};
                           });
  }
  Matrix<double> answers(const study::Cases& cases, const std::vector<Index>& items, Index batch = 8192) const {
    return study::outputs_of(members[0], target, cases, study::prepared(preparation, cases), items, batch);
  }
  Matrix<double> trust(const study::Cases& cases, const std::vector<Index>& items) const {
    return study::sides_of(members, cases, study::prepared(preparation, cases), items, 8192);
  }
};

}  // namespace

TEST_CASE("a sensor without tokens has a trust of exactly 0, and trusts sum to 1", "[fusion][property]") {
  const study::Cases cases = some_fields(20);
  const Untrained model(cases);
  const std::vector<Index> items{0, 5, 19};
  const Matrix<double> both = model.trust(cases, items);
  for (Index i = 0; i < both.rows(); ++i) {
    CHECK(both.row(i).sum() == Approx(1).margin(1e-6));
    CHECK(both(i, 0) > 0);
    CHECK(both(i, 1) > 0);
  }
  for (const Index lost : {Index{0}, Index{1}}) {
    const Matrix<double> left = model.trust(model::without_sensor(cases, lost), items);
    for (Index i = 0; i < left.rows(); ++i) {
      CHECK(left(i, lost) == 0);
      CHECK(left(i, 1 - lost) == Approx(1).margin(1e-6));
    }
  }
}

TEST_CASE("doubt is the entropy of what a sensor says, and trust falls with it", "[fusion]") {
  learning::Tape<float> tape;
  tape.begin(nullptr, {});
  const auto answers = [&](float first) {
    const auto rows = tape.constant(2, 3);
    std::copy_n(std::vector<float>{first, 0, 0, 40, 0, -40}.data(), 6, rows.data());
    return rows;
  };
  const double p = 9 / (9 + 2.0), q = 1 / (9 + 2.0);
  const auto doubt = model::entropies(answers(std::log(9.0F)));
  CHECK(static_cast<double>(doubt.data()[0]) == Approx(-p * std::log(p) - 2 * q * std::log(q)).epsilon(1e-4));
  CHECK(static_cast<double>(doubt.data()[1]) == Approx(0).margin(1e-5));

  learning::Parameters<float> parameters;
  const model::Arbiter arbiter(parameters, "arbiter", 2);
  tape.begin(&parameters, {});
  model::BothSensors sensors;
  for (model::SensorTokens& sensor : sensors) sensor.present = {1, 1};
  sensors[1].present[1] = 0;
  const auto column = [&](float first, float second) {
    const auto rows = tape.constant(2, 1);
    rows.data()[0] = first, rows.data()[1] = second;
    return rows;
  };
  const model::Arbitration said = arbiter({{answers(1), answers(2)}, {column(0.9F, 5), column(0.2F, 0)}}, sensors);
  CHECK(static_cast<double>(said.trust.data()[1]) == Approx(1 / (1 + std::exp(-2 * 0.7))).epsilon(1e-5));
  CHECK(said.trust.data()[2] == 1);  // the other is missing, however sure it would be
  CHECK(said.trust.data()[3] == 0);
}

TEST_CASE("what a lost sensor said does not change the answer without it", "[fusion][property]") {
  const study::Cases cases = some_fields(6);
  study::Cases other = cases;
  for (Index i = 0; i < other.tokens(); ++i)
    if (other.kinds[i] == 1) other.values.row(i) *= -3.0F;
  const Untrained model(cases);
  const std::vector<Index> items{0, 1, 2, 3, 4, 5};
  CHECK(model.answers(model::without_sensor(cases, 1), items) == model.answers(model::without_sensor(other, 1), items));
  CHECK_FALSE(model.answers(cases, items) == model.answers(other, items));
}

TEST_CASE("a field has the same answer alone, in any batch and in any order", "[fusion][property]") {
  study::Cases cases = some_fields(9);
  const Untrained model(cases);
  const Matrix<double> all = model.answers(cases, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(model.answers(cases, {7}) == all.row(7));
  CHECK(model.answers(cases, {8, 7, 6}, 16).row(1) == all.row(7));
  const study::Cases alone = study::selected(cases, {7});
  CHECK(model.answers(alone, {0}) == all.row(7));
}

TEST_CASE("two simulated crops differ in radar alone, and a lost sensor leaves no tokens", "[fusion]") {
  const study::Cases cases = some_fields(30);
  for (const Index lost : {Index{0}, Index{1}}) {
    const study::Cases left = model::without_sensor(cases, lost);
    CHECK(left.count() == cases.count());
    CHECK(left.tokens() > 0);
    for (const std::uint16_t kind : left.kinds) CHECK(kind != lost);
  }
  CHECK(model::without_sensor(cases, -1).tokens() == cases.tokens());
  const double s2 = static_cast<double>(std::count(cases.kinds.begin(), cases.kinds.end(), 1)) / (30 * 51);
  CHECK(s2 == Approx(0.55).margin(0.08));  // clouds hide 45 % of the dates
}

}  // namespace fovea::fusion

TEST_CASE("a picture has colours only if red, green and blue are there, else it is grey", "[fusion]") {
  using Places = std::array<Index, 3>;
  CHECK(fusion::model::color_bands({"B02", "B8", "B3", "B04"}) == Places{3, 2, 0});
  CHECK(fusion::model::color_bands({"B08", "B04", "B03"}) == Places{0, 0, 0});  // no blue: no false colours
}
