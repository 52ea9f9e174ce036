#include "fovea/domains/nowcast/model/nowcast_model.hpp"

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/linear/binary_regression.hpp"
#include "fovea/tests/domains/nowcast/model_months.hpp"
#include "fovea/tests/support/gradient_check.hpp"

namespace fovea::nowcast {

namespace {

constexpr double kFloats = 2e-5;  // sums of a dozen floats of the order of 3

NowcastModelSettings two_heads() {
  NowcastModelSettings settings;
  settings.delays = {0, 4};
  settings.clip = 1.2;
  return settings;
}

std::vector<double> as_doubles(std::span<const float> values) { return {values.begin(), values.end()}; }
std::vector<double> sizes_of(const study::Cases& cases) {
  return as_doubles({cases.values.data(), static_cast<std::size_t>(cases.values.size())});
}

/// The cases without these tokens.
study::Cases without_tokens(const study::Cases& cases, const std::function<bool(Index)>& goes) {
  study::Cases rest = cases;
  rest.kinds.clear(), rest.times.clear();
  rest.offsets.assign(1, 0);
  std::vector<float> values;
  for (Index b = 0; b < cases.count(); ++b) {
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (goes(i)) continue;
      rest.kinds.push_back(cases.kinds[i]), rest.times.push_back(cases.times[i]), values.push_back(cases.values(i, 0));
    }
    rest.offsets.push_back(std::ssize(values));
  }
  rest.values = Eigen::Map<Matrix<float>>(values.data(), std::ssize(values), 1);
  return rest;
}

bool is_event(const study::Cases& cases, Index token) {
  return cases.classes[cases.kinds[token]].find(": surprise") != std::string::npos;
}

/// The columns of the months, NaN: not there.
Matrix<double> columns_of(const study::Cases& cases) {
  Matrix<double> rows = Matrix<double>::Constant(cases.count(), 2, kNan);
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      if (cases.classes[cases.kinds[i]].starts_with("column"))
        rows(b, cases.classes[cases.kinds[i]] == "column: a" ? 0 : 1) = static_cast<double>(cases.values(i, 0));
  return rows;
}

}  // namespace

TEST_CASE("a nowcast is that of its equations, and its parts add up to it", "[nowcast][model][twin]") {
  MadeModel made(two_heads(), 40);
  made.move();
  const std::vector<double> parameters = as_doubles(made.member.parameters.values()), sizes = sizes_of(made.cases);
  const Matrix<double> outputs = made.outputs(made.cases, all_months(made.cases)), sides = made.sides(made.cases);
  CHECK(made.member.model->side_columns() == std::vector<std::string>{"ridge_part", "attention_part"});
  double largest = 0;
  for (Index month = 0; month < 40; ++month) {
    CHECK(std::abs(outputs(month, 0) - made.plain(parameters, sizes, month)) < kFloats);
    CHECK(std::abs(outputs(month, 0) - sides.row(month).sum()) < kFloats);
    if (month % 5 == 0)
      CHECK(sides(month, 1) == static_cast<double>(made.table("events.intercept")(0, 0)));  // no events
    largest = std::max(largest, std::abs(sides(month, 1)));
  }
  CHECK(largest > 0.5);
}

