// What a page shows of jets: edges, deletions, the surest mistakes, the bias of pairs.

#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/display/bias_map.hpp"
#include "fovea/domains/particle/display/jet_look.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::display {

namespace {

/// Of a run so small that it learns next to nothing.
Results displayed(std::vector<std::string> set) {
  for (const char* key : {"data.jets=200", "training.epochs=1", "model.width=8", "model.hidden=8", "explain.cases=4"})
    set.emplace_back(key);
  return support::run_of("particle.toptag", set, 3);
}

bool has_figure(const Results& results, const std::string& name) {
  return std::any_of(results.figures().begin(), results.figures().end(),
                     [&](const Figure& figure) { return figure.name == name; });
}

/// A tagger with random weights and jets that it looks at.
struct Looking {
  Config config;
  study::Cases cases;
  std::vector<study::Member> members;

  explicit Looking(const std::vector<std::string>& set, Index count = 1)
      : config(support::config_of("particle.toptag", set)),
        cases(
            model::cases_of("jets", datasets::simulated::top_jets(6, Random(8)), {model::InputSet::standard, false})) {
    study::ModelShape shape;
    shape.inputs = static_cast<Index>(cases.features.size());
    shape.coordinates = 3, shape.outputs = 1;
    for (Index k = 0; k < count; ++k) {
      study::Member& member = members.emplace_back();
      member.model = model::make_tagger(model::tagger_keys().read(config), shape, member.parameters,
                                        Random(static_cast<std::uint64_t>(k) + 5));
    }
  }
  double logit(const study::Member& member, const study::Cases& jets) const {
    return study::outputs_of(member, {}, jets, jets.values, {0}, 100)(0, 0);
  }
};

}  // namespace

TEST_CASE("edges lead from each query to the keys with the largest weights, itself left out", "[particle]") {
  const Random random(4);
  Matrix<double> weights(9, 9);
  for (Index i = 0; i < 81; ++i) weights.data()[i] = random.uniform(static_cast<std::uint64_t>(i));
  weights.row(2).setZero();
  weights(3, 5) = weights(3, 7) = 2;  // equal ones by number
  weights.diagonal().setConstant(9);
  const std::vector<Edge> edges = strongest_edges(weights, 2);
  CHECK(edges.size() == 16);
  for (std::size_t e = 0; e < edges.size(); e += 2) {
    const Edge &first = edges[e], &second = edges[e + 1];
    CHECK((first.query == second.query && first.query != first.key && first.query != second.key));
    CHECK(first.weight >= second.weight);
    CHECK(first.weight == weights(first.query, first.key));
    Index larger = 0;
    for (Index key = 0; key < 9; ++key) larger += key != first.query && weights(first.query, key) > second.weight;
    CHECK(larger == (first.weight > second.weight ? 1 : 0));
    if (first.query == 3) CHECK((first.key == 5 && second.key == 7));
  }
}

TEST_CASE("a constituent's deletion is the logit less that of the jet without it, a mean over members", "[particle]") {
  const Looking looking({"model.pair_bias=standard"}, 2);
  const JetLook look = look_at(looking.members, {}, looking.cases, looking.cases.values, 3);
  const study::Cases whole = study::selected(looking.cases, {3});
  const Index count = whole.size(0), gone = count / 2;
  study::Cases left = whole;
  left.offsets = {0, count - 1};
  for (Index i = gone; i + 1 < count; ++i) {
    left.values.row(i) = whole.values.row(i + 1), left.coordinates.row(i) = whole.coordinates.row(i + 1);
  }
  left.values.conservativeResize(count - 1, Eigen::NoChange);
  left.coordinates.conservativeResize(count - 1, Eigen::NoChange);
  double change = 0;
  for (const study::Member& member : looking.members)
    change += (looking.logit(member, whole) - looking.logit(member, left)) / 2;
  REQUIRE(static_cast<Index>(look.deletion.size()) == count);
  CHECK(look.deletion[gone] == Approx(change).margin(1e-6));
  CHECK(std::abs(change) > 1e-6);
  CHECK(std::accumulate(look.attention.begin(), look.attention.end(), 0.0) == Approx(1));
  for (Index i = 0; i < count; ++i) CHECK(look.weights.row(i).sum() == Approx(1).margin(1e-5));
}

TEST_CASE("the map of the bias has the features of pairs that its axes name", "[particle]") {
  Looking looking({"model.pair_bias=standard", "model.pair_hidden=[]"});  // one linear layer: the bias is a feature
  learning::Parameters<float>& parameters = looking.members[0].parameters;
  auto weight = parameters.matrix(parameters.at("pairs.0.weight").place);
  REQUIRE((weight.rows() == 4 && weight.cols() == 4));
  weight.setIdentity();
  parameters.matrix(parameters.at("pairs.0.bias").place).setZero();
  const std::vector<double> distances{-3, -1, -0.5}, kts{-2, 0.5, 3};
  const double fraction = std::log(0.1);
  const Matrix<double> biases = biases_at(looking.members[0], distances, kts, fraction);
  REQUIRE((biases.rows() == 4 && biases.cols() == 3));
  for (Index k = 0; k < 3; ++k) {
    const std::size_t place = k;
    CHECK(biases(0, k) == Approx(distances[place]).margin(1e-5));
    CHECK(biases(1, k) == Approx(kts[place]).margin(1e-5));
    CHECK(biases(2, k) == Approx(fraction).margin(1e-5));
    CHECK(biases(3, k) == Approx(2 * kts[place] + std::log(9)).margin(0.02));  // m^2 = kT^2 (1 - z) / z nearby
  }
  CHECK(biases_at(Looking({}).members[0], distances, kts, fraction).rows() == 0);
}

