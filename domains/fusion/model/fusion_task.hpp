#pragma once
/// A learned question of this domain: its own keys fill a struct, which all of its science takes.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/model/task.hpp"
#include "fovea/domains/fusion/model/fusion_model.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::model {

void check_heads(const ModelSettings& settings, const Complain& complain);

/// What the data name where a config leaves it open: data.classes and data.bands; empty: nothing.
struct Named {
  std::vector<std::string> classes, bands;
};
Config with_names(Config config, const Named& named);

std::unique_ptr<study::CaseReader> reader_with(study::Cases cases, study::Reading reading);
study::Target target_of_classes(const std::string& name, std::vector<std::string> classes);

/// Declares model_keys() behind its own. What opens the cases sees the settings alone, so that points of a sweep share
/// their cases unless they differ in a key of these.
template <typename Settings>
class FusionTask : public study::LearnedTask {
 public:
  explicit FusionTask(const DataKeys<Settings>& own) : own_(own) {}
  void keys(Schema& schema) const override { own_.all.declare(schema), model_keys().declare(schema); }
  void check(const Config& config, Complaints& complaints) const final {
    const Complain complain = complain_about(config, complaints);
    check_heads(model_keys().read(config), complain);
    check_settings(own_.read(config), complain);
  }
  Config resolved(Config config) const final {
    const Named named = names_in_data(settings_of(config));
    return with_names(std::move(config), named);
  }
  study::Target target(const Config& config) const final { return target_of(settings_of(config)); }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const final {
    return open_cases(settings_of(config), random);
  }
  bool has_own_model() const final { return true; }
  bool falls_back() const final { return true; }
  bool examines_first() const final { return true; }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters, const Random& random) const final {
    return make_model(model_keys().read(config), shape, parameters, random);
  }

 protected:
  virtual Settings settings_of(const Config& config) const { return own_.read(config); }
  virtual void check_settings(const Settings&, const Complain&) const {}
  virtual Named names_in_data(const Settings&) const { return {}; }
  virtual study::Target target_of(const Settings& settings) const = 0;
  /// As LearnedTask::open().
  virtual std::unique_ptr<study::CaseReader> open_cases(const Settings& settings, const Random& random) const = 0;

 private:
  const DataKeys<Settings>& own_;
};

}  // namespace fovea::fusion::model
