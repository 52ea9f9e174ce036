// Taggers of the Particle Transformer's shape: the outputs of PyTorch, and weights in and out under published names.

#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/part_weights.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::model {

namespace {

using learning::TensorFile;

const std::string kPartWeights = FOVEA_SOURCE_DIR "/tests/golden/particle/part.safetensors";
const std::string kPartJets = FOVEA_SOURCE_DIR "/tests/golden/particle/part_jets.safetensors";

/// The sizes of the golden net.
std::vector<std::string> small_part(const std::vector<std::string>& further = {},
                                    const std::string& bias = "published") {
  std::vector<std::string> set{"model.shape=part",
                               "model.class_blocks=2",
                               "model.pair_bias=" + bias,
                               "model.width=16",
                               "model.heads=4",
                               "model.blocks=2",
                               "model.embedding_hidden=[16, 24]",
                               "model.hidden=64",
                               "model.pair_hidden=[8, 8, 8]"};
  set.insert(set.end(), further.begin(), further.end());
  return set;
}

struct PartNet {
  learning::Parameters<float> parameters;
  std::unique_ptr<Tagger> model;
};

TaggerSettings settings_of(const std::vector<std::string>& set) {
  return tagger_keys().read(support::config_of("particle.toptag", set));
}

PartSizes small_sizes() { return part_sizes(settings_of(small_part())); }

PartNet part_net(const std::vector<std::string>& set) {
  PartNet net;
  study::ModelShape shape;
  shape.inputs = 7, shape.coordinates = 3, shape.outputs = 1;
  net.model = make_tagger(settings_of(set), shape, net.parameters, Random(4));
  return net;
}

template <typename Value>
std::vector<Value> values_of_tensor(const TensorFile& file, const std::string& name) {
  for (const auto& tensor : file.tensors)
    if (tensor.name == name) return std::get<std::vector<Value>>(tensor.values);
  return {};
}

/// The logits of the golden jets.
std::vector<float> logits_of_golden_jets(const PartNet& net) {
  const TensorFile jets = learning::read_safetensors(kPartJets);
  const auto x = values_of_tensor<float>(jets, "x"), places = values_of_tensor<float>(jets, "places");
  learning::Tokens tokens;
  tokens.offsets = {0};
  for (const std::int64_t size : values_of_tensor<std::int64_t>(jets, "sizes"))
    tokens.offsets.push_back(tokens.offsets.back() + size);
  Matrix<float> inputs(tokens.offsets.back(), 7);
  tokens.coordinates.resize(inputs.rows(), 3);
  for (Index i = 0; i < inputs.rows(); ++i) {
    const float *row = &x[7 * i], *place = &places[3 * i];
    inputs.row(i) << row[5], row[6], row[0], row[1], row[2], row[3], row[4];  // directions come first here
    tokens.coordinates.row(i) << place[0], place[1], std::log(static_cast<double>(place[2]));
  }
  learning::Tape<float> tape;
  tape.begin(&net.parameters, {});
  const auto y = net.model->outputs(tape, {tape.input(inputs), &tokens}, nullptr);
  return {y.data(), y.data() + y.size()};
}

std::string message_of_weights(const TensorFile& file) {
  PartNet net = part_net(small_part());
  const std::vector<float> before(net.parameters.values().begin(), net.parameters.values().end());
  const std::string what =
      support::refusal_of<DataError>([&] { load_part_weights(file, "w.safetensors", small_sizes(), net.parameters); });
  if (!what.empty()) CHECK(std::equal(before.begin(), before.end(), net.parameters.values().begin()));
  return what;
}

}  // namespace

TEST_CASE("a Particle Transformer with published names of weights computes what PyTorch computes") {
  PartNet net = part_net(small_part({"model.weights=" + kPartWeights}));
  net.model->look(net.parameters, {}, {});
  const std::vector<float> logits = logits_of_golden_jets(net);
  const auto outputs = values_of_tensor<float>(learning::read_safetensors(kPartJets), "outputs");
  REQUIRE(2 * logits.size() == outputs.size());
  for (std::size_t b = 0; b < logits.size(); ++b)
    CHECK(logits[b] == Approx(outputs[2 * b] - outputs[2 * b + 1]).margin(5e-6).epsilon(0));
}

