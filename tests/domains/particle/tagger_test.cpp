// Taggers with random weights: what they must not mind, and what configs may ask.

#include "fovea/domains/particle/model/tagger_model.hpp"

#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/domains/particle/safety/emissions.hpp"
#include "fovea/domains/particle/safety/soft_weight.hpp"
#include "fovea/domains/particle/tag/score_change.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::model {

namespace {

using datasets::particles::Momentum;
using datasets::particles::ParticleSets;

const std::vector<std::string> kSafe{"inputs.set=directions", "model.weighted_keys=true", "model.pair_bias=smooth"};

/// Logits of jets from a tagger with random weights.
std::vector<float> logits_of(const Config& config, const ParticleSets& jets) {
  const study::Cases cases = cases_of("jets", jets, input_keys().read(config));
  learning::Parameters<float> parameters;
  study::ModelShape shape;
  shape.inputs = static_cast<Index>(cases.features.size());
  shape.coordinates = 3, shape.outputs = 1;
  const auto tagger = make_tagger(tagger_keys().read(config), shape, parameters, Random(3));
  learning::Tape<float> tape;
  tape.begin(&parameters, {});
  learning::Tokens tokens;
  tokens.offsets = cases.offsets;
  tokens.coordinates = cases.coordinates;
  const auto y = tagger->outputs(tape, {tape.input(cases.values), &tokens}, nullptr);
  return {y.data(), y.data() + y.size()};
}

/// With random weights.
tag::TrainedTagger random_tagger(const std::vector<std::string>& set) {
  const Config config = support::config_of("particle.toptag", set);
  tag::TrainedTagger tagger{input_keys().read(config), tagger_keys().read(config), {}, {}};
  const study::Cases cases = tagger.cases("jets", datasets::simulated::top_jets(4, Random(6)));
  tagger.preparation = study::prepare(cases, {0, 1, 2, 3}, {.name = "label", .classes = {"QCD", "top"}});
  study::ModelShape shape;
  shape.inputs = static_cast<Index>(cases.features.size());
  shape.coordinates = 3, shape.outputs = 1;
  tagger.member.model = make_tagger(tagger.settings, shape, tagger.member.parameters, Random(3));
  return tagger;
}

/// Every jet with five further constituents of a share z of its momentum each, at random directions.
ParticleSets with_soft(const ParticleSets& jets, double z, const Random& random) {
  ParticleSets changed;
  std::vector<Momentum> all;
  for (Index b = 0; b < jets.count(); ++b) {
    const auto first = jets.offsets[b], end = jets.offsets[b + 1];
    const Momentum sum = datasets::particles::sum_of(jets.momenta, first, end);
    for (Index i = first; i < end; ++i) all.push_back(datasets::particles::momentum_of(jets.momenta, i));
    for (std::uint64_t k = 0; k < 5; ++k)
      all.push_back(datasets::particles::from_pseudorapidity(
          z * datasets::particles::pt(sum),
          datasets::particles::pseudorapidity(sum) + 1.2 * random.uniform(static_cast<std::uint64_t>(b), 2 * k) - 0.6,
          datasets::particles::phi(sum) + 1.2 * random.uniform(static_cast<std::uint64_t>(b), 2 * k + 1) - 0.6, 0));
    changed.offsets.push_back(static_cast<Index>(all.size()));
  }
  changed.momenta.resize(static_cast<Index>(all.size()), 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    changed.momenta.row(static_cast<Index>(i)) << all[i].px, all[i].py, all[i].pz, all[i].energy;
  return changed;
}

/// Every constituent as two parallel ones.
ParticleSets split_in_two(const ParticleSets& jets) {
  ParticleSets changed;
  changed.momenta.resize(2 * jets.particles(), 4);
  for (Index i = 0; i < jets.particles(); ++i) {
    changed.momenta.row(2 * i) = 0.3 * jets.momenta.row(i);
    changed.momenta.row(2 * i + 1) = 0.7 * jets.momenta.row(i);
  }
  for (std::size_t b = 1; b < jets.offsets.size(); ++b) changed.offsets.push_back(2 * jets.offsets[b]);
  return changed;
}

/// The largest change of a logit over the standard deviation of logits.
double change(const std::vector<float>& before, const std::vector<float>& after) {
  double mean = 0, square = 0, largest = 0;
  for (const float x : before) mean += x / static_cast<double>(before.size());
  for (const float x : before) square += (x - mean) * (x - mean) / static_cast<double>(before.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(before[i]) - static_cast<double>(after[i])));
  return largest / std::sqrt(square);
}

Safety safety(const Config& config) { return safety_of(tagger_keys().read(config), input_keys().read(config)); }

}  // namespace

TEST_CASE("soft and collinear emissions do not change a safe tagger, and change the others", "[particle][property]") {
  const ParticleSets jets = datasets::simulated::top_jets(60, Random(6));
  const ParticleSets soft = with_soft(jets, 1e-6, Random(7)), split = split_in_two(jets);
  for (const std::string pooling : {"class", "mean"}) {
    std::vector<std::string> set = kSafe;
    set.push_back("model.pooling=" + pooling);
    const Config safe = support::config_of("particle.toptag", set);
    CHECK(safety(safe).soft_and_collinear);
    const std::vector<float> before = logits_of(safe, jets);
    CHECK(change(before, logits_of(safe, soft)) < 1e-3);
    CHECK(change(before, logits_of(safe, split)) < 1e-4);
  }
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{}, {kSafe[0], kSafe[1], "locality.mask=nearest", "locality.neighbours=8"}}) {
    const Config unsafe = support::config_of("particle.toptag", set);
    CHECK_FALSE(safety(unsafe).soft_and_collinear);
    CHECK(!safety(unsafe).reason.empty());
    const std::vector<float> before = logits_of(unsafe, jets);
    CHECK(change(before, logits_of(unsafe, split)) > 1e-2);
  }
}

