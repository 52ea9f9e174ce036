#include "fovea/core/learning/training/training_series.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/training/training_run.hpp"

namespace fovea::learning {

namespace {

/// Adds the finished trainings to every checkpoint of the present one.
class SeriesBench final : public Workbench {
 public:
  SeriesBench(Workbench& bench, const Dataset& finished, std::optional<Dataset> start, double begin, double share)
      : bench_(bench), finished_(finished), start_(std::move(start)), begin_(begin), share_(share) {}
  std::optional<Dataset> restored() override { return start_; }
  void checkpoint(const std::function<Dataset()>& state) override {
    bench_.checkpoint([&] {
      Dataset all = state();
      for (const Dimension& dimension : finished_.dimensions()) all.dimension(dimension.name, dimension.size);
      for (const fovea::Variable& variable : finished_.variables()) all.add(variable);
      return all;
    });
  }
  void progress(double fraction) override { bench_.progress(begin_ + share_ * fraction); }
  void log(const std::string& line) override { bench_.log(line); }

 private:
  Workbench& bench_;
  const Dataset& finished_;
  std::optional<Dataset> start_;
  double begin_, share_;
};

/// The outcome of a finished training.
void visit_outcome(Archive archive, Parameters<float>& parameters, TrainingReport& report) {
  archive("values", parameters.values());
  visit_report(archive.within("report"), report);
}

}  // namespace

TrainingSeries::TrainingSeries(Workbench& bench, Index count)
    : bench_(bench), count_(count), restored_(bench.restored()) {
  require(count >= 1, "training series: count = ", count, ", but must be >= 1.");
}

TrainingReport TrainingSeries::train(Parameters<float>& parameters, const TrainingProblem& problem,
                                     const TrainingSettings& settings, const Random& random) {
  require(settings.name.find('.') == std::string::npos && names_.insert(settings.name).second, "training series: '",
          settings.name, "' must be a name without '.' that no training before it had.");
  const std::string outcome = settings.name + ".done";
  TrainingReport report;
  if (restored_ && restored_->has(outcome + ".values")) {
    visit_outcome(Archive::restoring(*restored_, outcome), parameters, report);
  } else {
    const double share = 1 / static_cast<double>(count_), begin = share * static_cast<double>(names_.size() - 1);
    const bool begun = restored_ && restored_->has(settings.name + ".values");
    SeriesBench bench(bench_, finished_, begun ? restored_ : std::nullopt, begin, share);
    report = learning::train(parameters, problem, settings, random, bench);
  }
  visit_outcome(Archive::saving(finished_, outcome), parameters, report);
  return report;
}

}  // namespace fovea::learning
