/// The experiment "particle.event": which particles of an event are of the hard collision, which of pile-up?
///
/// Attention over the whole event learns it on simulated events; it is examined on others, or on events of files whose
/// sub-events are known. Over particle_score: particle_auc, with DeLong's interval, of the net and of single numbers.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/delong.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/simulated/hard_events.hpp"
#include "fovea/domains/particle/event/event_map.hpp"
#include "fovea/domains/particle/event/event_model.hpp"
#include "fovea/domains/particle/event/particle_scores.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/file_keys.hpp"
#include "fovea/domains/particle/findings.hpp"
#include "fovea/domains/particle/inspect/output.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::event {

namespace {

using datasets::particles::ParticleSets;

constexpr const char* kWayOut = "data.bad = \"leave out\"";
constexpr double kBetter = 0.03;  // than the best single number
constexpr double kLeastPt =
    1e-9;  // GeV; ghosts, by which jet finders measure areas, have less, and no detector sees it

/// Subtracts from ln pT its mean over the event: soft collisions set the scale of an event, as the median of alpha does
/// in PUPPI (Bertolini, Harris, Low, Tran 2014), and differ from one simulation to the next.
void centre_on_event(std::vector<double>& rows, std::size_t first) {
  double sum = 0;
  for (std::size_t k = first; k < rows.size(); k += 3) sum += rows[k + 2];
  const double mean = rows.size() > first ? 3 * sum / static_cast<double>(rows.size() - first) : 0;
  for (std::size_t k = first; k < rows.size(); k += 3) rows[k + 2] -= mean;
}

/// Events as cases: particles within a rapidity, of which the hard collision is class 1.
study::Cases cases_of_events(const ParticleSets& events, double rapidity, const std::string& part, Index first) {
  namespace particles = datasets::particles;
  study::Cases cases;
  for (const char* name : {"ln pT less its mean", "y"}) {
    study::Feature feature{name, "1", {}};
    feature.ready = true;
    cases.features.push_back(feature);
  }
  std::vector<double> rows;
  for (Index b = 0; b < events.count(); ++b) {
    const std::size_t before = rows.size();
    for (Index i = events.offsets[b]; i < events.offsets[b + 1]; ++i) {
      const particles::Momentum p = particles::momentum_of(events.momenta, i);
      const double y = particles::rapidity(p);
      if (!(std::abs(y) < rapidity) || !(particles::pt(p) > kLeastPt)) continue;
      rows.insert(rows.end(), {y, particles::phi(p), std::log(particles::pt(p))});
      const bool known = !events.sub_events.empty();
      cases.targets.push_back(!known ? kNan : events.sub_events[i] == 0 ? 1 : 0);
    }
    centre_on_event(rows, before);
    cases.offsets.push_back(static_cast<Index>(rows.size() / 3));
    cases.ids.push_back(concat(part.empty() ? "" : part + " ", first + b));
    if (!part.empty()) cases.parts.push_back(part);
  }
  cases.coordinates = Eigen::Map<const Matrix<double>>(rows.data(), static_cast<Index>(rows.size() / 3), 3);
  cases.values.resize(cases.coordinates.rows(), 2);
  cases.values.col(0) = cases.coordinates.col(2).cast<float>();
  cases.values.col(1) = (cases.coordinates.col(0) / rapidity).cast<float>();
  return cases;
}

struct EventSettings {
  std::string train, test, unit;  ///< files, and the unit of their energies; empty: as they say
  Index simulated = 80;
  double rapidity = 2.5;
  bool leave_out_bad = false;
};

/// Counts the particles that are not scored, of all files together.
void leave_out_particles(study::Reading& reading, Index count, double rapidity) {
  const std::string reason = concat("with |y| of at least data.rapidity = ", plain_text(rapidity), ", or without pT");
  for (study::LeftOut& one : reading.left_out)
    if (one.reason == reason) one.count += count, count = 0;
  if (count > 0) reading.left_out.push_back({"particle", count, reason});
}

/// The events of a file.
class EventsOfFile final : public study::CaseReader {
 public:
  EventsOfFile(const std::string& path, const EventSettings& settings, std::string part)
      : reader_(datasets::particles::with_way_out(kWayOut,
                                                  [&] {
                                                    return datasets::particles::open_particles(
                                                        path, {.unit = settings.unit,
                                                               .leave_out_bad = settings.leave_out_bad});
                                                  })),
        rapidity_(settings.rapidity),
        part_(std::move(part)) {
    if (reader_->facts().kind != datasets::particles::SetKind::events)
      throw DataError(
          concat(path, ": holds no events (", reader_->facts().format, "); name a file of HepMC, LHE or FastJet."));
  }
  study::Cases read(Index most) override {
    constexpr Index kFewEvents = 16;  // an event may have tens of thousands of particles
    const ParticleSets events =
        datasets::particles::with_way_out(kWayOut, [&] { return reader_->read(std::min(most, kFewEvents)); });
    study::Cases cases = cases_of_events(events, rapidity_, part_, count_);
    count_ += events.count(), outside_ += events.particles() - cases.tokens();
    for (Index b = 0; b < events.count(); ++b) {
      sums_.push_back(0);
      for (Index i = events.offsets[b]; i < events.offsets[b + 1]; ++i)
        sums_.back() += datasets::particles::pt(datasets::particles::momentum_of(events.momenta, i));
    }
    return cases;
  }
  study::Reading reading() const override {
    study::Reading reading;
    add_to(reading);
    return reading;
  }
  void add_to(study::Reading& reading) const {
    inspect::add_file(reading, reader_->facts(), reader_->repairs());
    leave_out_particles(reading, outside_, rapidity_);
    std::vector<double> sums = sums_;
    std::sort(sums.begin(), sums.end());
    if (!sums.empty()) reading.finding(PerhapsMeV{reader_->facts().path, sorted_quantile(sums, 0.5)});
  }

