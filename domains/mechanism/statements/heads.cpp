/// The experiment "mechanism.heads": one head can look at one thing at a time.
///
/// One point trains a layer of attention with 1, 2 and 4 heads of the same total width on two relations at once
/// (relation_task.hpp) and writes, over (heads, relation): error, on examples that no training saw, and
/// predicted_error; and for each number of heads above 1 the attention of each head on the two targets, attention_of_H.

#include <algorithm>

#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/relation_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kEckart = "Eckart and Young 1936; Vaswani et al. 2017, section 3.2.2";
const std::vector<std::string> kRelations{"nearest by content", "fixed offset"};

tasks::Answers answers_of(const tasks::RelationModel& model, const tasks::ExampleSets& sets) {
  return tasks::answers_to(sets, [&](auto x, const auto& tokens) { return model.answers(x, tokens); });
}

learning::TrainingProblem relation_problem(const tasks::RelationModel& model, const tasks::RelationTask& task,
                                           Index validation) {
  learning::TrainingProblem problem = tasks::problem_of(task.sets.sizes(), validation);
  problem.weights.assign(problem.tokens.begin(), problem.tokens.end());
  problem.loss = tasks::squared_loss_of(answers_of(model, task.sets), [&](Index e) { return task.targets_of(e); });
  return problem;
}

/// Mean squared error of each relation.
std::vector<double> errors_of(const tasks::RelationModel& model, const tasks::RelationTask& task) {
  const Matrix<float> answers = tasks::examine(model.parameters, task.sets, answers_of(model, task.sets));
  const Eigen::RowVectorXd errors = (answers - task.targets).cast<double>().array().square().colwise().mean();
  return {errors[0], errors[1]};
}

void add_figures_of_heads(const std::vector<std::int64_t>& heads, Results& merged) {
  show(merged,
       {.name = "error", .variables = {"total_error"}, .references = {"predicted_total"}, .x = "heads", .log_x = true},
       "Two relations at once",
       "Mean squared error on test sequences, in units of the variance of a value. All models have the same width. One "
       "head must mix the two target values: the sum of both errors is at least 1. Dashed: that bound, and 0.");
  show(merged, {.name = "error_by_relation", .variables = {"error"}, .x = "heads", .hue = "relation", .log_x = true},
       "Error of each relation",
       "The same for each relation. How the error of one head is divided between them is random.");
  show(merged, {.name = "learning", .variables = {"validation_loss"}, .x = "epoch", .hue = "heads", .log_y = true},
       "Training curves", "Summed error of both relations on the validation sequences, against the epoch.");
  for (const std::int64_t count : heads) {
    if (count == 1) continue;
    show(merged,
         {.kind = "heatmap",
          .name = concat("attention_of_", count),
          .variables = {concat("mean_attention_of_", count)},
          .x = "relation",
          .y = concat("head_of_", count)},
         concat("Attention of ", count, " heads"),
         "Share of each head's attention to the token nearest by content and to the token at the fixed offset. Heads "
         "are sorted by the first share.");
  }
}

struct HeadsSettings {
  std::vector<Index> heads{1, 2, 4};
  Index width = 32, looked_at = 256;
  tasks::RelationSettings relation;
  tasks::ExampleCounts examples{8192, 512, 4096};
  tasks::LessonSettings lessons{12, 1e-2};
};

const Keys<HeadsSettings>& heads_keys() {
  using S = HeadsSettings;
  using tasks::RelationSettings;
  static const auto keys =
      Keys<S>()
          .key(kHeads, &S::heads, "numbers of heads, ascending from 1; each must divide the width")
          .key(kWidth, &S::width, "total width of all heads")
          .key(kLength, inside(&S::relation, &RelationSettings::length), "tokens in a periodic sequence")
          .key("content", inside(&S::relation, &RelationSettings::content), Range::between(2, 1024), "",
               "dimension of content keys and queries")
          .key("offset", inside(&S::relation, &RelationSettings::offset), Range::between(1, 999), "",
               "offset of the second relation, in positions before the token")
          .key("noise", inside(&S::relation, &RelationSettings::noise), Range::at_least(0), "",
               "standard deviation between a query and its key")
          .group(tasks::example_keys(), &S::examples)
          .key(kLookedAt, &S::looked_at)
          .group(tasks::lesson_keys(), &S::lessons);
  return keys;
}

class Heads final : public Statement<HeadsSettings, heads_keys> {
 public:
  std::string_view name() const override { return "mechanism.heads"; }
  std::string_view summary() const override {
    return "retrieval by content and by fixed offset at once: one head against several of the same width";
  }
  int result_version() const override { return 2; }

  void check_settings(const HeadsSettings& settings, const Complain& complain) const override {
    const auto& heads = settings.heads;
    if (heads.size() < 2 || heads[0] != 1 || heads[1] != 2 || !std::is_sorted(heads.begin(), heads.end()))
      complain("heads", "heads must start with 1 and 2, which are compared, and ascend.");
    for (const std::int64_t count : heads)
      if (settings.width % count != 0)
        complain("width", concat("width must be a multiple of ", count, ", a number of heads."));
    if (settings.relation.offset >= settings.relation.length)
      complain("offset", "offset must be less than the length.");
    if (settings.looked_at > settings.examples.test) complain("looked_at", "looked_at must not exceed test_examples.");
  }

