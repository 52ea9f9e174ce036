#include "fovea/domains/fusion/gapfill/gap_learning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::fusion::gapfill {

namespace {

constexpr Index kMostQueries = 256, kMostTrainingKeys = 1536;  // of a hole while it teaches
constexpr std::array<double, 5> kFirstWidths{1, 1, 2, 5, 1};   // before, after, S1, seasons, place
constexpr double kFloorShare = 0.1;                            // of the mean variance, below which no spread falls

/// A hole as attention sees it, and what it should say.
struct Lesson {
  Index target = 0;
  GapTensors tensors;    ///< wanted: truth less base
  Matrix<float> change;  ///< truth less interpolation
};

/// The holes of a stack with what they all need.
class Lessons {
 public:
  Lessons(const ImageStack& stack, const std::vector<Flags>& visible, const LearnPlan& plan, const Random& random)
      : stack_(stack), holes_(cut_holes(stack, visible, plan.holes, plan.rules, random)) {
    const Matrix<float> seasons = season_columns(stack, plan.columns);
    std::set<Index> targets;
    for (const Hole& hole : holes_) targets.insert(hole.target);
    targets_.assign(targets.begin(), targets.end());
    frames_.resize(targets_.size()), columns_.resize(targets_.size());
    for_each_task(std::ssize(targets_), true, [&](Index k) {
      const std::size_t at = k;
      frames_[at] = nearest_frame(stack, targets_[at], visible, plan.rules.away_days, plan.rules.least_clear);
      columns_[at] = gap_columns(stack, plan.columns, seasons, targets_[at], frames_[at]);
    });
  }

  const std::vector<Index>& targets() const { return targets_; }

  /// With a trend of this ridge; holes of which too little is known before and after are left out.
  std::vector<Lesson> with_ridge(double ridge) const {
    std::vector<Lesson> lessons(holes_.size());
    for_each_task(std::ssize(holes_), true, [&](Index k) { lessons[k] = lesson(holes_[k], ridge); });
    std::erase_if(lessons, [](const Lesson& one) { return one.tensors.residuals.wanted.size() == 0; });
    return lessons;
  }

 private:
  Lesson lesson(const Hole& hole, double ridge) const {
    const Index at = std::lower_bound(targets_.begin(), targets_.end(), hole.target) - targets_.begin();
    const std::vector<Index> keys = known_pixels(frames_[at], hole.visible, kMostTrainingKeys),
                             queries = known_pixels(frames_[at], hole.hidden, kMostQueries);
    if (std::ssize(keys) < kFewestKeys || queries.empty()) return {};
    Lesson made{hole.target, gap_tensors(stack_, columns_[at], ridge, hole.target, frames_[at], keys, queries), {}};
    Matrix<float>& wanted = made.tensors.residuals.wanted;
    wanted.resize(std::ssize(queries), std::ssize(stack_.bands));
    made.change = wanted;
    const Matrix<float> between = frames_[at].interpolated();
    for (std::size_t k = 0; k < queries.size(); ++k) {
      const auto row = static_cast<Index>(k);
      const auto truth = stack_.images[hole.target].row(queries[k]);
      wanted.row(row) = truth - made.tensors.base.row(row);
      made.change.row(row) = truth - between.row(queries[k]);
    }
    return made;
  }

  const ImageStack& stack_;
  std::vector<Hole> holes_;
  std::vector<Index> targets_;
  std::vector<Frame> frames_;
  std::vector<Matrix<float>> columns_;
};

std::vector<float> first_widths(const ColumnPlan& plan) {
  std::vector<float> logs;
  for (const Index kind : plan.kinds()) logs.push_back(static_cast<float>(std::log(kFirstWidths.at(kind))));
  return logs;
}

learning::LearnedWidths teach(const std::vector<Lesson>& lessons, const std::vector<Index>& training,
                              const std::vector<Index>& validating, const LearnPlan& plan, const std::string& name,
                              const Random& random, learning::TrainingSeries& series) {
  std::vector<const learning::ResidualLesson<float>*> residuals;
  for (const Lesson& lesson : lessons) residuals.push_back(&lesson.tensors.residuals);
  learning::WidthPlan widths;
  widths.log_widths = first_widths(plan.columns);
  widths.epochs = plan.epochs, widths.batch = plan.batch, widths.learning_rate = plan.learning_rate;
  return learning::learn_widths(residuals, training, validating, widths, name, random, series);
}

/// What members that did not see the validating dates say of their holes.
struct Rehearsal {
  std::vector<GapMixture> said;              ///< of each validating hole
  std::vector<Matrix<float>> truth, change;  ///< of each: the truth, and what it is beside interpolation

