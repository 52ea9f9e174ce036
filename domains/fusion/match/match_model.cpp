#include "fovea/domains/fusion/match/match_model.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/model/model_file.hpp"
#include "fovea/core/learning/normalized_rows.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"

namespace fovea::fusion::match {

namespace {

using learning::Variable;

constexpr double kFirstLogScale = 2.659;  // log(1 / .07), Radford et al. 2021
constexpr std::int64_t kMostMembers = 32;

/// Each cell and its eight neighbours side by side; beyond the patch there are zeros.
Variable<float> with_neighbours(Variable<float> x, Index across) {
  learning::Tape<float>& tape = x.tape();
  const Index rows = x.rows();
  std::array<Variable<float>, 9> parts{x, x, x, x, x, x, x, x, x};
  for (Index k = 0; k < 9; ++k) {
    if (k == 4) continue;
    Index* from = tape.index_room(rows);
    for (Index i = 0; i < rows; ++i) {
      const Index place = i % (across * across), r = place / across + k / 3 - 1, c = place % across + k % 3 - 1;
      from[i] = r < 0 || c < 0 || r >= across || c >= across ? -1 : i - place + r * across + c;
    }
    parts[k] = learning::gather_rows(x, std::span<const Index>(from, rows));
  }
  return learning::join_columns(std::span<const Variable<float>>(parts));
}

void add_standards(const std::string& name, const Standards& standards, Dataset& data) {
  data.dimension(name + "_column", standards.mean.size());
  data.add({name + "_mean", {name + "_column"}, standards.mean, "", "subtracted from the columns of a cell", {}});
  data.add({name + "_deviation", {name + "_column"}, standards.deviation, "", "what they are divided by", {}});
}

Standards read_standards(study::ModelVariables& file, const std::string& name, Index count) {
  const std::vector<std::size_t> shape(1, count);
  Standards standards{file.list<float>(name + "_mean", shape), file.list<float>(name + "_deviation", shape)};
  for (std::size_t c = 0; c < standards.mean.size(); ++c)
    if (!std::isfinite(standards.mean[c]) || !(standards.deviation[c] > 0) || !std::isfinite(standards.deviation[c]))
      file.refuse("/", name, "_mean or /", name, "_deviation is not finite, or not above 0; train the model again.");
  return standards;
}

Index size_in(study::ModelVariables& file, const std::string& name, std::int64_t low, std::int64_t high) {
  const auto number = file.scalar<std::int64_t>(name);
  if (number < low || number > high)
    file.refuse("/", name, " is ", number, ", but must be in ", low, " to ", high, "; train the model again.");
  return number;
}

}  // namespace

const char* name_of(Sensor sensor) { return sensor == Sensor::s1 ? "s1" : "s2"; }

Index MatchPlan::inputs(Sensor sensor) const {
  return 2 * (sensor == Sensor::s1 ? kS1Channels : s2_channels(s2_bands));
}

PatchEncoder::PatchEncoder(learning::Parameters<float>& parameters, const std::string& name, Index inputs,
                           const MatchPlan& plan, const Random& random)
    : plan_(plan),
      in_(parameters, name + ".in", inputs, plan.width, random.stream("in")),
      out_(parameters, name + ".out", plan.width + inputs, plan.numbers, random.stream("out")) {
  for (Index k = 0; k < plan.layers; ++k)
    around_.emplace_back(parameters, concat(name, ".around", k), 9 * plan.width, plan.width,
                         random.stream(concat("around", k)));
}

Variable<float> PatchEncoder::operator()(Variable<float> cells) const {
  Variable<float> h = learning::gelu(in_(cells));
  for (const learning::Linear<float>& layer : around_)
    h = learning::add(h,
                      learning::gelu(layer(with_neighbours(learning::dropout(h, plan_.dropout), kPatch / plan_.cell))));
  const std::array<Variable<float>, 2> both{learning::dropout(h, plan_.dropout), cells};
  const Variable<float> said = out_(learning::join_columns(std::span<const Variable<float>>(both)));
  return learning::normalize_rows(learning::reshape(said, cells.rows() / plan_.cells(), plan_.embedding()));
}

MatchNet::MatchNet(learning::Parameters<float>& parameters, const MatchPlan& plan, const Random& random)
    : s1(parameters, "s1", plan.inputs(Sensor::s1), plan, random.stream("s1")),
      s2(parameters, "s2", plan.inputs(Sensor::s2), plan, random.stream("s2")),
      log_scale(parameters.add("log_scale", Matrix<float>::Constant(1, 1, static_cast<float>(kFirstLogScale)),
                               learning::Decay::no)) {}

Matrix<float> embed(const MatchModel& model, Sensor sensor, const Matrix<float>& channels, Index columns,
                    const std::vector<Index>& patches) {
  const MatchPlan& plan = model.plan;
  const auto count = static_cast<Index>(patches.size());
  std::vector<Index> tokens(patches.size(), plan.cells()), examples(patches.size());
  for (std::size_t k = 0; k < examples.size(); ++k) examples[k] = static_cast<Index>(k);
  Matrix<float> all(count, std::ssize(model.members) * plan.embedding());
  if (patches.empty()) return all;
  const float share = 1 / std::sqrt(static_cast<float>(model.members.size()));
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    learning::Parameters<float> places;
    const MatchNet net(places, plan, Random(0));
    all.middleCols(static_cast<Index>(m) * plan.embedding(), plan.embedding()) =
        share * learning::predict(
                    model.members[m], tokens, examples, [&](learning::Tape<float>& tape, std::span<const Index> some) {
                      Variable<float> cells =
                          tape.constant(static_cast<Index>(some.size()) * plan.cells(), plan.inputs(sensor));
                      Index row = 0;
                      for (const Index k : some) {
                        write_cells(channels, columns, patches[k], 0, plan, model.of(sensor), row, cells.value());
                        row += plan.cells();
                      }
                      return net.of(sensor)(cells);
                    });
  }
  return all;
}

