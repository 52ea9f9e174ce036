#include "fovea/domains/mechanism/tasks/order_task.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/score_changes.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/domains/mechanism/pooled.hpp"

namespace fovea::mechanism::tasks {

namespace {

/// Fisher and Yates (1938), one random number a step; another order in each attempt.
void shuffle(std::vector<float>& numbers, const Random& random, std::uint64_t entity, std::uint64_t attempt) {
  for (std::size_t k = numbers.size() - 1; k > 0; --k)
    std::swap(numbers[k], numbers[random.below(k + 1, entity, attempt * numbers.size() + k)]);
}

/// Uniform among all ascending sequences in the span whose neighbours are a gap apart.
std::vector<float> ascending_numbers(const OrderTaskSettings& settings, Index length, const Random& random,
                                     std::uint64_t entity) {
  const double free = settings.span - settings.gap * static_cast<double>(length - 1);
  std::vector<double> numbers;
  for (Index k = 0; k < length; ++k) numbers.push_back(free * random.uniform(entity, static_cast<std::uint64_t>(k)));
  std::sort(numbers.begin(), numbers.end());
  std::vector<float> spread;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    spread.push_back(static_cast<float>(numbers[k] + settings.gap * static_cast<double>(k) - settings.span / 2));
  return spread;
}

void put_in_order(std::vector<float>& numbers, OrderKind kind, const Random& random, std::uint64_t entity) {
  if (kind == OrderKind::increasing) return;
  if (kind == OrderKind::near_miss) {
    const std::size_t place = random.stream("swap").below(numbers.size() - 1, entity);
    std::swap(numbers[place], numbers[place + 1]);
    return;
  }
  const Random orders = random.stream("shuffle");
  for (std::uint64_t attempt = 0; std::is_sorted(numbers.begin(), numbers.end()); ++attempt)
    shuffle(numbers, orders, entity, attempt);
}

learning::AttentionSettings<float> attention_settings(const OrderModelSettings& settings) {
  learning::AttentionSettings<float> attention;
  attention.width = settings.width;
  attention.heads = settings.heads;
  if (settings.encoding == "rotary") attention.rotary_base = 100;
  if (settings.encoding == "relative") {
    constexpr Index kReach = 2;
    attention.modifiers = {learning::same_for_all<float>("relative", relative_position<float>(kReach),
                                                         std::vector<float>(settings.heads * (2 * kReach + 1), 0.0f))};
  }
  return attention;
}

}  // namespace

OrderTask order_task(const OrderTaskSettings& settings, Index count, const Random& random) {
  require(settings.shortest >= 2 && settings.longest >= settings.shortest, "order_task: sequences of ",
          settings.shortest, " to ", settings.longest, " numbers; must be 2 or more, and the range ascending.");
  require(settings.gap * static_cast<double>(settings.longest - 1) < settings.span, "order_task: ", settings.longest,
          " numbers that are ", settings.gap, " apart do not fit a span of ", settings.span, ".");
  const Random lengths = random.stream("lengths"), kinds = random.stream("kinds"), numbers = random.stream("numbers");
  OrderTask task;
  std::vector<float> all;
  for (Index e = 0; e < count; ++e) {
    const auto entity = static_cast<std::uint64_t>(e);
    const auto choices = static_cast<std::uint64_t>(settings.longest - settings.shortest + 1);
    const Index length = settings.shortest + static_cast<Index>(lengths.below(choices, entity));
    const std::uint64_t quarter = kinds.below(4, entity);
    const OrderKind kind = quarter < 2    ? OrderKind::increasing
                           : quarter == 2 ? OrderKind::shuffled
                                          : OrderKind::near_miss;
    std::vector<float> sequence = ascending_numbers(settings, length, numbers, entity);
    put_in_order(sequence, kind, random, entity);
    all.insert(all.end(), sequence.begin(), sequence.end());
    task.sets.offsets.push_back(static_cast<Index>(all.size()));
    task.kinds.push_back(kind);
  }
  task.sets.tokens = Eigen::Map<const Matrix<float>>(all.data(), static_cast<Index>(all.size()), 1);
  return task;
}

const std::vector<std::string>& position_encodings() {
  static const std::vector<std::string> names{"none", "sinusoidal", "learned", "rotary", "relative"};
  return names;
}

OrderModel::OrderModel(const OrderModelSettings& settings, const Random& random)
    : encoding_(settings.encoding),
      embedding_(parameters, "embedding", 1, settings.width, random),
      sinusoidal_(100),
      attention_(parameters, "attention", attention_settings(settings), random),
      feed_forward_(parameters, "feed_forward", settings.width, settings.hidden, random, learning::Activation::relu),
      answer_(parameters, "answer", settings.width, 1, random) {
  if (encoding_ == "learned") learned_.emplace_back(parameters, "positions", settings.longest, settings.width, random);
}

learning::Variable<float> OrderModel::states(learning::Variable<float> x, const learning::Tokens& tokens) const {
  learning::Variable<float> e = embedding_(x);
  if (encoding_ == "sinusoidal") e = sinusoidal_(e, tokens);
  if (encoding_ == "learned") e = learned_.front()(e, tokens);
  const learning::Variable<float> h = learning::add(e, attention_(e, tokens));
  return learning::add(h, feed_forward_(h));
}

learning::Variable<float> OrderModel::logits(learning::Variable<float> x, const learning::Tokens& tokens) const {
  return answer_(learning::maximum_of_sets(states(x, tokens), learning::Offsets(tokens.offsets)));
}

std::vector<Index> content_order(const Matrix<float>& rows) {
  std::vector<Index> order = numbers_from(0, rows.rows());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const float* const first = rows.row(a).data();
    const float* const second = rows.row(b).data();
    return std::lexicographical_compare(first, first + rows.cols(), second, second + rows.cols());
  });
  return order;
}

