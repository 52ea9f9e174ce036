#include "fovea/core/lab/experiment.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

class PlainWorkbench final : public Workbench {
 public:
  std::optional<Dataset> restored() override { return std::nullopt; }
  void checkpoint(const std::function<Dataset()>&) override {}
  void progress(double) override {}
  void log(const std::string&) override {}
};

}  // namespace

std::unique_ptr<Workbench> plain_workbench() { return std::make_unique<PlainWorkbench>(); }

void Workbench::own_rows(Matrix<double>&, RankPart, Index) {}

void Experiment::check(const Config&, Complaints&) const {}

void Experiment::check_ranks(const Config&) const {
  throw ConfigError(concat(name(), " is computed by one process: fovea run. Several processes share the points of a ",
                           "sweep: fovea sweep CONFIG --shard auto."));
}

Inputs Experiment::open(const Config&) const { return {}; }

void Experiment::check_inputs(const Config&, const Inputs&) const {}

RunCost Experiment::cost(const Config&, const Inputs&) const { return {}; }

const Predictor* Experiment::predictor(std::string_view) const { return nullptr; }

void Experiment::conclude(Results&) const {}

}  // namespace fovea