Dataset match_model_dataset(const MatchModel& model, std::string_view experiment, int result_version) {
  Dataset data = fusion::model::new_model(experiment, result_version);
  data.dimension("band", model.plan.s2_bands.size());
  data.add({"band", {"band"}, model.plan.s2_bands, "", "bands of S2", {}});
  const auto size = [&](const char* name, Index value, const char* what) {
    data.add({name, {}, std::vector<std::int64_t>{value}, "1", what, {}});
  };
  size("cell", model.plan.cell, "side of a cell, pixels");
  size("width", model.plan.width, "width of the layers");
  size("layers", model.plan.layers, "layers that see neighbours");
  size("numbers", model.plan.numbers, "numbers that are said of a cell");
  size("members", std::ssize(model.members), "members");
  add_standards("s1", model.s1, data);
  add_standards("s2", model.s2, data);
  for (std::size_t m = 0; m < model.members.size(); ++m)
    learning::add_model(data, concat("member_", m + 1), model.members[m]);
  fusion::model::seal(data);
  return data;
}

MatchModel read_match_model(const std::string& source, const Dataset& data, int result_version) {
  fusion::model::check_model(source, data, "fusion.match", result_version);
  study::ModelVariables file(source, data);
  MatchModel model;
  model.plan.s2_bands = file.names("band", 500);
  model.plan.cell = size_in(file, "cell", 1, kPatch);
  if (model.plan.s2_bands.empty() || kPatch % model.plan.cell != 0)
    file.refuse("has no bands, or cells that do not fill a patch; train the model again.");
  model.plan.width = size_in(file, "width", 1, 512), model.plan.layers = size_in(file, "layers", 0, 8);
  model.plan.numbers = size_in(file, "numbers", 1, 512);
  const Index members = size_in(file, "members", 1, kMostMembers);
  model.s1 = read_standards(file, "s1", model.plan.inputs(Sensor::s1));
  model.s2 = read_standards(file, "s2", model.plan.inputs(Sensor::s2));
  for (Index m = 1; m <= members; ++m) {
    learning::Parameters<float> parameters;
    const MatchNet net(parameters, model.plan, Random(0));
    learning::load_model(data, concat("member_", m), parameters);
    for (const auto& entry : parameters.entries()) file.use(concat("member_", m, ".", entry.name));
    model.members.push_back(std::move(parameters));
  }
  file.refuse_others();
  return model;
}

std::string match_model_text(const MatchModel& model) {
  std::string text = "model of fusion.match: S1 and S2 patches of 16 x 16 pixels in one space\nbands of S2:";
  for (const std::string& band : model.plan.s2_bands) text += " " + band;
  return text + concat("\n", counted(std::ssize(model.members), "member"), ", embeddings of ",
                       std::ssize(model.members) * model.plan.embedding(), " numbers, cells of ", model.plan.cell,
                       " pixels\n");
}

}  // namespace fovea::fusion::match
