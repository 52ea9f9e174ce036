#pragma once
/// What the learned questions about jets have in common: the files of jets or made ones, labels of two classes or,
/// where the question takes them, of several, the inputs, and the tagger as the model. An experiment says what it asks
/// beyond that.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/core/study/study.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::tag {

class JetTask : public study::LearnedTask {
 public:
  /// classes: what the labels 0 and 1 are called. several: files may have more classes, which data.classes or else the
  /// first file names.
  explicit JetTask(std::vector<std::string> classes, bool several = false)
      : classes_(std::move(classes)), several_(several) {}
  int result_version() const override { return 1; }
  /// Those of the files, the inputs and the model; an experiment adds its own behind them.
  void keys(Schema& schema) const override;
  void check(const Config& config, Complaints& complaints) const override;
  std::string refuses_trees(const Config& config) const override;
  std::string data_key() const override { return "data.train"; }
  std::string id_column() const override { return "jet"; }
  Config resolved(Config config) const override;
  study::Target target(const Config& config) const override;
  bool has_own_model() const override { return true; }
  /// "part", the published Particle Transformer, where the model has its shape.
  std::vector<std::string> weight_names(const Config& config) const override;
  learning::TensorFile named_weights(const std::string& names, const Config& config,
                                     const learning::Parameters<float>& parameters) const override;
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override;
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override;

 protected:
  /// Jets for a run without files.
  virtual datasets::particles::ParticleSets made_jets(const Config& config, const Random& random) const = 0;

 private:
  std::vector<std::string> classes_;
  bool several_;
};

}  // namespace fovea::particle::tag
