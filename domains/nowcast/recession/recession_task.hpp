#pragma once
/// What the learned questions about recessions have in common: keys, cases, model.

#include "fovea/core/study/study.hpp"
#include "fovea/domains/nowcast/cases/economy_cases.hpp"
#include "fovea/domains/nowcast/model/nowcast_model.hpp"

namespace fovea::nowcast {

class RecessionTask : public study::LearnedTask {
 public:
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override {
    recession_keys().declare(schema);
    nowcast_model_keys().declare(schema);
  }
  void adjust(study::StudySettings& defaults) const override;
  void check(const Config& config, Complaints& complaints) const override;
  Config resolved(Config config) const override;
  std::string data_key() const override { return "data.panel"; }
  std::string targets_key() const override { return "data.recessions"; }
  std::string id_column() const override { return "date"; }
  study::Target target(const Config&) const override { return {.name = "recession", .classes = {"no", "yes"}}; }
  bool has_own_model() const override { return true; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random&) const override {
    return study::reader_of(economy_cases(recession_settings(config), folds()));
  }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return make_nowcast_model(nowcast_model_keys().read(config), shape, parameters, random);
  }

 protected:
  virtual FoldsBy folds() const { return FoldsBy::time; }
};

}  // namespace fovea::nowcast
