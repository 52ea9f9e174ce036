#include "fovea/domains/opinion/fit/data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/wave_time.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr std::size_t kLeastAnswers = 10;  // of a wave: fewer do not hold the parameters of a start
constexpr double kMostCells = 200;
constexpr std::size_t kManyPoints = 21;  // from here on answers may heap on round numbers

struct Wave {
  std::vector<double> answers, weights;
  std::vector<std::int64_t> persons;
};

/// Answers on round numbers: their share, the distance of these numbers, and of all points of the scale.
struct Heaping {
  double share = 0, width = 0, step = 0;
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

  OpinionSeries series() {
    OpinionSeries series;
    const Wave* before = nullptr;
    const bool weighed = !answers_.weight.empty(), panel = !answers_.unit.empty();
    for (const auto& [time, wave] : waves_) {
      series.times.push_back(answers_.dated ? survey::years_of(time) : time);
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
    const survey::AnswerGroup& group = answers_.groups[answers_.group[row]];
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
        refuse(concat("wave ", survey::wave_text({time, answers_.dated}), " has ",
                      counted(static_cast<std::int64_t>(wave.answers.size()), "answer"), "; at least ", kLeastAnswers,
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

  AnswerGrid grid(const OpinionSeries& series) {
    if (plan_.continuous) return {};
    AnswerGrid found = grid_of(series);
    if (found.empty() && plan_.cell == 0) return {};
    heaped_ = heaping(series, found);
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
    if (plan_.cell == 0 && heaped_)
      return even_grid(std::floor(ends.low / heaped_->width) * heaped_->width,
                       std::ceil(ends.high / heaped_->width) * heaped_->width, heaped_->width);
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
    if (!series.gaps.empty()) series.notes.push_back(uneven_note(series));
    if (plan_.cell == 0 && heaped_)
      series.notes.push_back(concat(
          plain_text(100 * heaped_->share), " % of the answers are whole multiples of ", plain_text(heaped_->width),
          ": they heap on round numbers, and are counted in cells of that width, in which heaping is no structure. "
          "data.cell = ",
          plain_text(heaped_->step), " would count each point by itself."));
  }

  std::string uneven_note(const OpinionSeries& series) const {
    Index units = 0;
    for (const Index gap : series.gaps) units += gap;
    const double unit = (series.times.back() - series.times.front()) / static_cast<double>(units);
    return concat("The waves are not evenly spaced: the model takes its steps in proportion to the time between them; ",
                  "a period is ", plain_text(unit),
                  answers_.dated ? " years." : concat(" in the column '", answers_.wave_name, "'."));
  }

  /// Far more answers on whole multiples of 2, 5 or 10 steps than these are of all points.
  static std::optional<Heaping> heaping(const OpinionSeries& series, const AnswerGrid& found) {
    if (found.points.size() < kManyPoints) return std::nullopt;
    const double step = found.step();
    for (const int each : {10, 5, 2}) {
      double on = 0, answers = 0;
      for (const std::vector<double>& sample : series.samples)
        for (const double answer : sample) {
          on += std::abs(std::remainder(answer, each * step)) < 1e-6 * step ? 1 : 0;
          ++answers;
        }
      if (on / answers >= 2.0 / each || on / answers >= 0.9) return Heaping{on / answers, each * step, step};
    }
    return std::nullopt;
  }

  const std::string& path_;
  const SurveyPlan& plan_;
  survey::Answers answers_;
  std::vector<std::string> places_;
  std::map<double, Wave> waves_;
  std::optional<Heaping> heaped_;
};

}  // namespace

OpinionSeries survey_series(const std::string& path, const SurveyPlan& plan) { return Survey(path, plan).series(); }

}  // namespace fovea::opinion::fit
