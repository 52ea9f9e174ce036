#include "fovea/core/learning/class_pooling.hpp"

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/odd_sum.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

using namespace fovea::test;

constexpr Index kPooledClasses = 3, kHeads = 9, kMasses = 3;  // more lanes than any register has
constexpr Index kWidth = kHeads + kMasses + 2;

/// Sets of 0 to 40 events of three classes at times with ties, and 0 to 6 queries of each, some of them at a time of an
/// event and some before all events.
struct PoolingData {
  std::vector<Index> offsets{0}, query_offsets{0}, classes;
  std::vector<double> times, query_times;
  Matrix<double> values;
  GroupedEvents events;
  TimedQueries queries() const { return {query_offsets, query_times}; }
};

PoolingData pooling_data(Index sets) {
  PoolingData data;
  const Random random = Random(7).stream("pooling data");
  std::vector<double> values;
  std::uint64_t lot = 0;
  for (Index b = 0; b < sets; ++b) {
    for (Index n = 0; n < (b * 13) % 41; ++n) {
      data.times.push_back(std::floor(random.uniform(++lot) * 40) / 2);
      data.classes.push_back(static_cast<Index>(random.below(kPooledClasses, ++lot)));
      values.push_back(random.normal(++lot));
    }
    for (Index q = 0; q < (b * 5) % 7; ++q) data.query_times.push_back(static_cast<double>(q * q) - 1);
    data.offsets.push_back(static_cast<Index>(data.times.size()));
    data.query_offsets.push_back(static_cast<Index>(data.query_times.size()));
  }
  data.events = group_by_class(data.offsets, data.times, data.classes, kPooledClasses);
  data.values.resize(static_cast<Index>(values.size()), 1);
  for (Index i = 0; i < data.values.rows(); ++i) data.values(i, 0) = values[data.events.order[i]];
  return data;
}

/// Sharpness, log exponent, log half-life or scale, log half-life of masses.
struct HeadNumbers {
  Matrix<double> sharpness, exponent, scale, mass;
};
HeadNumbers head_numbers() {
  HeadNumbers numbers{Matrix<double>(kPooledClasses, kHeads), Matrix<double>(kPooledClasses, kHeads),
                      Matrix<double>(kPooledClasses, kHeads), Matrix<double>(kPooledClasses, kMasses)};
  const Random random = Random(8).stream("heads");
  std::uint64_t lot = 0;
  for (auto* part : {&numbers.sharpness, &numbers.exponent, &numbers.scale, &numbers.mass})
    for (Index k = 0; k < part->size(); ++k) part->data()[k] = 1.5 * random.normal(++lot);
  return numbers;
}

template <typename Real>
Variable<Real> pool(Tape<Real>& tape, const PoolingData& data, const HeadNumbers& numbers, bool power_law) {
  const auto constant = [&](const Matrix<double>& m) { return tape.variable(Matrix<Real>(m.cast<Real>())); };
  const auto values = constant(data.values), sharpness = constant(numbers.sharpness), mass = constant(numbers.mass);
  if (!power_law)
    return class_pooling(values, DecayHeads<Real>{sharpness, constant(numbers.scale), mass}, data.events.view(),
                         data.queries());
  return class_pooling(values,
                       PowerLawHeads<Real>{sharpness, constant(numbers.exponent), constant(numbers.scale), mass},
                       data.events.view(), data.queries());
}

