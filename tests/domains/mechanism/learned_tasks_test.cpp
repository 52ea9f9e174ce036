/// The tasks and networks behind the statements that are learned: position, heads, masks, long range.

#include <Eigen/SVD>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/mechanism/tasks/markov_task.hpp"
#include "fovea/domains/mechanism/tasks/memory_task.hpp"
#include "fovea/domains/mechanism/tasks/order_task.hpp"
#include "fovea/domains/mechanism/tasks/relation_task.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

std::vector<float> sequence_of(const tasks::OrderTask& task, Index example) {
  const float* const first = task.sets.tokens.data() + task.sets.begin(example);
  return {first, first + task.sets.size(example)};
}

}  // namespace

TEST_CASE("half of the sequences increase, and the others are what they are called", "[mechanism]") {
  const tasks::OrderTask task = tasks::order_task({}, 4000, Random(1));
  int increasing = 0, near_misses = 0;
  for (Index e = 0; e < task.sets.count(); ++e) {
    std::vector<float> numbers = sequence_of(task, e), sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 1; k < sorted.size(); ++k) REQUIRE(sorted[k] - sorted[k - 1] > 0.0999f);
    REQUIRE((sorted.front() >= -2 && sorted.back() <= 2));
    REQUIRE((sorted.size() >= 4 && sorted.size() <= 16));
    REQUIRE(task.increases(e) == (numbers == sorted));
    increasing += task.increases(e) ? 1 : 0;
    if (task.kinds[e] != tasks::OrderKind::near_miss) continue;
    ++near_misses;
    std::size_t wrong = 0, first = 0;
    for (std::size_t k = numbers.size(); k-- > 0;)
      if (numbers[k] != sorted[k]) {
        ++wrong;
        first = k;
      }
    REQUIRE(wrong == 2);
    REQUIRE(numbers[first] == sorted[first + 1]);
  }
  CHECK(std::abs(increasing - 2000) < 4 * 31.6);  // binomial, four deviations
  CHECK(std::abs(near_misses - 1000) < 4 * 27.4);
}

TEST_CASE("as a set, the numbers say nothing about their order", "[mechanism][statistics]") {
  const tasks::OrderTask task = tasks::order_task({}, 20000, Random(2));
  std::vector<std::vector<double>> spread(3), length(3);
  for (Index e = 0; e < task.sets.count(); ++e) {
    const std::vector<float> numbers = sequence_of(task, e);
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    const auto kind = static_cast<std::size_t>(task.kinds[static_cast<std::size_t>(e)]);
    spread[kind].push_back(static_cast<double>(*high - *low));
    length[kind].push_back(static_cast<double>(numbers.size()));
  }
  for (const auto& by_kind : {spread, length})
    for (const std::size_t kind : {1U, 2U}) {
      const MeanWithError a = mean_with_error(by_kind[0]), b = mean_with_error(by_kind[kind]);
      CHECK(std::abs(a.mean - b.mean) < 4 * std::hypot(a.error, b.error));
    }
}

TEST_CASE("sequences that do not fit their span are refused", "[mechanism]") {
  tasks::OrderTaskSettings settings;
  settings.gap = 0.3;
  CHECK_THROWS_AS(tasks::order_task(settings, 1, Random(1)), ArgumentError);
}

TEST_CASE("in canonical order a network without positions permutes bit for bit, with positions it does not",
          "[mechanism][property]") {
  Matrix<float> rows(120, 1), turned(120, 1);
  for (Index i = 0; i < 120; ++i) rows(i, 0) = static_cast<float>(Random(5).normal(static_cast<std::uint64_t>(i)));
  rows.row(7) = rows.row(90);  // equal content
  for (Index i = 0; i < 120; ++i) turned.row(i) = rows.row((i * 7 + 3) % 120);
  for (const std::string& encoding : tasks::position_encodings()) {
    tasks::OrderModelSettings settings;
    settings.encoding = encoding;
    settings.longest = 120;
    tasks::OrderModel model(settings, Random(6));
    for (std::size_t k = 0; k < model.parameters.values().size(); ++k)
      model.parameters.values()[k] += 0.1f * static_cast<float>(Random(7).normal(k));
    const Matrix<float> straight = tasks::states_of(model, rows, encoding == "none"),
                        crossed = tasks::states_of(model, turned, encoding == "none");
    float difference = 0;
    for (Index i = 0; i < 120; ++i)
      difference = std::max(difference, (crossed.row(i) - straight.row((i * 7 + 3) % 120)).cwiseAbs().maxCoeff());
    CAPTURE(encoding);
    CHECK((encoding == "none" ? difference == 0.0f : difference > 1e-3f));
  }
}

TEST_CASE("the target by content is the nearest key, and never the one at the offset", "[mechanism]") {
  const tasks::RelationSettings settings;
  const tasks::RelationTask task = tasks::relation_task(settings, 50, Random(3));
  for (Index row = 0; row < task.sets.tokens.rows(); ++row) {
    const Index set = row / settings.length, place = row % settings.length;
    const auto rows = task.sets.tokens.middleRows(set * settings.length, settings.length);
    Index nearest = -1;
    double smallest = 1e9;
    for (Index j = 0; j < settings.length; ++j) {
      const double away = (rows.row(j).segment(8, 8) - rows.row(place).head(8)).cast<double>().norm();
      if (away < smallest) nearest = j;
      smallest = std::min(smallest, away);
    }
    const Index before = (place + 13) % 16;
    REQUIRE(task.nearest[row] == nearest);
    REQUIRE(task.offset[row] == before);
    REQUIRE(nearest != before);
    REQUIRE(task.targets(row, 0) == rows(nearest, rows.cols() - 1));
    REQUIRE(task.targets(row, 1) == rows(before, rows.cols() - 1));
  }
}

