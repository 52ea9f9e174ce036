/// The experiment "study.table": a question of one's own, asked of any table of cases.

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/study/findings.hpp"
#include "fovea/domains/study/table/plan.hpp"
#include "fovea/domains/study/table/table.hpp"

namespace fovea::study::table {

namespace {

constexpr const char* kNeedsFile = "must name a table of cases: --set data.file=FILE";

class Table final : public LearnedTask {
 public:
  std::string_view name() const override { return "study.table"; }
  std::string_view summary() const override { return "a column of any table of cases, predicted from the others"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { table_keys().declare(schema); }
  /// Tables are small: each case is tested once, and trees, which are good at tables, stand beside attention.
  void adjust(StudySettings& defaults) const override {
    defaults.split.folds = 5;
    defaults.fitting.epochs = 40;
    defaults.fitting.batch_cases = 32;  // by tokens a few hundred rows would be one batch, and an epoch one step
    defaults.trees.boosting.rounds = 200;
    defaults.trees.bagging.trees = 200;
  }
  void check(const Config& config, Complaints& complaints) const override {
    const TableSettings settings = table_keys().read(config);
    const auto need = [&](const std::string& value, const char* key, const char* sentence) {
      if (value.empty()) complaints.add(config.source(key), concat(key, " is empty, but ", sentence));
    };
    if (settings.columns.empty())  // a trained model has its columns, and no file
      need(settings.file, "data.file", kNeedsFile);
    if (settings.event.empty())
      need(settings.target, "data.target", "must name the column that is predicted: --set data.target=COLUMN");
  }

  Config resolved(Config config) const override {
    const TableSettings given = table_keys().read(config);
    if (given.file.empty()) throw ConfigError(concat("data.file is empty, but ", kNeedsFile));
    const TableSettings found = planned(given);
    const auto fill = [&](const char* key, ConfigValue value) {
      config.set(key, std::move(value), {given.file, 0, 0});
    };
    constexpr const char* kKinds[] = {"auto", "binary", "classes", "number", "time"};
    fill("data.kind", kKinds[static_cast<std::size_t>(found.kind)]);
    constexpr const char* kOrders[] = {"auto", "day-first", "month-first"};
    fill("data.dates", kOrders[static_cast<std::size_t>(found.order)]);
    fill("data.target", found.target), fill("data.event", found.event), fill("data.positive", found.positive);
    fill("data.group", found.group), fill("data.id", found.id), fill("data.time", found.time);
    fill("data.weight", found.weight), fill("data.others", std::int64_t{found.others}), fill("data.unit", found.unit),
        fill("data.times", found.times);
    fill("data.columns", found.columns), fill("data.leave_out", found.leave_out);
    fill("data.categories", found.categories), fill("data.date_columns", found.dates);
    fill("data.left", found.left), fill("data.names", found.names), fill("data.classes", found.classes);
    Complaints complaints;
    check_study(*this, config, complaints);
    complaints.raise();
    return config;
  }

  Target target(const Config& config) const override { return target_of(table_keys().read(config)); }
  std::unique_ptr<CaseReader> open(const Config& config, const Random&) const override {
    const TableSettings settings = table_keys().read(config);
    return datasets::cases::read_case_table(settings.file, case_columns(settings));
  }
  void examine(const StudyOutcome& outcome, Results& results) const override {
    const TableSettings settings = table_keys().read(outcome.config);
    if (settings.kind == Question::binary)
      results.finding(OthersTogether{settings.target, settings.positive, settings.others});
    if (settings.kind != Question::number) return;
    std::set<double> values;
    for (const double target : outcome.test_targets)
      if (!std::isnan(target)) values.insert(target);
    const bool whole = std::all_of(values.begin(), values.end(), [](double x) { return x == std::floor(x); });
    results.finding(MayBeCodes{settings.target, static_cast<Index>(values.size()), whole});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_table() { return make_study(std::make_unique<Table>()); }

}  // namespace fovea::study::table