TEST_CASE("mistakes are sorted by how sure they are, and are mistakes", "[particle]") {
  const Results results = displayed({"ensemble.members=2"});
  REQUIRE(results.data.has("mistake_label"));
  const auto& labels = std::get<std::vector<std::string>>(results.data.at("mistake_label").values);
  const std::vector<double>& p = results.data.at("mistake_probability").reals();
  std::map<std::string, int> count;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const bool top = labels[k] == "top";
    CHECK((top ? p[k] < 0.5 : p[k] > 0.5));
    if (k > 0 && labels[k] == labels[k - 1]) CHECK((top ? p[k] >= p[k - 1] : p[k] <= p[k - 1]));
    CHECK(++count[labels[k]] <= 5);
  }
}

TEST_CASE("drawn jets have their quarks, their arrows, and the same bits for any number of threads", "[particle]") {
  const std::vector<std::string> set{"ensemble.members=2", "model.pair_bias=standard"};
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Results results = displayed(set);
  omp_set_num_threads(3);
  const Results again = displayed(set);
  omp_set_num_threads(threads);
  CHECK(results.data.at("attended").values == again.data.at("attended").values);
  CHECK(results.data.at("drawn_probability").values == again.data.at("drawn_probability").values);
  for (const char* name : {"ranked_deletion", "pair_bias", "look_weight"}) {
    const auto &a = results.data.at(name).reals(), &b = again.data.at(name).reals();
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) CHECK((a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))));
  }

  const auto& quarks = std::get<std::vector<std::string>>(results.data.at("constituent_quark").values);
  CHECK(std::count(quarks.begin(), quarks.end(), "b") > 0);
  const std::size_t jets = results.data.size_of("drawn_jet"), nodes = results.data.size_of("constituent"),
                    looks = results.data.size_of("look");
  const auto& eta = results.data.at("constituent_eta").reals();
  const auto& weight = results.data.at("look_weight").reals();
  using Places = std::vector<std::int64_t>;
  const auto &from = std::get<Places>(results.data.at("attending").values),
             &to = std::get<Places>(results.data.at("attended").values);
  for (std::size_t e = 0; e < looks; ++e) {
    int owners = 0;
    for (std::size_t b = 0; b < jets; ++b) {
      if (std::isnan(weight[b * looks + e])) continue;
      ++owners;
      CHECK_FALSE(std::isnan(eta[b * nodes + from[e]]));
      CHECK_FALSE(std::isnan(eta[b * nodes + to[e]]));
    }
    CHECK(owners == 1);
  }
}

TEST_CASE("every kind of tagger is drawn with what it has", "[particle][property]") {
  struct Kind {
    std::vector<std::string> set;
    bool bias, attention, arrows;
  };
  for (const Kind& kind : std::vector<Kind>{
           {{"model.pooling=mean"}, false, false, true},
           {{"model.blocks=0", "model.pair_bias=standard"}, false, true, false},
           {{"locality.mask=radius", "locality.radius=0.2", "model.pair_bias=standard"}, true, true, true},
           {{"locality.mask=nearest", "locality.neighbours=3"}, false, true, true},
           {{"inputs.set=directions", "model.weighted_keys=true", "model.pair_bias=smooth"}, true, true, true},
           {{"inputs.set=boost invariant", "model.pair_bias=bare", "split.folds=2", "split.validation=0",
             "training.patience=0", "calibration.method=line"},
            true,
            true,
            true}}) {
    std::vector<std::string> set = kind.set;
    set.emplace_back("ensemble.members=1");
    const Results results = displayed(set);
    CHECK(has_figure(results, "jets"));
    CHECK(has_figure(results, "constituents"));
    CHECK(has_figure(results, "pair_bias") == kind.bias);
    CHECK(results.data.has("ranked_attention") == kind.attention);
    CHECK(results.data.has("look_weight") == kind.arrows);
    CHECK(results.data.has("constituent_quark"));
  }
}

TEST_CASE("events: what is not scored is counted, MeV is asked after, and one origin alone is not compared",
          "[particle]") {
  const support::TemporaryFolder folder;
  const auto write = [&](const std::string& name, double scale, bool with_pile_up) {
    std::string text;
    for (int event = 0; event < 6; ++event) {
      for (int part = 0; part < (with_pile_up ? 2 : 1); ++part) {
        text += "#SUBSTART\n";
        for (int i = 0; i < 4; ++i) {
          const double px = scale * (part == 0 ? 30 + i : 1 + 0.1 * event), pz = scale * (i == 3 ? 900 : 2 * i);
          text += concat(px, " ", scale * i, " ", pz, " ", 1.01 * std::hypot(px, scale * i, pz), "\n");
        }
      }
      text += "0 1e-60 0 1e-60\n#END\n";  // a ghost
    }
    std::ofstream(folder.file(name)) << text;
    return folder.file(name);
  };
  const auto run = [&](const std::string& test) {
    return support::run_of("particle.event",
                           concat("[data]\ntrain = \"", write("train.dat", 1, true), "\"\ntest = \"", test,
                                  "\"\n[training]\nepochs = 1\nmirrors = false\n[ensemble]\nmembers = 1\n"));
  };
  const auto asks_for_mev = [](const Results& results) {
    return std::any_of(results.findings().begin(), results.findings().end(),
                       [](const Finding& finding) { return finding.kind == "perhaps_mev"; });
  };
  const Results mev = run(write("mev.dat", 1e6, true));
  CHECK(asks_for_mev(mev));
  CHECK(mev.data.documents.at("reading").find(
            "36 particles: with |y| of at least data.rapidity = 2.5, or without pT") != std::string::npos);
  const Results one = run(write("one.dat", 1, false));
  CHECK_FALSE(asks_for_mev(one));
  CHECK_FALSE(one.data.has("particle_auc"));
}

}  // namespace fovea::particle::display
