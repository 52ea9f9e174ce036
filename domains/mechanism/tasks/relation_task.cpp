#include "fovea/domains/mechanism/tasks/relation_task.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::mechanism::tasks {

namespace {

constexpr double kTurn = 6.283185307179586476925;

Index context_columns(const RelationSettings& settings) { return 2 * settings.content + 2 * RelationTask::kHarmonics; }

/// One ring of tokens: questions, keys and values drawn, targets found.
class RelationRing {
 public:
  RelationRing(const RelationSettings& settings, const Random& random, Index example)
      : settings_(settings), random_(random), first_(static_cast<std::uint64_t>(example * settings.length)) {}

  void write(RelationTask& task, Index begin) const {
    auto rows = task.sets.tokens.middleRows(begin, settings_.length);
    draw_keys_and_values(rows);
    for (Index i = 0; i < settings_.length; ++i) {
      const Index before = (i + settings_.length - settings_.offset) % settings_.length;
      const Index nearest = ask(rows, i, before);
      const std::size_t row = begin + i;
      task.nearest[row] = nearest;
      task.offset[row] = before;
      task.targets(begin + i, 0) = rows(nearest, rows.cols() - 1);
      task.targets(begin + i, 1) = rows(before, rows.cols() - 1);
    }
  }

 private:
  template <typename Rows>
  void draw_keys_and_values(Rows& rows) const {
    for (Index i = 0; i < settings_.length; ++i) {
      auto key = rows.row(i).segment(settings_.content, settings_.content);
      for (Index c = 0; c < settings_.content; ++c) key[c] = normal("keys", i, c);
      key /= key.norm();
      for (Index k = 0; k < RelationTask::kHarmonics; ++k) {
        const double angle = kTurn * static_cast<double>((k + 1) * i) / static_cast<double>(settings_.length);
        rows(i, 2 * settings_.content + 2 * k) = static_cast<float>(std::sin(angle));
        rows(i, 2 * settings_.content + 2 * k + 1) = static_cast<float>(std::cos(angle));
      }
      rows(i, rows.cols() - 1) = normal("values", i, 0);
    }
  }

  /// Writes the question of token i, near a key that is not that of token `before`; returns the nearest key's place.
  template <typename Rows>
  Index ask(Rows& rows, Index i, Index before) const {
    auto question = rows.row(i).head(settings_.content);
    for (std::uint64_t attempt = 0;; ++attempt) {
      const auto asked = static_cast<Index>(
          random_.stream("asked").below(static_cast<std::uint64_t>(settings_.length), entity(i), attempt));
      if (asked == before) continue;
      for (Index c = 0; c < settings_.content; ++c)
        question[c] = rows(asked, settings_.content + c) +
                      static_cast<float>(settings_.noise) *
                          normal("noise", i, static_cast<Index>(attempt) * settings_.content + c);
      Index nearest = 0;
      (rows.middleCols(settings_.content, settings_.content).rowwise() - question)
          .rowwise()
          .squaredNorm()
          .minCoeff(&nearest);
      if (nearest != before) return nearest;
    }
  }

  std::uint64_t entity(Index i) const { return first_ + static_cast<std::uint64_t>(i); }
  float normal(const char* stream, Index i, Index step) const {
    return static_cast<float>(random_.stream(stream).normal(entity(i), static_cast<std::uint64_t>(step)));
  }

  const RelationSettings& settings_;
  Random random_;
  std::uint64_t first_;
};

}  // namespace

std::vector<float> RelationTask::targets_of(Index example) const {
  const auto rows = targets.middleRows(sets.begin(example), sets.size(example));
  return {rows.data(), rows.data() + rows.size()};
}

RelationTask relation_task(const RelationSettings& settings, Index count, const Random& random) {
  require(settings.length >= 3 && settings.offset >= 1 && settings.offset < settings.length,
          "relation_task: ", settings.length, " tokens and an offset of ", settings.offset,
          "; there must be 3 or more, and the offset from 1 to less than their number.");
  RelationTask task;
  const Index rows = count * settings.length;
  task.sets.tokens.resize(rows, context_columns(settings) + 1);
  task.targets.resize(rows, 2);
  task.nearest.resize(rows);
  task.offset.resize(rows);
  for (Index example = 0; example < count; ++example) {
    RelationRing(settings, random, example).write(task, example * settings.length);
    task.sets.offsets.push_back((example + 1) * settings.length);
  }
  return task;
}

RelationModel::RelationModel(const RelationSettings& settings, Index width, Index heads, const Random& random)
    : context_(context_columns(settings)),
      heads_(heads),
      query_(parameters, "query", context_, width, random),
      key_(parameters, "key", context_, width, random),
      value_(parameters, "value", 1, width, random, learning::Bias::no),
      answer_(parameters, "answer", width, 2, random) {
  require(heads >= 1 && width % heads == 0, "RelationModel: a width of ", width, " cannot be shared by ", heads,
          " heads; choose a multiple.");
}

learning::Variable<float> RelationModel::answers(learning::Variable<float> x, const learning::Tokens& tokens,
                                                 const learning::AttentionCall<float>** call) const {
  const learning::Variable<float> context = learning::take_columns(x, 0, context_);
  auto& spec = x.tape().kept<AttentionSpec<float>>();
  spec.score.function = dot_product_score<float>();
  spec.heads = heads_;
  spec.query_offsets = spec.key_offsets = tokens.offsets;
  const learning::Variable<float> values = value_(learning::take_columns(x, context_, 1));
  return answer_(learning::attention<float>({query_(context), key_(context), values}, spec, call));
}

Matrix<double> RelationModel::attention_on_targets(const RelationTask& task, std::span<const Index> examples) const {
  Matrix<double> shares = Matrix<double>::Zero(heads_, 2);
  learning::Tape<float> tape;
  for (const Index example : examples) {
    tape.begin(&parameters, {});
    const learning::AttentionCall<float>* call = nullptr;
    const PackedSets<float> packed = pack(tape, task.sets, std::span<const Index>(&example, 1));
    answers(packed.x, *packed.tokens, &call);
    const std::vector<Index> rows = numbers_from(0, task.sets.size(example));
    for (Index head = 0; head < heads_; ++head) {
      const Matrix<float> weights = learning::attention_weights(*call, head, rows);
      for (const Index i : rows) {
        const std::size_t row = task.sets.begin(example) + i;
        shares(head, 0) += static_cast<double>(weights(i, task.nearest[row])) / static_cast<double>(rows.size());
        shares(head, 1) += static_cast<double>(weights(i, task.offset[row])) / static_cast<double>(rows.size());
      }
    }
  }
  shares /= static_cast<double>(examples.size());
  std::vector<Index> order = numbers_from(0, heads_);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return shares(a, 0) > shares(b, 0); });
  Matrix<double> sorted(heads_, 2);
  for (Index h = 0; h < heads_; ++h) sorted.row(h) = shares.row(order[h]);
  return sorted;
}

}  // namespace fovea::mechanism::tasks