/// The definition for one class of a set and one query, event by event.
std::vector<double> plain_class(const PoolingData& data, const HeadNumbers& numbers, bool power_law, Index b, Index c,
                                double now) {
  std::vector<double> row(kWidth);
  const std::size_t group = b * kPooledClasses + c;
  Index last = data.events.offsets[group];
  while (last < data.events.offsets[group + 1] && data.events.times[last] <= now) ++last;
  if (last == data.events.offsets[group]) return row;
  for (Index h = 0; h < kHeads; ++h) {
    double sum = 0, mean = 0;
    for (Index i = data.events.offsets[group]; i < last; ++i) {
      const double age = now - data.events.times[i], tau = std::exp(numbers.scale(c, h));
      const double lost =
          power_law ? std::exp(numbers.exponent(c, h)) * std::log(1 + age / tau) : std::log(2) / tau * age;
      const double weight = std::exp(numbers.sharpness(c, h) * data.values(i, 0) - lost);
      sum += weight;
      mean += weight * data.values(i, 0);
    }
    row[h] = mean / sum;
  }
  for (Index k = 0; k < kMasses; ++k) {
    double sum = 0;
    for (Index i = data.events.offsets[group]; i < last; ++i)
      sum += std::exp2(-(now - data.events.times[i]) / std::exp(numbers.mass(c, k)));
    row[kHeads + k] = std::log1p(sum);
  }
  row[kWidth - 2] = now - data.events.times[last - 1];
  row[kWidth - 1] = std::log1p(static_cast<double>(last - data.events.offsets[group]));
  return row;
}

TEST_CASE("class pooling is the softmax over the past events of each class, event by event", "[learning][twin]") {
  constexpr double kRounding = 1e-12;  // sums of 40 terms; weights down to e^-700 count for nothing
  const PoolingData data = pooling_data(20);
  const HeadNumbers numbers = head_numbers();
  for (const bool power_law : {false, true}) {
    Tape<double> tape;
    tape.begin(nullptr, {});
    const auto y = pool(tape, data, numbers, power_law);
    REQUIRE(y.columns() == kPooledClasses * kWidth);
    double worst = 0;
    for (Index b = 0; b < 20; ++b)
      for (Index q = data.query_offsets[b]; q < data.query_offsets[b + 1]; ++q)
        for (Index c = 0; c < kPooledClasses; ++c) {
          const auto plain = plain_class(data, numbers, power_law, b, c, data.query_times[q]);
          for (Index k = 0; k < kWidth; ++k) worst = std::max(worst, std::abs(y.value()(q, c * kWidth + k) - plain[k]));
        }
    INFO("power law " << power_law);
    CHECK(worst < kRounding);
  }
}

TEST_CASE("values and their squares on one way through the events have the bits of two", "[learning][twin]") {
  const PoolingData data = pooling_data(20);
  const HeadNumbers numbers = head_numbers();
  const Matrix<float> values = data.values.cast<float>(), sharpness = numbers.sharpness.cast<float>(),
                      half_life = numbers.scale.cast<float>(), mass = numbers.mass.cast<float>(),
                      few_sharp = sharpness.leftCols(2), few_lives = half_life.rightCols(2), none(kPooledClasses, 0);
  Tape<float> tape;
  tape.begin(nullptr, {});
  const DecayHeads<float> heads{tape.input(sharpness), tape.input(half_life), tape.input(mass)},
      squares{tape.input(few_sharp), tape.input(few_lives), tape.input(none)};
  const auto x = tape.input(values);
  const std::array<Variable<float>, 2> parts{
      class_pooling(x, heads, data.events.view(), data.queries()),
      class_pooling(multiply(x, x), squares, data.events.view(), data.queries())};
  const auto twice = join_columns<float>(parts),
             once = class_pooling_with_squares(x, heads, squares, data.events.view(), data.queries());
  REQUIRE(once.columns() == twice.columns());
  REQUIRE(once.rows() > 20);
  CHECK(once.value() == twice.value());
}

TEST_CASE("class pooling: gradients of many events and queries agree with central differences",
          "[learning][gradient]") {
  PoolingData data = pooling_data(8);
  HeadNumbers numbers = head_numbers();
  for (const bool power_law : {false, true}) {
    Tape<double> tape;
    const auto loss_of = [&](std::vector<Variable<double>>* variables) {
      tape.begin(nullptr, {});
      std::vector<Variable<double>> in{tape.variable(data.values), tape.variable(numbers.sharpness),
                                       tape.variable(numbers.scale), tape.variable(numbers.mass),
                                       tape.variable(numbers.exponent)};
      const auto y =
          power_law ? class_pooling(in[0], PowerLawHeads<double>{in[1], in[4], in[2], in[3]}, data.events.view(),
                                    data.queries())
                    : class_pooling(in[0], DecayHeads<double>{in[1], in[2], in[3]}, data.events.view(), data.queries());
      const auto loss = odd_sum(y);
      if (variables) {
        tape.backward(loss);
        *variables = in;
      }
      return loss.data()[0];
    };
    std::vector<Variable<double>> in;
    loss_of(&in);
    std::vector<Matrix<double>> gradients;
    for (int k = 0; k < (power_law ? 5 : 4); ++k) gradients.push_back(in[k].gradient_matrix());
    Matrix<double>* const places[] = {&data.values, &numbers.sharpness, &numbers.scale, &numbers.mass,
                                      &numbers.exponent};
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      INFO("power law " << power_law << ", input " << k);
      CHECK(gradient_error(places[k]->data(), places[k]->size(), gradients[k].data(), [&] {
              return loss_of(nullptr);
            }) < 10 * kGradientTolerance);  // losses of some hundred, so 1e-16 |f| / h is tens of 1e-11
    }
  }
}

