#include "fovea/core/learning/training/training_series.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/training/training_run.hpp"

namespace fovea::learning {

/// Adds the finished trainings to every checkpoint of the present one.
class TrainingSeries::Bench final : public Workbench {
 public:
  Bench(TrainingSeries& series, double begin, double share) : series_(series), begin_(begin), share_(share) {}
  std::optional<Dataset> restored() override { return std::exchange(series_.begun_, std::nullopt); }
  void checkpoint(const std::function<Dataset()>& state) override {
    series_.bench_.checkpoint([&] {
      Dataset present = state();
      return saved_state([&](const Archive& archive) {
        archive("finished", series_.finished_);
        archive("present", present);
      });
    });
  }
  void progress(double fraction) override { series_.bench_.progress(begin_ + share_ * fraction); }
  void log(const std::string& line) override { series_.bench_.log(line); }

 private:
  TrainingSeries& series_;
  double begin_, share_;
};

void TrainingSeries::Outcome::visit(Archive archive) {
  archive("name", name);
  archive("values", values);
  archive("report", report);
  archive("other", other);
}

TrainingSeries::TrainingSeries(Workbench& bench, Index count) : bench_(bench), count_(count) {
  require(count >= 1, "training series: count = ", count, ", but must be >= 1.");
  const std::optional<Dataset> saved = bench.restored();
  if (!saved) return;
  restore_state(*saved, [this](const Archive& archive) {
    archive("finished", finished_);
    archive("present", begun_.emplace());
  });
  if (begun_->variables().empty()) begun_.reset();  // it stopped between two
}

const TrainingSeries::Outcome* TrainingSeries::finished_before(const std::string& name) {
  const std::size_t place = names_.size();
  require(names_.insert(name).second, "training series: '", name, "' must be a name that no earlier training had.");
  if (place >= finished_.size()) return nullptr;
  const Outcome& outcome = finished_[place];
  if (outcome.name != name)
    throw DataError(concat("checkpoint: training ", place + 1, " is '", outcome.name, "', but must be '", name,
                           "'; it belongs to another run."));
  return &outcome;
}

TrainingReport TrainingSeries::train(Parameters<float>& parameters, const TrainingProblem& problem,
                                     const TrainingSettings& settings, const Random& random) {
  if (const Outcome* const outcome = finished_before(settings.name)) {
    if (outcome->values.size() != parameters.values().size())
      throw DataError(concat("checkpoint: training '", settings.name, "' has ", outcome->values.size(),
                             " parameters, but must have ", parameters.values().size(),
                             "; it belongs to another run."));
    std::copy(outcome->values.begin(), outcome->values.end(), parameters.values().begin());
    return outcome->report;
  }
  const double share = 1 / static_cast<double>(count_), begin = share * static_cast<double>(finished_.size());
  Bench bench(*this, std::min(1.0, begin), begin < 1 ? share : 0);
  const TrainingReport report = learning::train(parameters, problem, settings, random, bench);
  finished_.push_back({settings.name, {parameters.values().begin(), parameters.values().end()}, report, {}});
  return report;
}

Dataset TrainingSeries::once(const std::string& name, const std::function<Dataset()>& make) {
  if (const Outcome* const outcome = finished_before(name)) return outcome->other;
  finished_.push_back({name, {}, {}, make()});
  bench_.progress(std::min(1.0, static_cast<double>(finished_.size()) / static_cast<double>(count_)));
  Bench(*this, 0, 0).checkpoint([] { return Dataset(); });
  return finished_.back().other;
}

}  // namespace fovea::learning