 private:
  std::unique_ptr<datasets::particles::ParticleReader> reader_;
  double rapidity_;
  std::string part_;
  Index count_ = 0, outside_ = 0;
  std::vector<double> sums_;  ///< of pT, one an event
};

const Keys<EventSettings>& event_keys() {
  using S = EventSettings;
  static const auto keys =
      Keys<S>()
          .file(kTrainingFiles, &S::train, "training events, with sub-events; none: events are simulated")
          .file(kTestFiles, &S::test, "test events, with sub-events; none: a part of the others")
          .key(kSimulatedEvents.within(Range::between(6, 1e6)), &S::simulated)
          .key("data.rapidity", &S::rapidity, Range::positive(), "", "largest |y| of the particles that are scored")
          .choice(study::kDataBad, &S::leave_out_bad)
          .choice(kEnergyUnit, &S::unit)
          .added_later();
  return keys;
}

std::unique_ptr<study::CaseReader> opened(const EventSettings& settings, double validation, const Random& random) {
  const auto& [train, test, unit, simulated, rapidity, leave_out_bad] = settings;
  if (!train.empty() && test.empty()) return std::make_unique<EventsOfFile>(train, settings, "");
  if (std::error_code error; !train.empty() && std::filesystem::equivalent(train, test, error))
    throw DataError(concat(test, ": is a training and a test file at once; test on other events."));
  study::Cases all;
  if (train.empty()) {
    const ParticleSets events = datasets::simulated::hard_events(simulated, {}, random);
    all = cases_of_events(events, rapidity, test.empty() ? "" : "training", 0);
    all.reading.noun = "event", all.reading.token = "particle";
    leave_out_particles(all.reading, events.particles() - all.tokens(), rapidity);
  } else {
    EventsOfFile reader(train, settings, "training");
    all = study::read_all(reader);
    all.reading = reader.reading();
  }
  if (test.empty()) return study::reader_of(std::move(all));
  const auto validating = static_cast<std::size_t>(std::max(1.0, validation * static_cast<double>(all.count())));
  for (std::size_t b = 0; b < validating && b + 1 < all.parts.size(); ++b) all.parts[b] = "validation";
  EventsOfFile reader(test, settings, "test");
  study::append(all, study::read_all(reader));
  reader.add_to(all.reading);
  return study::reader_of(std::move(all));
}

class Event final : public study::LearnedTask {
 public:
  std::string_view name() const override { return "particle.event"; }
  std::string_view summary() const override { return "which particles of an event are of the hard collision?"; }
  int result_version() const override { return 3; }
  void keys(Schema& schema) const override {
    event_keys().declare(schema);
    total_keys().declare(schema);
    model::TaggerSettings tagger;
    tagger.mirrors = false;  // rapidities of events are an input of their own, which no mirror changes
    model::tagger_keys().declare(schema, tagger);
  }
  void check(const Config& config, Complaints& complaints) const override {
    const Complain complain = complain_about(config, complaints);
    const model::TaggerSettings tagger = model::tagger_keys().read(config);
    model::check_model(tagger, complain);
    if (tagger.decorrelation > 0)
      complain("training.decorrelation",
               "training.decorrelation is about the mass of jets, but particle.event scores particles; leave it out.");
    if (tagger.mirrors || tagger.turns)
      complain("training.mirrors",
               "particle.event has inputs that are not mirrored; set training.mirrors = false and training.turns "
               "= false.");
  }
  bool examines_first() const override { return true; }
  std::string data_key() const override { return "data.train"; }
  std::string id_column() const override { return "event"; }
  study::Target target(const Config&) const override {
    return {.level = study::TargetLevel::per_token, .name = "origin", .classes = {"pile-up", "hard collision"}};
  }
  bool has_own_model() const override { return true; }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return make_event_model(total_keys().read(config), model::tagger_keys().read(config), shape, parameters, random);
  }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    return opened(event_keys().read(config), config.real("split.validation"), random);
  }
  void examine(const study::StudyOutcome& outcome, Results& results) const override;
};