  void add(const std::vector<Lesson>& lessons, const std::vector<Index>& validating,
           const std::vector<float>& log_widths) {
    said.resize(validating.size());
    const bool first = truth.empty();
    for (std::size_t k = 0; k < validating.size(); ++k) {
      const Lesson& lesson = lessons[validating[k]];
      said[k].add(lesson.tensors.base, learning::attended_residuals(lesson.tensors.residuals, log_widths));
      if (first)
        truth.push_back(lesson.tensors.base + lesson.tensors.residuals.wanted), change.push_back(lesson.change);
    }
  }
};

/// Spread such that its square is the squared error in the mean, and the error of interpolation alone.
void calibrate(const Rehearsal& rehearsal, Index bands, GapModel& model) {
  std::vector<double> squares(bands, 0), variances = squares, alone = squares;
  double count = 0;
  for (std::size_t k = 0; k < rehearsal.said.size(); ++k) {
    const Matrix<float> error = rehearsal.said[k].values() - rehearsal.truth[k],
                        variance = rehearsal.said[k].variance();
    count += static_cast<double>(error.rows());
    for (Index b = 0; b < bands; ++b) {
      const std::size_t at = b;
      squares[at] += error.col(b).cast<double>().squaredNorm();
      variances[at] += variance.col(b).cast<double>().sum();
      alone[at] += rehearsal.change[k].col(b).cast<double>().squaredNorm();
    }
  }
  for (std::size_t b = 0; b < squares.size(); ++b) {
    const double variance = std::max(variances[b] / count, 1e-12);
    model.floor.push_back(kFloorShare * variance);
    model.scale.push_back(std::sqrt(squares[b] / count / (variance * (1 + kFloorShare))));
    model.alone.push_back(std::sqrt(alone[b] / count));
  }
}

/// Numbers of the lessons whose date validates (every fourth), or does not.
std::vector<Index> lessons_of(const std::vector<Lesson>& lessons, const std::vector<Index>& targets, bool validating) {
  std::vector<Index> some;
  for (Index k = 0; k < std::ssize(lessons); ++k) {
    const auto place = std::lower_bound(targets.begin(), targets.end(), lessons[k].target);
    if (((place - targets.begin()) % 4 == 1) == validating) some.push_back(k);
  }
  return some;
}

}  // namespace

LearnedGaps learn_gaps(const ImageStack& stack, const std::vector<Flags>& visible, const LearnPlan& plan,
                       const Random& random, Workbench& bench) {
  LearnedGaps learned;
  learned.model.plan = plan.columns, learned.model.trusted = plan.trusted;
  learning::TrainingSeries series(bench, 2 * std::ssize(plan.ridges));
  const Lessons first(stack, visible, plan, random.stream("holes"));
  Rehearsal rehearsal;
  for (const double ridge : plan.ridges) {
    const std::vector<Lesson> lessons = first.with_ridge(ridge);
    const std::vector<Index> training = lessons_of(lessons, first.targets(), false),
                             validating = lessons_of(lessons, first.targets(), true);
    if (training.empty() || validating.empty())
      throw DataError(concat(stack.source, ": holes in the shape of clouds can be cut into ",
                             training.empty() ? "no date" : "one date",
                             ", but at least two are needed to learn from: dates that are clear, with clear dates more "
                             "than data.away_days before or after, and dates with some clouds."));
    const learning::LearnedWidths taught =
        teach(lessons, training, validating, plan, concat("rehearsal ", ridge), random, series);
    learned.ridge_losses.push_back(taught.report.best);
    learned.training_holes = std::ssize(training), learned.validation_holes = std::ssize(validating);
    rehearsal.add(lessons, validating, taught.log_widths);
  }
  calibrate(rehearsal, std::ssize(stack.bands), learned.model);
  for (const double ridge : plan.ridges) {
    const std::string name = concat("member ", learned.model.members.size() + 1);
    const Random own = random.stream(name);
    const std::vector<Lesson> lessons = Lessons(stack, visible, plan, own).with_ridge(ridge);
    std::vector<Index> all(lessons.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Index>(k);
    learning::LearnedWidths taught = teach(lessons, all, {}, plan, name, own, series);
    learned.model.members.push_back({ridge, std::move(taught.log_widths)});
    learned.reports.push_back(std::move(taught.report));
  }
  return learned;
}

}  // namespace fovea::fusion::gapfill
