#include "fovea/domains/particle/tag/trained_tagger.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleSets;

constexpr Index kBlock = 4096, kTokensAtATime = 8192;

const study::Target& two_classes() {
  static const study::Target target{.name = "label", .classes = {"background", "signal"}};
  return target;
}

void check_labels(const LabelledJets& jets) {
  const auto& labels = jets.jets.labels;
  if (static_cast<Index>(labels.size()) != jets.jets.count())
    throw DataError(concat(jets.source, ": has no labels of jets, which training needs; see data.labels."));
  for (std::size_t b = 0; b < labels.size(); ++b)
    if (labels[b] != 0 && labels[b] != 1)
      throw DataError(concat(jets.source, ": jet ", b + 1, " has the label ", labels[b], ", but must have 0 or 1."));
}

/// A frame for the split: cases without tokens.
study::Cases frame_of(const ParticleSets& jets, std::vector<std::string> parts) {
  study::Cases frame;
  frame.offsets.assign(jets.count() + 1, 0);
  frame.targets = jets.labels;
  for (Index b = 0; b < jets.count(); ++b) frame.ids.push_back(std::to_string(b + 1));
  frame.parts = std::move(parts);
  return frame;
}

}  // namespace

LabelledJets labelled_jets(const Config& config, ParticleSets made, const Random& random) {
  LabelledJets all{"the simulated jets", std::move(made), {}};
  std::vector<std::string> parts;
  const JetSettings settings = jet_keys().read(config);
  if (!settings.train.empty()) {
    all = {settings.train.front(), {}, {}};
    JetFiles files(settings, study::split_keys().read(config).validation);
    for (JetBlock block = files.read(kBlock); block.jets.count() > 0; block = files.read(kBlock)) {
      append(all.jets, block.jets);
      parts.insert(parts.end(), block.parts.begin(), block.parts.end());
    }
  }
  check_labels(all);
  all.split = study::split_cases(all.source, frame_of(all.jets, std::move(parts)), two_classes(),
                                 study::split_keys().read(config), random);
  return all;
}

TestedJets tested_jets(const Config& config, const Random& random) {
  const JetSettings settings = jet_keys().read(config);
  ParticleSets made;
  if (settings.train.empty()) made = datasets::simulated::top_jets(settings.simulated, random.stream("jets"));
  TestedJets found{labelled_jets(config, std::move(made), random.stream("split")), {}, {}};
  found.tested = selected_jets(found.all.jets, found.all.split.test);
  for (const double label : found.tested.labels) found.labels.push_back(static_cast<Index>(label));
  return found;
}

ParticleSets TestedJets::first(Index most) const {
  std::vector<Index> items;
  for (Index b = 0; b < std::min(most, tested.count()); ++b) items.push_back(b);
  return selected_jets(tested, items);
}

Schema ComparedTaggers::schema() const {
  Schema schema;
  jet_keys().declare(schema);
  model::input_keys().declare(schema);
  model::tagger_keys().declare(schema);
  study::declare_split(schema);
  study::declare_fitting(schema);
  jets_key().declare(schema, {usual_});
  return schema;
}

void ComparedTaggers::check(const Config& config, Complaints& complaints) const {
  const Complain complain = complain_about(config, complaints);
  study::check_split(config, complaints);
  const JetSettings settings = jet_keys().read(config);
  check_jet_files(settings, complain);
  if (settings.train.empty() && !settings.labels.empty())
    complain("data.labels", "data.labels is of files, but data.train is empty.");
  model::check_tagger(model::tagger_keys().read(config), model::input_keys().read(config), complain);
  for (const std::string& key : compared_)
    if (!config.is_default(key)) complain(key, concat(key, " is what ", name(), " compares; leave it out."));
}

void ComparedTaggers::run(const Config& config, Inputs, const Random& random, Results& results,
                          Workbench& bench) const {
  const TestedJets jets = tested_jets(config, random);
  learning::TrainingSeries series(bench, trainings());
  const TrainTagger train = [&](const std::string& name, const Changes& changes, const Random& start) {
    return train_tagger(name, changed(config, changes), jets.all, start, series);
  };
  compare(jets, jets_key().read(config).jets, train, random, results);
}

Config changed(Config config, const Changes& changes) {
  for (const auto& [key, value] : changes) config.set(key, value, {});
  return config;
}

study::Cases TrainedTagger::cases(const std::string& source, const ParticleSets& jets) const {
  return model::cases_of(source, jets, inputs);
}

std::vector<double> TrainedTagger::logits(const std::string& source, const ParticleSets& jets) const {
  const study::Cases seen = cases(source, jets);
  std::vector<Index> items;
  for (Index b = 0; b < seen.count(); ++b) items.push_back(b);
  const Matrix<double> outputs =
      study::outputs_of(member, two_classes(), seen, study::prepared(preparation, seen), items, kTokensAtATime);
  return {outputs.data(), outputs.data() + outputs.size()};
}

TrainedTagger train_tagger(const std::string& name, const Config& config, const LabelledJets& jets,
                           const Random& random, learning::TrainingSeries& series) {
  const model::InputOptions inputs = model::input_keys().read(config);
  const study::Cases cases = model::cases_of(jets.source, jets.jets, inputs);
  TrainedTagger trained{
      inputs, model::tagger_keys().read(config), study::prepare(cases, jets.split.training, two_classes()), {}};
  trained.member.model = model::make_tagger(trained.settings, study::shape_of(trained.preparation, two_classes()),
                                            trained.member.parameters, random.stream("start"));
  std::vector<study::Member> members;
  members.push_back(std::move(trained.member));
  study::fit_members(members, name, two_classes(), trained.preparation, cases,
                     study::prepared(trained.preparation, cases), jets.split, study::fitting_keys().read(config),
                     random.stream("training"), series);
  trained.member = std::move(members.front());
  return trained;
}

ParticleSets selected_jets(const ParticleSets& jets, const std::vector<Index>& items) {
  ParticleSets some;
  for (const Index b : items) some.offsets.push_back(some.offsets.back() + jets.size(b));
  some.momenta.resize(some.particles(), 4);
  const auto rows = [&](Matrix<double>& to, const Matrix<double>& from) {
    if (from.rows() == 0) return;
    to.resize(static_cast<Index>(items.size()), from.cols());
    for (std::size_t k = 0; k < items.size(); ++k) to.row(static_cast<Index>(k)) = from.row(items[k]);
  };
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Index first = jets.offsets[items[k]], count = jets.size(items[k]);
    some.momenta.middleRows(some.offsets[k], count) = jets.momenta.middleRows(first, count);
    if (!jets.ids.empty()) some.ids.insert(some.ids.end(), jets.ids.begin() + first, jets.ids.begin() + first + count);
    if (!jets.labels.empty()) some.labels.push_back(jets.labels[items[k]]);
  }
  rows(some.truth, jets.truth);
  rows(some.jet_momenta, jets.jet_momenta);
  return some;
}

}  // namespace fovea::particle::tag