TEST_CASE("one head's answers are on a line, two heads' are not", "[mechanism][property]") {
  const tasks::RelationTask task = tasks::relation_task({}, 4, Random(3));
  for (const Index heads : {1, 2}) {
    const tasks::RelationModel model({}, 32, heads, Random(4));
    learning::Tape<float> tape;
    tape.begin(&model.parameters, {});
    const std::vector<Index> all = tasks::numbers_from(0, 4);
    const tasks::PackedSets<float> packed = tasks::pack(tape, task.sets, all);
    const Matrix<double> answers = model.answers(packed.x, *packed.tokens).value().cast<double>();
    const Matrix<double> centred = answers.rowwise() - answers.colwise().mean();
    const Eigen::JacobiSVD<Eigen::MatrixXd> decomposition(Eigen::MatrixXd(centred), 0);
    const double flatness = decomposition.singularValues()[1] / decomposition.singularValues()[0];
    CAPTURE(heads);
    CHECK((heads == 1 ? flatness < 1e-5 : flatness > 1e-3));  // floats
  }
}

TEST_CASE("the entropy rate is the mean surprise of the chain itself", "[mechanism][statistics]") {
  const tasks::MarkovChain chain(4, 1.0, Random(8));
  CHECK((chain.transitions().rowwise().sum().array() - 1).abs().maxCoeff() < 1e-15);
  CHECK((chain.stationary() * chain.transitions() - chain.stationary()).cwiseAbs().maxCoeff() < 1e-14);
  const tasks::MarkovTask task = tasks::markov_task(chain, 4000, 10, Random(9));
  std::vector<double> surprise;
  for (std::size_t k = 0; k < task.states.size(); ++k)
    surprise.push_back(-std::log(chain.transitions()(task.states[k], task.next[k])));
  const MeanWithError mean = mean_with_error(surprise);
  CHECK(std::abs(mean.mean - chain.entropy_rate()) < 4 * mean.error);
  CHECK(std::abs(tasks::MarkovChain(3, 0.0, Random(1)).entropy_rate() - std::log(3.0)) < 1e-14);
}

TEST_CASE("a masked forecast does not see the future, an unmasked one does", "[mechanism][property]") {
  for (const bool masked : {true, false}) {
    tasks::ForecastSettings settings;
    settings.masked = masked;
    const tasks::ForecastModel model(settings, Random(10));
    const Matrix<float> one = tasks::logits_of(model, tasks::one_hot({{0, 1, 2, 3, 4, 0, 1}}, 5));
    const Matrix<float> other = tasks::logits_of(model, tasks::one_hot({{4, 4}, {0, 1, 2, 3, 0, 4, 4, 2, 1}, {1}}, 5));
    const bool same = std::memcmp(one.data(), other.row(2).data(), 4 * 5 * sizeof(float)) == 0;
    CHECK(same == masked);
  }
}

TEST_CASE("the token to recall is marked, and as far from the question as asked", "[mechanism]") {
  const std::vector<Index> delays{1, 10, 200};
  const tasks::MemorySettings settings;
  const tasks::MemoryTask task = tasks::memory_task(settings, delays, Random(11));
  for (std::size_t e = 0; e < delays.size(); ++e) {
    const auto rows = task.sets.tokens.middleRows(task.sets.offsets[e], task.sets.size(static_cast<Index>(e)));
    CHECK(rows.col(8).sum() == 1);
    CHECK(rows.col(9).sum() == 1);
    CHECK(rows(rows.rows() - 1, 9) == 1);
    CHECK(rows.rows() - 1 - task.cues[e] == delays[e]);
    CHECK(rows(task.cues[e], 8) == 1);
    CHECK(rows(task.cues[e], task.symbols[e]) == 1);
  }
  CHECK_THROWS_AS(tasks::memory_task(settings, std::vector<Index>{0}, Random(1)), ArgumentError);
}

TEST_CASE("attention and GRU have equally many parameters within 2 %", "[mechanism]") {
  for (const Index width : {8, 16, 32, 64}) {
    const tasks::MemorySettings settings;
    const tasks::MemoryWidths widths = tasks::matched_widths(settings, width);
    const tasks::MemoryModel<float> attention(tasks::MemoryKind::attention, settings, widths, Random(1));
    const tasks::MemoryModel<float> gru(tasks::MemoryKind::gru, settings, widths, Random(1));
    CHECK(std::abs(static_cast<double>(attention.parameters.size()) / static_cast<double>(gru.parameters.size()) - 1) <
          0.02);
  }
}

TEST_CASE("the gradient through a GRU decays as its states forget each other", "[mechanism][statistics]") {
  const tasks::MemorySettings settings;
  tasks::MemoryModel<double> gru(tasks::MemoryKind::gru, settings, {}, Random(12));
  // update gates off their start, where they and their complements are alike
  gru.parameters.matrix(gru.parameters.at("gru.input.bias").place).middleCols(16, 16).setOnes();
  std::vector<double> steps, logs;
  for (Index delay = 40; delay <= 240; delay += 40) {
    const tasks::MemoryTask task = tasks::memory_task(settings, std::vector<Index>(4, delay), Random(13));
    for (const double norm : tasks::gradient_at_cue(gru, task, settings.symbols)) {
      steps.push_back(static_cast<double>(delay));
      logs.push_back(std::log(norm));
    }
  }
  const double rate = tasks::rate_of_forgetting(gru.parameters, settings, 4000, Random(14));
  // 24 gradients whose logarithms scatter by about 1 over 200 steps know a rate to 0.003
  CHECK(std::abs(-fit_line(steps, logs).slope / rate - 1) < 0.05);
}