Matrix<float> states_of(const OrderModel& model, const Matrix<float>& rows, bool canonical) {
  const std::vector<Index> order = canonical ? content_order(rows) : numbers_from(0, rows.rows());
  Matrix<float> ordered(rows.rows(), rows.cols());
  for (std::size_t k = 0; k < order.size(); ++k) ordered.row(static_cast<Index>(k)) = rows.row(order[k]);
  learning::Tape<float> tape;
  tape.begin(&model.parameters, {});
  learning::Tokens tokens;
  tokens.offsets = {0, rows.rows()};
  const learning::Variable<float> u = model.states(tape.input(ordered), tokens);
  Matrix<float> states(u.rows(), u.columns());
  for (std::size_t k = 0; k < order.size(); ++k) states.row(order[k]) = u.value().row(static_cast<Index>(k));
  return states;
}

Answers answers_of(const OrderModel& model, const ExampleSets& sets) {
  return answers_to(sets, [&](auto x, const auto& tokens) { return model.logits(x, tokens); });
}

OrderScore score_of(const OrderModel& model, const OrderTask& task, const OrderTaskSettings& settings) {
  const Matrix<float> logits = examine(model.parameters, task.sets, answers_of(model, task.sets));
  const std::size_t lengths = settings.longest - settings.shortest + 1;
  std::vector<double> right(lengths), asked(lengths);
  double near_right = 0, near_asked = 0;
  for (Index e = 0; e < task.sets.count(); ++e) {
    const double is_right = (logits(e, 0) > 0) == task.increases(e) ? 1 : 0;
    const std::size_t length = task.sets.size(e) - settings.shortest;
    right[length] += is_right;
    asked[length] += 1;
    if (task.kinds[e] != OrderKind::near_miss) continue;
    near_right += is_right;
    near_asked += 1;
  }
  OrderScore score;
  for (std::size_t k = 0; k < lengths; ++k) {
    score.all += right[k] / static_cast<double>(task.sets.count());
    score.by_length.push_back(right[k] / asked[k]);
  }
  score.near_miss = near_right / near_asked;
  return score;
}

PermutationEffect permute_sets(const OrderModel& model, Index sets, Index longest, const Random& random) {
  PermutationEffect effect;
  for (Index set = 0; set < sets; ++set) {
    const auto entity = static_cast<std::uint64_t>(set);
    const Index size =
        2 + static_cast<Index>(random.stream("size").below(static_cast<std::uint64_t>(longest - 1), entity));
    const Matrix<float> rows = normal_matrix(size, 1, random.stream(concat("numbers ", set))).cast<float>();
    std::vector<Index> order = numbers_from(0, size);
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[random.stream("order").below(k + 1, entity, k)]);
    Matrix<float> permuted(size, 1);
    for (Index k = 0; k < size; ++k) permuted.row(k) = rows.row(order[k]);
    for (const bool canonical : {true, false}) {
      const Matrix<float> straight = states_of(model, rows, canonical), crossed = states_of(model, permuted, canonical);
      float difference = 0;
      for (Index k = 0; k < size; ++k)
        for (Index c = 0; c < straight.cols(); ++c) {
          const float moved = std::abs(crossed(k, c) - straight(order[k], c));
          if (canonical && !(moved == 0.0f)) effect.changed_numbers += 1;
          difference = std::max(difference, moved);
        }
      if (!canonical)
        effect.rounding = std::max(effect.rounding, static_cast<double>(difference / straight.cwiseAbs().maxCoeff()));
    }
  }
  return effect;
}

}  // namespace fovea::mechanism::tasks
