#include "fovea/domains/opinion/fit/survey.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
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
  Survey(const std::string& path, const SurveyPlan& plan)
      : path_(path), plan_(plan), answers_(survey::read_answers(path, in_time(plan.columns))) {
    for (const survey::AnswerGroup& group : answers_.groups)
      if (std::find(places_.begin(), places_.end(), group.place) == places_.end()) places_.push_back(group.place);
    if (places_.size() > 1 && plan.only.empty())
      refuse(concat("data.by makes ", places_.size(), " groups (", some_places(), "); name one by data.only."));
    for (std::size_t row = 0; row < answers_.value.size(); ++row) add(row);
    check();
  }

  OpinionSeries series() const {
    OpinionSeries series;
    const Wave* before = nullptr;
    const bool weighed = !answers_.weight.empty(), panel = !answers_.unit.empty();
    for (const auto& [time, wave] : waves_) {
      series.times.push_back(time);
      series.samples.push_back(wave.answers);
      if (weighed) series.weights.push_back(wave.weights);
      if (panel) series.persons.push_back(wave.persons);
      series.stayed.push_back(before != nullptr && panel ? stayed(*before, wave) : kNan);
      before = &wave;
    }
    series.gaps = gaps_between(series.times);
    series.grid = grid(series);
    add_notes(series);
    return series;
  }

 private:
  static survey::AnswerColumns in_time(survey::AnswerColumns columns) {
    columns.in_time = true;
    return columns;
  }

  /// "DE", or "country 3" where groups are numbers; then 3 alone will do.
  bool is_wanted(const std::string& place) const {
    if (plan_.only.empty() || place == plan_.only) return true;
    return plan_.columns.by.size() == 1 && place == plan_.columns.by[0] + ' ' + plan_.only;
  }

  void add(std::size_t row) {
    const survey::AnswerGroup& group = answers_.groups[static_cast<std::size_t>(answers_.group[row])];
    if (!is_wanted(group.place)) return;
    Wave& wave = waves_[std::stod(group.wave)];
    wave.answers.push_back(answers_.value[row]);
    wave.weights.push_back(answers_.weight_of(row));
    if (!answers_.unit.empty()) wave.persons.push_back(answers_.unit[row]);
  }

  void check() const {
    if (waves_.size() < 2)
      refuse(concat("column '", answers_.wave_name, "' has ", waves_.size(), " waves with answers",
                    plan_.only.empty() ? "" : concat(" of '", plan_.only, "'"), "; at least 2 are needed."));
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

  std::string some_places() const {
    std::string text;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (k == 6) return text + ", ...";
      text += (k == 0 ? "" : ", ") + datasets::text::shown_text(places_[k]);
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
    if (plan_.continuous) return {};
    AnswerGrid found = grid_of(series);
    if (found.empty() && plan_.cell == 0) return {};
    const auto ends = [&] {
      double low = series.samples[0][0], high = low;
      for (const std::vector<double>& sample : series.samples)
        for (const double answer : sample) {
          low = std::min(low, answer);
          high = std::max(high, answer);
        }
      if (plan_.columns.scale.empty()) return survey::Scale{low, high};
      return survey::scale_of(plan_.columns.scale);
    }();
    const double step = plan_.cell > 0 ? plan_.cell : found.step();
    if ((ends.high - ends.low) / step > kMostCells) {
      if (plan_.cell == 0) return found;
      refuse(concat("data.cell = ", plan_.cell, " makes more than ", kMostCells, " cells from ", ends.low, " to ",
                    ends.high, "; take wider ones, or data.answers = \"continuous\"."));
    }
    if (plan_.cell > 0) return even_grid(ends.low, ends.high, plan_.cell);
    const AnswerGrid even = even_grid(ends.low, ends.high, found.step());
    for (const double point : found.points)  // uneven points, or a scale that does not begin at one of them
      if (std::abs(std::remainder(point - ends.low, found.step())) > 1e-6 * found.step()) return found;
    return even;
  }

  void add_notes(OpinionSeries& series) const {
    std::size_t answers = 0;
    for (const std::vector<double>& sample : series.samples) answers += sample.size();
    series.notes = answers_.notes;
    series.notes.push_back(concat(answers, " answers in ", series.times.size(), " waves."));
    if (!series.gaps.empty())
      series.notes.push_back(
          "The waves are not evenly spaced: the model takes its steps in proportion to the time between them.");
    if (!series.grid.empty() && plan_.cell == 0) add_heaping(series, static_cast<double>(answers));
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
  const SurveyPlan& plan_;
  survey::Answers answers_;
  std::vector<std::string> places_;
  std::map<double, Wave> waves_;
};

}  // namespace

OpinionSeries survey_series(const std::string& path, const SurveyPlan& plan) { return Survey(path, plan).series(); }

}  // namespace fovea::opinion::fit