// The last golden jet has pairs with dR from 0 to 4e-6, which published weights tell apart.
TEST_CASE("a Particle Transformer sees distances below 1e-5 as PyTorch does, and would not with those cut") {
  const auto outputs = values_of_tensor<float>(learning::read_safetensors(kPartJets), "outputs");
  const auto off = [&](const std::string& bias) {
    PartNet net = part_net(small_part({"model.weights=" + kPartWeights}, bias));
    net.model->look(net.parameters, {}, {});
    std::vector<double> differences;
    const std::vector<float> logits = logits_of_golden_jets(net);
    for (std::size_t b = 0; b < logits.size(); ++b)
      differences.push_back(std::abs(logits[b] - (outputs[2 * b] - outputs[2 * b + 1])));
    return differences;
  };
  CHECK(off("published").back() < 5e-6);
  const std::vector<double> cut = off("standard");
  CHECK(cut.back() > 1e-4);   // twenty times what is allowed
  CHECK(cut.front() < 5e-6);  // a jet without near pairs
}

TEST_CASE("weights of a Particle Transformer come back from a file of published names") {
  const PartSizes sizes = small_sizes();
  const PartNet first = part_net(small_part());
  PartNet second = part_net(small_part());
  std::fill(second.parameters.values().begin(), second.parameters.values().end(), 0.25F);
  load_part_weights(part_weights(first.parameters, sizes), "w.safetensors", sizes, second.parameters);
  for (Index i = 0; i < first.parameters.size(); ++i) {
    const std::size_t at = i;
    REQUIRE(second.parameters.values()[at] == Approx(first.parameters.values()[at]).epsilon(3e-7).margin(1e-12));
  }
}

TEST_CASE("a written file has the names and shapes of the published one") {
  const TensorFile golden = learning::read_safetensors(kPartWeights);
  const TensorFile ours = part_weights(part_net(small_part()).parameters, small_sizes());
  const auto shapes = [](const TensorFile& file) {
    std::map<std::string, std::vector<std::int64_t>> found;
    for (const auto& tensor : file.tensors) found[tensor.name] = tensor.shape;
    return found;
  };
  CHECK(shapes(ours) == shapes(golden));
}

TEST_CASE("weights that do not fit are refused with the name of the tensor, and nothing is changed") {
  TensorFile file = learning::read_safetensors(kPartWeights);
  CHECK(message_of_weights(file).empty());
  const auto at = std::find_if(file.tensors.begin(), file.tensors.end(),
                               [](const auto& tensor) { return tensor.name == "mod.blocks.1.fc1.weight"; });
  REQUIRE(at != file.tensors.end());
  TensorFile changed = file;
  changed.tensors.erase(changed.tensors.begin() + (at - file.tensors.begin()));
  CHECK(message_of_weights(changed) ==
        "w.safetensors: has no 'blocks.1.fc1.weight', which a Particle Transformer of this config needs.");
  changed = file;
  changed.tensors[at - file.tensors.begin()].shape = {32, 32};
  CHECK(
      message_of_weights(changed) ==
      "w.safetensors: 'blocks.1.fc1.weight' has the shape 32 x 32, but must have 64 x 16 (or dimensions of 1 beside); "
      "see the sizes in [model].");
  changed = file;
  std::get<std::vector<float>>(changed.tensors[at - file.tensors.begin()].values)[3] = std::nanf("");
  CHECK(message_of_weights(changed) == "w.safetensors: 'blocks.1.fc1.weight' has a value that is not finite.");
  changed = file;
  changed.tensors.push_back({"mod.blocks.2.w_resid", {16}, std::vector<float>(16)});
  CHECK(message_of_weights(changed) ==
        "w.safetensors: 'blocks.2.w_resid' is not of a Particle Transformer of this config; see the sizes in [model].");
}

TEST_CASE("a Particle Transformer of the published sizes has 2.14 million parameters") {
  const PartNet net =
      part_net({"model.shape=part", "model.class_blocks=2", "model.pair_bias=published", "model.width=128",
                "model.heads=8", "model.blocks=8", "model.hidden=512", "model.pair_hidden=[64, 64, 64]"});
  CHECK(net.parameters.size() == 2'140'525);
}

}  // namespace fovea::particle::model
