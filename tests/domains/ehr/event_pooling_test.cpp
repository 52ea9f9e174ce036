#include "fovea/domains/ehr/model/event_pooling.hpp"

#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::model {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Two records: three events of variables 0, 1, 0 at hours 1, 2, 5, and one of variable 1 at hour 3.
struct TwoRecords {
  Matrix<float> values{4, 1};
  std::vector<std::uint16_t> kinds{0, 1, 0, 1};
  std::vector<double> times{1, 2, 5, 3};
  std::vector<Index> offsets{0, 3, 4};
  TwoRecords() { values << 0.5F, -1.0F, 2.0F, 1.5F; }
};

struct Pooled {
  learning::Parameters<float> parameters;
  EventPooling pooling;
  explicit Pooled(const EventPoolingSettings& settings) : pooling(parameters, settings, Random(4)) {
    const auto all = parameters.values();
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = 0.3F * std::sin(1.7F * static_cast<float>(k));
  }
  Matrix<float> table(const std::string& name) const { return parameters.matrix(parameters.at(name).place); }
};

Matrix<float> pooled(const Pooled& from, const TwoRecords& records, const std::vector<Index>& query_offsets,
                     const std::vector<double>& at) {
  learning::Tape<float> tape;
  tape.begin(&from.parameters, {});
  return from.pooling(tape.input(records.values), records.kinds, records.times, records.offsets, {query_offsets, at})
      .value();
}

/// The formula, event by event, in double.
std::vector<double> by_hand(const Pooled& from, const EventPoolingSettings& settings, const TwoRecords& records,
                            Index first, Index end, double at) {
  const Matrix<float> e = from.table("events.embedding"), g = from.table("events.slope"),
                      u = from.table("events.preference"), b = from.table("events.sharpness"),
                      t = from.table("events.log_half_life");
  std::vector<double> row;
  for (Index h = 0; h < static_cast<Index>(settings.half_lives.size()); ++h) {
    double total = 0;
    std::vector<double> sums(settings.width);
    for (Index i = first; i < end; ++i) {
      const std::size_t k = i;
      if (records.times[k] > at) continue;
      const Index v = records.kinds[k];
      const double x = static_cast<double>(records.values(i, 0));
      double score = static_cast<double>(u(v, h)) + static_cast<double>(b(v, h)) * x;
      if (std::isfinite(settings.half_lives[h]))
        score -= std::log(2.0) / std::exp(settings.time_rate * static_cast<double>(t(v, h))) * (at - records.times[k]);
      const double weight = std::exp(score);
      total += weight;
      for (Index d = 0; d < settings.width; ++d)
        sums[d] += weight * (static_cast<double>(e(v, d)) + x * static_cast<double>(g(v, d)));
    }
    for (const double sum : sums) row.push_back(total > 0 ? sum / total : 0);
  }
  return row;
}

}  // namespace

TEST_CASE("one softmax over all events is the formula written out, at several times", "[ehr][model][twin]") {
  const EventPoolingSettings settings{.classes = 2, .width = 3, .half_lives = {4, kNever}, .time_rate = 2};
  const Pooled from(settings);
  const TwoRecords records;
  const std::vector<double> at{6, 2.5, 0.5, 4};
  const Matrix<float> found = pooled(from, records, {0, 3, 4}, at);
  REQUIRE(found.rows() == 4);
  REQUIRE(found.cols() == from.pooling.columns());
  for (Index q = 0; q < 4; ++q) {
    const auto expected = by_hand(from, settings, records, q < 3 ? 0 : 3, q < 3 ? 3 : 4, at[q]);
    for (Index c = 0; c < found.cols(); ++c) {
      INFO("query " << q << ", column " << c);
      CHECK(std::abs(static_cast<double>(found(q, c)) - expected[c]) < 1e-5);
    }
  }
  CHECK(found.row(2).isZero());  // nothing had happened yet
}

TEST_CASE("what happens after the query does not change one softmax over all events", "[ehr][model]") {
  const EventPoolingSettings settings{.classes = 2, .width = 3, .half_lives = {4, kNever}};
  const Pooled from(settings);
  TwoRecords records;
  const Matrix<float> before = pooled(from, records, {0, 1, 1}, {3});
  records.values(2, 0) = -40;
  CHECK(pooled(from, records, {0, 1, 1}, {3}) == before);
}

}  // namespace fovea::ehr::model
