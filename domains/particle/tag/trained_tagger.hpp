#pragma once
/// Taggers trained within an experiment that compares several: each has inputs of its own, all the same jets and split.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::tag {

/// Jets in one piece, and what each is for; all labels are known and are 0 or 1.
struct LabelledJets {
  std::string source;  ///< for messages
  datasets::particles::ParticleSets jets;
  study::Split split;
};

/// Of the files of a config, or, where it names none, these. Throws DataError for labels that are missing or are
/// neither 0 nor 1, and for a part without jets.
LabelledJets labelled_jets(const Config& config, datasets::particles::ParticleSets made, const Random& random);

/// Jets, those of them that are tested, and these jets' labels.
struct TestedJets {
  LabelledJets all;
  datasets::particles::ParticleSets tested;
  std::vector<Index> labels;
  /// The first of the tested jets, at most so many.
  datasets::particles::ParticleSets first(Index most) const;
};

/// labelled_jets() of a config with the keys below; without files data.jets simulated jets of top quarks and others.
TestedJets tested_jets(const Config& config, const Random& random);

/// Keys of the config that differ.
using Changes = std::vector<std::pair<std::string, ConfigValue>>;
Config changed(Config config, const Changes& changes);

struct TrainedTagger {
  model::InputOptions inputs;
  model::TaggerSettings settings;
  study::Preparation preparation;
  study::Member member;

  const model::Tagger& model() const { return static_cast<const model::Tagger&>(*member.model); }
  /// As the tagger sees these jets.
  study::Cases cases(const std::string& source, const datasets::particles::ParticleSets& jets) const;
  /// One a jet.
  std::vector<double> logits(const std::string& source, const datasets::particles::ParticleSets& jets) const;
};

/// Trains one tagger on the training part of the jets within a series, under this name.
TrainedTagger train_tagger(const std::string& name, const Config& config, const LabelledJets& jets,
                           const Random& random, learning::TrainingSeries& series);

/// The same in an experiment, whose config changes.
using TrainTagger = std::function<TrainedTagger(const std::string& name, const Changes& changes, const Random& random)>;

/// An experiment that trains several taggers on the same jets. Keys: of jets, inputs, model, split and training, and
/// the number of test jets that are examined.
class ComparedTaggers : public Experiment {
 public:
  Schema schema() const final;
  void check(const Config& config, Complaints& complaints) const final;
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const final;

 protected:
  /// jets: the key of their number, and its default; compared: keys that the experiment sets itself.
  ComparedTaggers(const std::string& key, const std::string& meaning, Index usual, std::vector<std::string> compared)
      : jets_{key, meaning, Range::between(10, 1e6)}, usual_(usual), compared_(std::move(compared)) {}

 private:
  struct Count {
    Index jets;
  };
  Keys<Count> jets_key() const { return Keys<Count>().key(jets_, &Count::jets); }
  virtual Index trainings() const = 0;
  /// One point. examined: so many of the tested jets.
  virtual void compare(const TestedJets& jets, Index examined, const TrainTagger& train, const Random& random,
                       Results& results) const = 0;

  SharedKey jets_;
  Index usual_;
  std::vector<std::string> compared_;
};

/// These jets alone, in that order, labels and truth with them.
datasets::particles::ParticleSets selected_jets(const datasets::particles::ParticleSets& jets,
                                                const std::vector<Index>& items);

}  // namespace fovea::particle::tag