TEST_CASE("the gradients of a nowcast and of its penalty are those of central differences",
          "[nowcast][model][gradient]") {
  MadeModel made(two_heads(), 24);
  made.move();
  const std::vector<Index> items = all_months(made.cases);
  std::vector<float> gradients(made.member.parameters.size());
  learning::Tape<float> tape;
  tape.begin(&made.member.parameters, gradients);
  const study::Batch batch = made.batch(tape, items);
  const auto weights = tape.constant(24, 1);
  for (Index b = 0; b < 24; ++b) weights.data()[b] = static_cast<float>(b % 7 - 3) / 4;
  const auto outputs = made.member.model->outputs(tape, batch, nullptr);
  const auto loss = learning::linear(learning::reshape(outputs, 1, 24), weights);
  tape.backward(learning::add(loss, made.member.model->penalty(batch, outputs, {}, {})));

  std::vector<double> parameters = as_doubles(made.member.parameters.values()), sizes = sizes_of(made.cases);
  const auto plain_loss = [&] {
    double sum = 0;
    for (Index b = 0; b < 24; ++b) sum += static_cast<double>(weights.data()[b]) * made.plain(parameters, sizes, b);
    for (const auto& entry : made.member.parameters.entries())
      for (Index k = 0; entry.learns && entry.name != "events.intercept" && k < entry.place.size(); ++k)
        sum +=
            made.settings.penalty / (2 * 20.0) * parameters[entry.place.begin + k] * parameters[entry.place.begin + k];
    return sum;
  };
  for (const auto& entry : made.member.parameters.entries()) {
    INFO(entry.name);
    CHECK(entry.learns == entry.name.starts_with("events."));
    const std::vector<double> analytic =
        as_doubles({gradients.data() + entry.place.begin, static_cast<std::size_t>(entry.place.size())});
    if (entry.learns)
      CHECK(test::gradient_error(parameters.data() + entry.place.begin, entry.place.size(), analytic.data(),
                                 plain_loss) < kFloats);
  }
  std::vector<double> by_size;  // what explanations multiply with the size
  for (Index i = 0; i < made.cases.tokens(); ++i)
    by_size.push_back(static_cast<double>(batch.x.gradient_matrix()(i, 0)));
  CHECK(test::gradient_error(sizes.data(), std::ssize(sizes), by_size.data(), plain_loss) < kFloats);
}

TEST_CASE("taking an event out changes its month alone, and there the attention alone", "[nowcast][model]") {
  MadeModel made(two_heads(), 20);
  made.move();
  const Matrix<double> before = made.sides(made.cases);
  const std::vector<double> parameters = as_doubles(made.member.parameters.values());
  for (Index token = 0; token < made.cases.tokens(); ++token) {
    if (!is_event(made.cases, token)) continue;
    const Matrix<double> after = made.sides(without_tokens(made.cases, [&](Index i) { return i == token; }));
    const Index month =
        std::upper_bound(made.cases.offsets.begin(), made.cases.offsets.end(), token) - made.cases.offsets.begin() - 1;
    CHECK(after.col(0) == before.col(0));
    for (Index b = 0; b < 20; ++b) CHECK((after(b, 1) != before(b, 1)) == (b == month));
  }
}

TEST_CASE("how much tokens are attended to sums to 1 in each month", "[nowcast][model][property]") {
  MadeModel made(two_heads(), 12);
  made.move();
  const Matrix<double> logs = study::scores_of_tokens(
      made.member, made.cases, study::prepared(made.preparation, made.cases), all_months(made.cases), 1000);
  REQUIRE(logs.rows() == made.cases.tokens());
  for (Index b = 0; b < 12; ++b) {
    double sum = 0;
    for (Index i = made.cases.offsets[b]; i < made.cases.offsets[b + 1]; ++i) {
      sum += std::exp(logs(i, 0));
      if (made.cases.classes[made.cases.kinds[i]].starts_with("column")) CHECK(logs(i, 0) < -50);
    }
    CHECK(std::abs(sum - 1) < 1e-5);
  }
}

