#include "fovea/domains/opinion/fit/survey.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr std::size_t kLeastAnswers = 10;  // of a wave: fewer do not hold the parameters of a start
constexpr double kMostCells = 200;
constexpr std::size_t kManyPoints = 21;  // from here on answers may heap on round numbers

struct Wave {
  std::vector<double> answers, weights;
  std::vector<std::int64_t> persons;
};

class Survey {
 public:
  Survey(const std::string& path, const SurveyColumns& columns)
      : path_(path),
        columns_(columns),
        dialect_(datasets::series::dialect_of(path)),
        table_(path, dialect_),
        time_(table_.column(columns.time)),
        value_(table_.column(columns.value)) {
    if (!columns.weight.empty()) weight_ = table_.column(columns.weight);
    if (!columns.person.empty()) person_ = table_.column(columns.person);
    if (!columns.group.empty()) group_ = table_.column(columns.group);
    while (table_.next()) take_row();
    check();
  }

  OpinionSeries series() const {
    OpinionSeries series;
    const Wave* before = nullptr;
    for (const auto& [time, wave] : waves_) {
      series.times.push_back(time);
      series.samples.push_back(wave.answers);
      if (weight_) series.weights.push_back(wave.weights);
      if (person_) series.persons.push_back(wave.persons);
      series.stayed.push_back(before && person_ ? stayed(*before, wave) : kNan);
      before = &wave;
    }
    series.gaps = gaps_between(series.times);
    series.grid = grid(series);
    add_notes(series);
    return series;
  }

 private:
  double number(std::size_t column) const { return datasets::series::number_of(table_, column, dialect_); }

  void take_row() {
    if (group_) {
      const std::string group(datasets::text::trimmed(table_.text(*group_)));
      groups_.insert(group);
      if (!columns_.only.empty() && group != columns_.only) return;
    }
    const double answer = number(value_);
    const bool coded = std::find(columns_.missing.begin(), columns_.missing.end(), answer) != columns_.missing.end();
    if (std::isnan(answer) || coded) {
      ++left_out_;
      return;
    }
    if (!columns_.scale.empty() && !(answer >= columns_.scale[0] && answer <= columns_.scale[1]))
      table_.refuse(value_, concat("the answer is ", answer, ", but data.scale goes from ", columns_.scale[0], " to ",
                                   columns_.scale[1], "; codes that are no answers belong into data.missing."));
    if (!std::isfinite(answer)) table_.refuse(value_, "the answer is infinite.");
    const double weight = weight_ ? number(*weight_) : 1;
    if (!(weight >= 0 && std::isfinite(weight)))
      table_.refuse(*weight_, concat("the weight is ", weight, "; it must be a number >= 0."));
    if (weight == 0) {
      ++left_out_;
      return;
    }
    add(answer, weight);
  }

  void add(double answer, double weight) {
    const double time = number(time_);
    if (!std::isfinite(time))
      table_.refuse(time_, "there is no time; each answer needs the number or year of its wave.");
    Wave& wave = waves_[time];
    wave.answers.push_back(answer);
    wave.weights.push_back(weight);
    if (!person_) return;
    const std::string name(datasets::text::trimmed(table_.text(*person_)));
    if (name.empty())
      table_.refuse(*person_, "there is no person; leave data.person empty if answers are not of a panel.");
    const std::int64_t person = persons_.emplace(name, static_cast<std::int64_t>(persons_.size())).first->second;
    if (!seen_.emplace(time, person).second)
      table_.refuse(*person_, concat("'", name, "' has answered in wave ", plain_text(time, 10), " already."));
    wave.persons.push_back(person);
  }

  void check() const {
    if (groups_.size() > 1 && columns_.only.empty())
      refuse(concat("column '", columns_.group, "' has ", groups_.size(), " groups (", some_groups(),
                    "); name one by data.only."));
    if (waves_.size() < 2)
      refuse(concat("column '", columns_.time, "' has ", waves_.size(), " waves with answers",
                    columns_.only.empty() ? "" : concat(" of '", columns_.only, "'"), "; at least 2 are needed."));
    std::set<double> different;
    for (const auto& [time, wave] : waves_) {
      if (wave.answers.size() < kLeastAnswers)
        refuse(concat("wave ", plain_text(time, 10), " has ", wave.answers.size(), " answers; at least ", kLeastAnswers,
                      " are needed. Put waves together, or leave this one out."));
      different.insert(wave.answers.begin(), wave.answers.end());
    }
    if (different.size() < 2) refuse(concat("all answers are ", *different.begin(), "; nothing can be fitted."));
  }