/// Set b of the data alone, with the queries [first, last) of its own.
PoolingData one_set(const PoolingData& data, Index b, Index first, Index last) {
  PoolingData one;
  const std::size_t group = b * kPooledClasses;
  const Index begin = data.events.offsets[group], end = data.events.offsets[group + kPooledClasses];
  one.events = {kPooledClasses, {}, {data.events.times.begin() + begin, data.events.times.begin() + end}, {}};
  for (std::size_t c = 0; c <= kPooledClasses; ++c)
    one.events.offsets.push_back(data.events.offsets[group + c] - begin);
  one.values = data.values.middleRows(begin, end - begin);
  one.query_times.assign(data.query_times.begin() + first, data.query_times.begin() + last);
  one.query_offsets.push_back(last - first);
  return one;
}

TEST_CASE("class pooling: a query has the same bits alone and among others, its set alone and in a batch",
          "[learning][property]") {
  const PoolingData data = pooling_data(20);
  const HeadNumbers numbers = head_numbers();
  for (const bool power_law : {false, true}) {
    Tape<float> tape, other;
    tape.begin(nullptr, {});
    const auto all = pool(tape, data, numbers, power_law);
    for (Index b = 0; b < 20; ++b)
      for (Index q = data.query_offsets[b]; q < data.query_offsets[b + 1]; ++q) {
        other.begin(nullptr, {});
        CHECK(pool(other, one_set(data, b, q, q + 1), numbers, power_law).value() == all.value().row(q));
      }
  }
}

TEST_CASE("class pooling does not see what comes after the query", "[learning][property]") {
  PoolingData data = pooling_data(20);
  const HeadNumbers numbers = head_numbers();
  for (double& t : data.query_times) t = std::min(t, 5.0);
  for (const bool power_law : {false, true}) {
    Tape<float> tape, other;
    tape.begin(nullptr, {});
    const auto before = pool(tape, data, numbers, power_law);
    PoolingData changed = data;
    Index later = 0;
    for (Index i = 0; i < changed.values.rows(); ++i)
      if (data.events.times[i] > 5) {
        changed.values(i, 0) = std::numeric_limits<double>::quiet_NaN();
        ++later;
      }
    CHECK(later > 50);
    other.begin(nullptr, {});
    CHECK(pool(other, changed, numbers, power_law).value() == before.value());
  }
}

/// One class with these events at 0, 1, 2, ..., asked once at the end: means and masses of one head.
std::vector<double> pooled_at_end(const std::vector<double>& values, double sharpness, double log_half_life) {
  Tape<double> tape;
  tape.begin(nullptr, {});
  std::vector<double> times(values.size());
  std::iota(times.begin(), times.end(), 0);
  const std::vector<Index> offsets{0, static_cast<Index>(values.size())}, query{0, 1};
  const std::vector<double> now{static_cast<double>(values.size()) + 1};
  const Matrix<double> x = Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size()), 1);
  const auto number = [&](double v) { return tape.variable(Matrix<double>::Constant(1, 1, v)); };
  const auto y = class_pooling(tape.variable(x),
                               DecayHeads<double>{number(sharpness), number(log_half_life), number(log_half_life)},
                               {1, offsets, times}, {query, now});
  tape.backward(odd_sum(y));
  return {y.data(), y.data() + y.size()};
}

