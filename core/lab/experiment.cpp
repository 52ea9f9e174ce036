#include "fovea/core/lab/experiment.hpp"

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

void Experiment::check(const Config&, Complaints&) const {}

Inputs Experiment::open(const Config&) const { return {}; }

void Experiment::check_inputs(const Config&, const Inputs&) const {}

RunCost Experiment::cost(const Config&, const Inputs&) const { return {}; }

const Predictor* Experiment::predictor(std::string_view) const { return nullptr; }

void Experiment::conclude(Results&) const {}

}  // namespace fovea