TEST_CASE("what a safe tagger makes of splits changes with the square of their opening", "[particle][property]") {
  const ParticleSets jets = datasets::simulated::top_jets(60, Random(6));
  for (const std::string cap : {"0", "2"}) {
    std::vector<std::string> set = kSafe;
    set.push_back("model.score_cap=" + cap);
    const Config safe = support::config_of("particle.toptag", set);
    const std::vector<float> before = logits_of(safe, jets);
    const double wide = change(before, logits_of(safe, safety::with_splits(jets, 1e-2, Random(9)))),
                 narrow = change(before, logits_of(safe, safety::with_splits(jets, 1e-3, Random(9))));
    CHECK(wide > 1e-4);
    CHECK(narrow < 0.03 * wide);  // 0.01 and what rounding adds
  }
}

TEST_CASE("the weight of soft keys is below its bound, and reaches it where all scores are at the cap",
          "[particle][limit]") {
  const double cap = 1.5;
  CHECK(safety::soft_weight_bound(0.01, cap) == Approx(0.01 * std::exp(3.0) / (1 + 0.01 * std::exp(3.0))));
  const ParticleSets jets = datasets::simulated::top_jets(20, Random(6));
  tag::TrainedTagger tagger = random_tagger({kSafe[0], kSafe[1], kSafe[2], "model.score_cap=1.5"});
  const ParticleSets soft = safety::with_soft(jets, 5, 1e-3, Random(7));
  const double bound = safety::soft_weight_bound(5e-3, cap), plain = safety::largest_soft_weight(tagger, soft, 5);
  CHECK(plain > 0.2 * bound);
  CHECK(plain < bound);
  for (Index k = 1; k <= 2; ++k)
    tagger.member.parameters.matrix(
        tagger.member.parameters.at(concat("block_", k, ".attention.query.weight")).place) *= 1e4F;
  const double steep = safety::largest_soft_weight(tagger, soft, 5);
  CHECK(steep > 0.9 * bound);
  CHECK(steep < bound * (1 + 1e-4));  // rounding
}

TEST_CASE("the change of scores is in standard deviations of those before", "[particle]") {
  const tag::ScoreChange found = tag::score_change({0, 2, 0, 2}, {0, 2.5, -1, 4});
  CHECK(found.mean == Approx(0.875));
  CHECK(found.median == Approx(1));
  CHECK(found.largest == Approx(2));
  CHECK_THROWS_AS(tag::score_change({1}, {1, 2}), ArgumentError);
}

TEST_CASE("a jet has the same logit alone and among others, with every mask and bias", "[particle][property]") {
  const ParticleSets jets = datasets::simulated::top_jets(12, Random(8));
  ParticleSets one;
  one.offsets = {0, jets.size(5)};
  one.momenta = jets.momenta.middleRows(jets.offsets[5], jets.size(5));
  for (const std::string mask : {"none", "radius", "nearest"})
    for (const std::string pairs : {"none", "standard", "smooth"})
      for (const std::string pooling : {"class", "mean", "sum"}) {
        const Config config =
            support::config_of("particle.toptag", {"locality.mask=" + mask, "locality.neighbours=4",
                                                   "model.pair_bias=" + pairs, "model.pooling=" + pooling,
                                                   pairs == "smooth" ? "model.score_cap=2" : "model.score_cap=0"});
        CHECK(logits_of(config, jets)[5] == logits_of(config, one)[0]);
      }
}

TEST_CASE("a jet whose pairs have more biases than memory is refused with the limit and the way out", "[particle]") {
  const TaggerSettings all{.heads = 4, .pairs = PairSet::standard};
  CHECK_NOTHROW(check_pairs_fit(all, "jets.h5: jet 3", 4096));
  const std::string said =
      support::refusal_of<DataError>([&] { check_pairs_fit(all, "jets.h5: jet 3", 1'000'000'000); });
  CHECK(
      said.starts_with("jets.h5: jet 3 has 1000000000 particles, and the biases of all its pairs would take 1.6e+10 "
                       "GB; at most "));
  CHECK(
      said.ends_with(" fit into half of this machine's memory. Leave it out, or train a model with locality.mask = "
                     "\"nearest\" or \"radius\"."));
  for (const Mask mask : {Mask::nearest, Mask::radius})
    CHECK_NOTHROW(check_pairs_fit({.pairs = PairSet::standard, .mask = mask}, "jets.h5: jet 3", 1'000'000'000));
  CHECK_NOTHROW(check_pairs_fit({}, "jets.h5: jet 3", 1'000'000'000));
}

TEST_CASE("configs that contradict themselves are refused at their keys", "[particle]") {
  const auto complaint_of = [](const std::vector<std::string>& set) -> std::string {
    return support::refusal_of<ConfigError>([&] {
      const auto experiment = tag::make_toptag();
      const Config config = support::config_of("particle.toptag", set);
      Complaints complaints;
      experiment->check(config, complaints);
      complaints.raise();
    });
  };
  CHECK(complaint_of(kSafe) == "");
  CHECK_THAT(complaint_of({"inputs.set=directions"}), Catch::Contains("set model.weighted_keys = true as well."));
  CHECK_THAT(complaint_of({"model.weighted_keys=true", "model.pooling=sum"}), Catch::Contains("counts constituents"));
  CHECK_THAT(complaint_of({"model.heads=5"}), Catch::Contains("model.heads must divide model.width, which is 32."));
}

}  // namespace fovea::particle::model