TEST_CASE("class pooling: last, mean, largest and smallest are its limits", "[learning][limit]") {
  const std::vector<double> values{2, -1, 5, 0, 3};
  CHECK(pooled_at_end(values, 0, std::log(1e-3)) == std::vector<double>{3, 0, 2, std::log(6.0)});
  const auto mean = pooled_at_end(values, 0, kNoDecay);
  CHECK(std::abs(mean[0] - 1.8) < 1e-15);
  CHECK(std::abs(mean[1] - std::log(6.0)) < 1e-15);  // the mass of what does not decay is the log of the count
  CHECK(std::abs(pooled_at_end(values, 200, kNoDecay)[0] - 5) < 1e-15);
  CHECK(std::abs(pooled_at_end(values, -200, kNoDecay)[0] + 1) < 1e-15);
  CHECK(pooled_at_end({}, 1, 0) == std::vector<double>{0, 0, 0, 0});
  CHECK(pooled_at_end({7}, -3, 2)[0] == 7);
}

TEST_CASE("class pooling: a half-life halves a weight, between the same event yesterday and a year ago",
          "[learning][limit]") {
  // Two equal scores 364 days apart, half-life 26 days: weights 1 to 2^14.
  Tape<double> tape;
  tape.begin(nullptr, {});
  const std::vector<Index> offsets{0, 2}, query{0, 1};
  const std::vector<double> times{0, 364}, now{365};
  const Matrix<double> x{{1.0}, {0.0}};
  const auto number = [&](double v) { return tape.variable(Matrix<double>::Constant(1, 1, v)); };
  const auto y = class_pooling(tape.variable(x), DecayHeads<double>{number(0), number(std::log(26)), number(0)},
                               {1, offsets, times}, {query, now});
  CHECK(std::abs(y.data()[0] - 1 / (1 + std::exp2(14))) < 1e-16);
}

TEST_CASE("class pooling stays finite over gaps of a million half-lives and scores of a million", "[learning][limit]") {
  Tape<float> tape;
  tape.begin(nullptr, {});
  const std::vector<Index> offsets{0, 4}, query{0, 2};
  const std::vector<double> times{0, 1e6, 2e6, 2e6}, now{1e6, 1e12};
  const Matrix<float> x{{3.0F}, {-1000.0F}, {2.0F}, {1000.0F}};
  const auto row = [&](float a, float b, float c) { return tape.variable(Matrix<float>{{a, b, c}}); };
  const auto values = tape.variable(x), beta = row(1000, 0, -1000), tau = row(0, -80, 5), mass = row(-90, 0, 90);
  const auto y = class_pooling(values, DecayHeads<float>{beta, tau, mass}, {1, offsets, times}, {query, now});
  tape.backward(odd_sum(y));
  for (const auto& part : {y, values, beta, tau, mass}) CHECK(part.gradient_matrix().allFinite());
  CHECK(y.value().allFinite());
  CHECK(y.value()(1, 0) == 1000);
  CHECK(y.value()(1, 1) == 501);  // both at the last time, whatever the half-life
  CHECK(y.value()(1, 2) == -1000);
}