  void measure(const HeadsSettings& settings, const Random& random, Results& results, Workbench& bench) const override {
    const auto [learned, test] = tasks::examples_of(
        settings.examples, random,
        [&](Index count, const Random& examples) { return tasks::relation_task(settings.relation, count, examples); });
    const auto& heads = settings.heads;
    results.coordinate("heads", heads, "1", "heads of the same total width");
    results.coordinate("relation", kRelations, "", "relation");
    add_numbers(results, "epoch", 1, settings.lessons.epochs, "1", "epoch");
    learning::TrainingSeries series(bench, static_cast<Index>(heads.size()));
    Gathered found;
    for (const std::int64_t count : heads) {
      tasks::RelationModel model(settings.relation, settings.width, count, random.stream("start"));
      const std::string name = concat("heads_", count), head = concat("head_of_", count);
      const auto problem = relation_problem(model, learned, settings.examples.validation);
      const auto report = series.train(model.parameters, problem, tasks::training_settings(settings.lessons, name),
                                       random.stream(name));
      const std::vector<double> errors = errors_of(model, test);
      found.append("validation_loss", report.validation_loss);
      found.append("error", errors);
      found.append("total_error", errors[0] + errors[1]);
      found.append("predicted_total", count == 1 ? 1.0 : 0.0);
      const auto looked_at = tasks::numbers_from(0, settings.looked_at);
      found.append(concat("attention_of_", count), model.attention_on_targets(test, looked_at));
      add_numbers(results, head, 1, count, "1", "head");
      found.add_to(results, concat("attention_of_", count), {head, "relation"}, "1", "attention on the target");
    }
    found.add_to(results, "error", {"heads", "relation"}, "1", "mean squared error");
    found.add_to(results, "total_error", {"heads"}, "1", "mean squared error, sum of both relations");
    found.add_to(results, "predicted_total", {"heads"}, "1", "prediction");
    found.add_to(results, "validation_loss", {"heads", "epoch"}, "1", "summed error on validation sequences");
  }

  void conclude(Results& merged) const override {
    const auto heads = std::get<std::vector<std::int64_t>>(merged.data.at("heads").values);
    const std::vector<View> total = view(merged.data, "total_error").along("heads");
    // learning ends above its optimum, and 65536 values of a seed know a variance to 0.6 %
    merged.check({"one_head", "summed error of one head", kEckart, 1.0, total[0].mean().mean, absolute(0.05)});
    merged.check({"one_head_bound", "amount by which one head falls below its bound, worst seed", kEckart, 0.0,
                  std::max(0.0, 1 - total[0].range().first), absolute(0.02)});
    for (std::size_t k = 1; k < heads.size(); ++k)
      merged.check({concat("heads_", heads[k]), concat("summed error of ", heads[k], " heads"), kEckart, 0.0,
                    total[k].mean().mean, absolute(0.05)});
    for (const std::int64_t count : heads)
      add_means(merged, concat("attention_of_", count), concat("mean_attention_of_", count),
                {concat("head_of_", count), "relation"}, "attention on the target, mean over the seeds");
    const std::vector<double> looks = view(merged.data, "attention_of_2").means({"head_of_2", "relation"});
    const std::vector<std::string> names{"content_head_on_content", "content_head_on_offset", "offset_head_on_content",
                                         "offset_head_on_offset"};
    for (std::size_t k = 0; k < 4; ++k) {
      const bool own = k == 0 || k == 3;
      merged.check({names[k],
                    concat("attention of the ", k < 2 ? "first" : "second", " of two heads on the target ",
                           k % 2 == 0 ? "by content" : "by offset"),
                    "Voita et al. 2019 (heads specialise)", own ? 1.0 : 0.0, looks[k], absolute(0.1)});
    }
    const std::vector<double> alone = view(merged.data, "attention_of_1").means({"relation"});
    merged.note(concat("One head has ", plain_text(100 * alone[0], 3),
                       " % of its attention on the target by content and ", plain_text(100 * alone[1], 3),
                       " % on the target by offset. Any division between them has the same summed error."));
    add_headlines(merged, total);
    add_figures_of_heads(heads, merged);
    give_verdict(merged, "One head cannot retrieve two values at once, two heads can",
                 concat("0.05 of a variance: the sum of both errors is ", plain_text(total[0].mean().mean, 4),
                        " with one head (bound 1) and ", plain_text(total[1].mean().mean, 2),
                        " with two heads of the same total width, one of which attends by content (",
                        plain_text(100 * looks[0], 3), " % of its attention) and the other by offset (",
                        plain_text(100 * looks[3], 3), " %)"));
  }

 private:
  static void add_headlines(Results& merged, const std::vector<View>& total) {
    const std::string one = "Summed error of one head", two = "Summed error of two heads";
    add_headline(merged,
                 {.variable = "error_of_one_head",
                  .label = one,
                  .predicted = "error_of_one_head_predicted",
                  .meaning = "In units of the variance of a value. A mixture of two values cannot be separated: the "
                             "smallest possible error is 1."},
                 total[0].mean(), "1", one);
    merged.scalar("error_of_one_head_predicted", 1.0, "1", "prediction");
    add_headline(merged,
                 {.variable = "error_of_two_heads",
                  .label = two,
                  .predicted = "error_of_two_heads_predicted",
                  .meaning = "The same total width: each head has half of the columns."},
                 total[1].mean(), "1", two);
    merged.scalar("error_of_two_heads_predicted", 0.0, "1", "prediction");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_heads() { return std::make_unique<Heads>(); }

}  // namespace fovea::mechanism::statements