void Event::examine(const study::StudyOutcome& outcome, Results& results) const {
  std::vector<ParticleScore> scores = particle_scores(outcome.cases, outcome.split.test);
  scores.insert(scores.begin(), {outcome.predictors()[0], {}});
  for (Index i = 0; i < outcome.predictions.mean.rows(); ++i)
    scores.front().values.push_back(outcome.predictions.mean(i, 0));
  std::vector<Index> labels;
  for (const double y : outcome.test_targets) {
    if (std::isnan(y)) return results.note("The origin of some tested particles is not known, so nothing is compared.");
    labels.push_back(static_cast<Index>(y));
  }
  const Index hard = std::count(labels.begin(), labels.end(), Index{1});
  if (std::min(hard, std::ssize(labels) - hard) < 2)
    return results.note(concat("Of ", labels.size(), " tested particles ", hard,
                               " are of the hard collision, so nothing is compared: at least two of either origin are "
                               "needed."));
  std::vector<std::vector<double>> values;
  for (const ParticleScore& score : scores) values.push_back(score.values);
  const RocAreas areas = roc_areas(values, labels);
  const auto interval = [&](const ParticleScore&, std::size_t k) {
    const AreaInterval ends =
        area_interval(areas.areas[k], areas.standard_error(k), std::min(hard, std::ssize(labels) - hard));
    return ValueInterval{areas.areas[k], ends.low, ends.high};
  };
  const double best = *std::max_element(areas.areas.begin() + 1, areas.areas.end());
  rows("particle_score", scores, &ParticleScore::name, "score of a particle")
      .interval("particle_auc", interval, "AUC of hard collision against pile-up")
      .ends("95 % interval, particles taken as independent", "95 % interval")
      .write(results)
      .intervals(
          results, "particle_auc",
          {.title = "Hard collision or pile-up",
           .caption = concat("AUC over ", labels.size(), " particles of ", outcome.split.test.size(), " events, ", hard,
                             " of them of the hard collision. Intervals by DeLong, which take particles as "
                             "independent."),
           .value_label = "AUC"});
  results.scalar("particle_auc_gain", areas.areas[0] - best, "1",
                 "AUC of attention less that of the best single number");
  write_event_map(outcome, results);
  const EventSettings settings = event_keys().read(outcome.config);
  if (settings.test.empty() && settings.train.empty())
    results.check({"better_than_numbers",
                   "by how much attention's gain of AUC over the best single number falls short of .03",
                   "a prediction of ours: attention sees all three numbers' ingredients", 0,
                   std::max(0.0, kBetter - (areas.areas[0] - best)), absolute(0)});
}

/// Its verdict is the comparison with single numbers.
class EventStudy final : public study::Study {
 public:
  EventStudy() : study::Study(std::make_unique<Event>()) {}
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("particle_auc")) return;
    const View auc = view(merged.data, "particle_auc");
    const auto of = [&](std::size_t k) { return auc.at({{"particle_score", k}}).mean().mean; };
    const PileUpSeparated found{of(0),
                                of(1),
                                of(2),
                                of(3),
                                view(merged.data, "particle_auc_gain").mean().mean,
                                merged.data.has("scores_of_attention_alone")};
    const auto say = [&](const auto& one) {
      if (merged.finding(one)) merged.verdict(one.sentence());
    };
    say(AttentionBeatsNumbers{found}), say(NumbersBeatAttention{found});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_event() { return std::make_unique<EventStudy>(); }

}  // namespace fovea::particle::event