TEST_CASE("class pooling is the engine's attention with time decay by class, masked to one class at a time",
          "[learning][twin]") {
  constexpr double kRounding = 1e-13;
  PoolingData data = pooling_data(4);  // of which set 3 has 39 events and one query
  data.query_times.back() = 15;
  const HeadNumbers numbers = head_numbers();
  Tape<double> tape;
  tape.begin(nullptr, {});
  const auto y = pool(tape, data, numbers, false);
  const Index first = data.offsets[3], events = data.offsets[4] - first, query = data.query_offsets[3];
  REQUIRE((events == 39 && data.query_offsets[4] == query + 1));
  Vector<double> t_key(events), t_query(1);
  t_query[0] = data.query_times.back();
  std::vector<Index> classes;
  for (Index i = 0; i < events; ++i) {
    const std::size_t given = data.events.order[first + i];
    t_key[i] = data.times[given];
    classes.push_back(data.classes[given]);
  }
  for (Index c = 0; c < kPooledClasses; ++c)
    for (Index h = 0; h < kHeads; ++h) {
      std::vector<double> half_lives;
      for (Index k = 0; k < kPooledClasses; ++k) half_lives.push_back(numbers.scale(k, h));
      Matrix<double> others(1, events);
      for (Index i = 0; i < events; ++i) others(0, i) = classes[i] == c ? 0 : kMasked<double>;
      AttentionSpec<double> spec;
      spec.score = {dot_product_score<double>(false), {}};
      spec.modifiers = {
          {time_decay_by_class<double>(t_query, t_key, classes, kPooledClasses, {Sharing::all_heads, true}),
           half_lives},
          {fixed_pair_bias<double>({others}), {}}};
      const Matrix<double> x = data.values.middleRows(first, events);
      const auto expected = attend<double>(Matrix<double>::Constant(1, 1, numbers.sharpness(c, h)), x, x, spec);
      CHECK(std::abs(y.value()(query, c * kWidth + h) - expected.outputs(0, 0)) < kRounding);
    }
}

TEST_CASE("events are grouped by class and in the order of time, equal times in the order given", "[learning]") {
  const std::vector<Index> offsets{0, 5, 5, 6}, classes{1, 0, 1, 1, 0, 2};
  const std::vector<double> times{4, 3, 2, 4, 1, 0};
  const GroupedEvents grouped = group_by_class(offsets, times, classes, 3);
  CHECK(grouped.offsets == std::vector<Index>{0, 2, 5, 5, 5, 5, 5, 5, 5, 6});
  CHECK(grouped.order == std::vector<Index>{4, 1, 2, 0, 3, 5});
  CHECK(grouped.times == std::vector<double>{1, 3, 2, 4, 4, 0});
  CHECK_THROWS_WITH(group_by_class(offsets, times, classes, 2),
                    "group_by_class: event 5 is of class 2, but must be in [0, 2).");
  CHECK_THROWS_WITH(group_by_class(offsets, times, {}, 3),
                    "group_by_class: there are 0 classes for 6 events; each needs one.");
}

TEST_CASE("class pooling refuses events and queries that do not fit, with what must be", "[learning][errors]") {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const auto ones = [&](Index rows, Index columns) { return tape.variable(Matrix<double>::Ones(rows, columns)); };
  const DecayHeads<double> heads{ones(2, 3), ones(2, 3), ones(2, 1)};
  const std::vector<Index> offsets{0, 2, 3}, query{0, 1}, two_sets{0, 1, 1};
  const std::vector<double> times{0, 1, 0}, back{1, 0, 0}, now{5}, never{std::nan("")};
  const auto pooled = [&](const DecayHeads<double>& with, const std::vector<double>& at,
                          const std::vector<Index>& asked, const std::vector<double>& when, Index rows = 3) {
    return class_pooling(ones(rows, 1), with, {2, offsets, at}, {asked, when});
  };
  CHECK_THROWS_WITH(pooled(heads, times, query, now, 2),
                    "class_pooling: the values are 2 x 1, but must be 3 x 1, one for each event.");
  CHECK_THROWS_WITH(pooled(heads, back, query, now),
                    "class_pooling: event 1 is at 0, but the one before at 1; times must not fall within a group.");
  CHECK_THROWS_WITH(pooled(heads, times, query, never), "class_pooling: the time of query 0 is not finite.");
  CHECK_THROWS_WITH(pooled(heads, times, two_sets, now),
                    "class_pooling: there are 3 offsets of events for 2 sets of 2 classes; there must be one for each "
                    "set and class, and one more.");
  CHECK_THROWS_WITH(pooled({ones(2, 3), ones(2, 2), ones(2, 1)}, times, query, now),
                    "class_pooling: the log half-life is 2 x 2, the sharpness 2 x 3; they must be of the same shape.");
  CHECK_THROWS_WITH(pooled({ones(3, 3), ones(3, 3), ones(2, 1)}, times, query, now),
                    "class_pooling: there are heads of 3 classes and masses of 2, but events of 2; all must be as "
                    "many.");
}

}  // namespace
}  // namespace fovea::learning::test