  [[noreturn]] void refuse(const std::string& sentence) const { throw DataError(concat(path_, ": ", sentence)); }

  std::string some_groups() const {
    std::string text;
    int shown = 0;
    for (const std::string& group : groups_) {
      if (++shown > 6) return text + ", ...";
      text += (text.empty() ? "" : ", ") + datasets::text::shown_text(group);
    }
    return text;
  }

  static double stayed(const Wave& before, const Wave& now) {
    const std::set<std::int64_t> earlier(before.persons.begin(), before.persons.end());
    double both = 0;
    for (const std::int64_t person : now.persons) both += earlier.count(person) > 0 ? 1 : 0;
    return both / static_cast<double>(now.persons.size());
  }

  AnswerGrid grid(const OpinionSeries& series) const {
    if (columns_.continuous) return {};
    AnswerGrid found = grid_of(series);
    if (found.empty() && columns_.cell == 0) return {};
    const auto ends = [&] {
      double low = series.samples[0][0], high = low;
      for (const std::vector<double>& sample : series.samples)
        for (const double answer : sample) {
          low = std::min(low, answer);
          high = std::max(high, answer);
        }
      return columns_.scale.empty() ? std::vector<double>{low, high} : columns_.scale;
    }();
    const double step = columns_.cell > 0 ? columns_.cell : found.step();
    if ((ends[1] - ends[0]) / step > kMostCells) {
      if (columns_.cell == 0) return found;
      refuse(concat("data.cell = ", columns_.cell, " makes more than ", kMostCells, " cells from ", ends[0], " to ",
                    ends[1], "; take wider ones, or data.answers = \"continuous\"."));
    }
    if (columns_.cell > 0) return even_grid(ends[0], ends[1], columns_.cell);
    const AnswerGrid even = even_grid(ends[0], ends[1], found.step());
    for (const double point : found.points)  // uneven points, or a scale that does not begin at one of them
      if (std::abs(std::remainder(point - ends[0], found.step())) > 1e-6 * found.step()) return found;
    return even;
  }

  void add_notes(OpinionSeries& series) const {
    std::size_t answers = 0;
    for (const std::vector<double>& sample : series.samples) answers += sample.size();
    series.notes.push_back(concat(answers, " answers in ", series.times.size(), " waves",
                                  left_out_ == 0 ? "" : concat("; ", left_out_, " rows without one were left out"),
                                  "."));
    if (!series.gaps.empty())
      series.notes.push_back(
          "The waves are not evenly spaced: the model takes its steps in proportion to the time between them.");
    if (!series.grid.empty() && columns_.cell == 0) add_heaping(series, static_cast<double>(answers));
  }

  /// Far more answers on every second, fifth or tenth point than these are of all points.
  static void add_heaping(OpinionSeries& series, double answers) {
    if (series.grid.points.size() < kManyPoints) return;
    for (const std::size_t each : {10U, 5U, 2U}) {
      double on = 0;
      for (const std::vector<double>& sample : series.samples)
        for (const double answer : sample) on += series.grid.nearest(answer) % each == 0 ? 1 : 0;
      if (on / answers < 2.0 / static_cast<double>(each) && on / answers < 0.9) continue;
      const double width = series.grid.step() * static_cast<double>(each);
      series.notes.push_back(
          concat(plain_text(100 * on / answers), " % of the answers are whole multiples of ", plain_text(width),
                 " above the lower end: they heap on round numbers. With data.cell = ", plain_text(width),
                 " they are counted in cells of that width, in which heaping is no "
                 "structure."));
      return;
    }
  }

  const std::string& path_;
  const SurveyColumns& columns_;
  datasets::text::CsvOptions dialect_;
  datasets::text::CsvReader table_;
  std::size_t time_, value_;
  std::optional<std::size_t> weight_, person_, group_;
  std::map<double, Wave> waves_;
  std::map<std::string, std::int64_t> persons_;
  std::set<std::pair<double, std::int64_t>> seen_;
  std::set<std::string> groups_;
  std::size_t left_out_ = 0;
};

}  // namespace

OpinionSeries survey_series(const std::string& path, const SurveyColumns& columns) {
  return Survey(path, columns).series();
}

}  // namespace fovea::opinion::fit