TEST_CASE("the ridge part is the regression of core on clipped columns", "[nowcast][model][twin]") {
  MadeModel made(two_heads(), 60);
  std::vector<double> targets = made.cases.targets, weights(60, 1.0);
  targets[7] = targets[8] = kNan;
  for (Index b = 0; b < 60; b += 3) weights[b] = 0.5;
  made.look(targets, weights);
  const Matrix<double> rows = columns_of(made.cases);
  Matrix<double> z = Matrix<double>::Zero(60, 3), taught(58, 3);
  z.col(2).setOnes();
  for (Index k = 0; k < 2; ++k) {
    std::vector<double> known;
    for (Index b = 0; b < 60; ++b)
      if (!std::isnan(targets[b]) && !std::isnan(rows(b, k))) known.push_back(rows(b, k));
    std::sort(known.begin(), known.end());
    const double middle = (known[(known.size() - 1) / 2] + known[known.size() / 2]) / 2;
    const Eigen::Map<Vector<double>> all(known.data(), std::ssize(known));
    const double deviation = std::sqrt((all.array() - all.mean()).square().mean());
    for (Index b = 0; b < 60; ++b)
      if (!std::isnan(rows(b, k))) z(b, k) = std::max(-1.2, std::min(1.2, (rows(b, k) - middle) / deviation));
  }
  CHECK(z.leftCols(2).cwiseAbs().maxCoeff() == 1.2);
  BinaryRegressionSettings regression;
  regression.penalties = Vector<double>::Constant(3, made.settings.ridge_penalty);
  regression.penalties[2] = 0;
  regression.weights.resize(58);
  std::vector<double> outcomes;
  for (Index b = 0; b < 60; ++b) {
    if (std::isnan(targets[b])) continue;
    regression.weights[std::ssize(outcomes)] = weights[b];
    taught.row(std::ssize(outcomes)) = z.row(b);
    outcomes.push_back(targets[b]);
  }
  const Vector<double> logits = z * fit_binary_regression(taught, outcomes, regression).coefficients;
  CHECK((made.sides(made.cases).col(0) - logits).cwiseAbs().maxCoeff() < kFloats);
  const std::vector<double> once = as_doubles(made.member.parameters.values());
  made.look(targets, weights);
  CHECK(as_doubles(made.member.parameters.values()) == once);
  CHECK(made.table("cases")(0, 0) == 60);
}

TEST_CASE("a ridge part that saw one outcome alone says its share", "[nowcast][model]") {
  MadeModel made(two_heads(), 6);
  made.look(std::vector<double>{0, 0, 0, kNan, 0, 0});
  CHECK(std::abs(made.table("ridge.intercept")(0, 0) - std::log(0.5 / 5.5)) < 1e-6);
  CHECK((made.table("ridge.weight").isZero() && made.table("ridge.factor").isZero()));
}

TEST_CASE("the memory of a kind of events is what its parameters say", "[nowcast][model]") {
  NowcastModelSettings settings;
  settings.delays = {6};
  settings.half_life = 4;
  MadeModel made(settings, 4);
  const auto memory = [&](Index window) { return memory_of(made.member.parameters, made.settings, 1, window); };
  made.table("events.effect")(1, 0) = -2, made.table("events.preference")(1, 0) = 0.5F;
  CHECK(std::abs(memory(36).effect + std::exp(0.5)) < 0.02);
  CHECK(std::abs(memory(36).delay - 6) < 0.06);
  CHECK(std::abs(memory(36).half_life - 4) < 0.06);
  CHECK(std::isinf(memory(9).half_life));  // not within nine months
  made.table("events.delay")(1, 0) = -3;   // 6 - 9: at once
  made.table("events.log_half_life")(1, 0) = std::log(2.0F);
  CHECK((memory(36).delay == 0 && std::abs(memory(36).half_life - 8) < 0.06));
}

TEST_CASE("nowcasts have the same bits in any batch and for 1, 2, 3 and 5 threads", "[nowcast][model][threads]") {
  MadeModel made(two_heads(), 30);
  made.move();
  const std::vector<Index> items = all_months(made.cases);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix<double> together = made.outputs(made.cases, items);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(made.outputs(made.cases, items, 20) == together);
  }
  omp_set_num_threads(before);
  for (const Index item : items) CHECK(made.outputs(made.cases, {item})(0, 0) == together(item, 0));
}

TEST_CASE("a model of nowcasts refuses cases without times or classes", "[nowcast][model][errors]") {
  learning::Parameters<float> parameters;
  CHECK_THROWS_AS(make_nowcast_model({}, study::ModelShape(), parameters, Random(1)), ArgumentError);
}

}  // namespace fovea::nowcast
