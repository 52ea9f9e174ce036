/// What is set up once, and formulas of a single pair: what an agent says that hears nobody, and which pair spoilt a
/// sum. The sums are in kernels/.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_hearing.hpp"

namespace fovea::opinion::dynamics {

namespace {

const double* own_number(const std::vector<double>& values, Index i) {
  return values.empty() ? nullptr : values.data() + i;
}

}  // namespace

FormulaHearing::FormulaHearing(const ModelSettings& settings, const Agents& agents, const society::Graph* graph)
    : agents_(agents),
      count_(agents.count()),
      components_(agents.start.cols()),
      on_network_(graph != nullptr),
      normaliser_(formula_normaliser(settings.formula.normaliser)),
      self_weight_(settings.self_weight) {
  for (const auto& [name, value] : settings.formula.parameters)
    if (std::isnan(value)) own_names_.push_back(name);
  require(components_ <= kMostComponents, "formula: opinions have ", components_, " components, but may have at most ",
          kMostComponents, ".");
  if (graph != nullptr) set_network(*graph);
}

void FormulaHearing::set_network(const society::Graph& graph) {
  const bool repels = std::any_of(graph.weights.begin(), graph.weights.end(), [](double weight) { return weight < 0; });
  require(!repels || normaliser_ == FormulaNormaliser::share || normaliser_ == FormulaNormaliser::sum,
          "formula: the network has negative weights, which formula.normaliser = \"",
          normaliser_ == FormulaNormaliser::softmax ? "softmax" : "crowd",
          "\" does not know; take \"share\" or \"sum\".");
  rows_ = speaker_rows(graph, self_weight_);
}

void FormulaHearing::set_formulas(Formula influence, Formula value) {
  influence_ = std::move(influence);
  value_ = std::move(value);
  same_ = influence_->constant();
  if (normaliser_ == FormulaNormaliser::softmax && std::isfinite(same_)) same_ = 1;
}

bool FormulaHearing::reads(std::string_view name) const { return influence_->reads(name) || value_->reads(name); }

bool FormulaHearing::is_spoken() const {
  for (const char* name : {"x_i", "d", "dot", "self", "W", "g", "T", "eps", "s"})
    if (value_->reads(name)) return false;
  return std::none_of(own_names_.begin(), own_names_.end(), [&](const auto& name) { return value_->reads(name); });
}

void FormulaHearing::Pair::compare(const double* x, Index agents, Index components) {
  double squares = 0;
  dot = 0;
  for (Index c = 0; c < components; ++c) {
    const double a = x[c * agents + i], b = x[c * agents + j];
    squares += (a - b) * (a - b);
    dot += a * b;
  }
  distance = components == 1 ? std::abs(x[i] - x[j]) : std::sqrt(squares);
}

double FormulaHearing::of_pair(const Formula& formula, const double* x, double step, Pair pair, Index c,
                               FormulaRoom& room) const {
  pair.compare(x, count_, components_);
  const double self = pair.i == pair.j ? 1 : 0;
  std::vector<const double*> inputs(pair_inputs::kTraits);
  inputs[pair_inputs::kListener] = x + c * count_ + pair.i;
  inputs[pair_inputs::kSpeaker] = x + c * count_ + pair.j;
  inputs[pair_inputs::kDistance] = &pair.distance;
  inputs[pair_inputs::kDot] = &pair.dot;
  inputs[pair_inputs::kSelf] = &self;
  inputs[pair_inputs::kWeight] = &pair.weight;
  inputs[pair_inputs::kReach] = own_number(agents_.reach, pair.j);
  inputs[pair_inputs::kTime] = &step;
  for (const std::vector<double>* own : own_numbers(agents_)) inputs.push_back(own_number(*own, pair.i));
  double result = 0;
  formula.evaluate(inputs, 1, room, &result);
  return result;
}

double FormulaHearing::weight_of(Index entry) const { return rows_.weights.empty() ? 1 : rows_.weights[entry]; }

double FormulaHearing::own_value(const double* x, double step, Index i, Index c, FormulaRoom& room) const {
  const double weight = on_network_ ? weight_of(rows_.offsets[i]) : 1;
  return of_pair(*value_, x, step, {i, i, weight}, c, room);
}

std::string FormulaHearing::explain(std::span<const double> opinions, std::int64_t step, Index i) const {
  FormulaRoom room;
  const std::size_t row = i;
  const Index first = on_network_ ? rows_.offsets[row] : 0, end = on_network_ ? rows_.offsets[row + 1] : count_;
  for (Index k = first; k < end; ++k) {
    const Index j = on_network_ ? static_cast<Index>(rows_.speakers[k]) : k;
    const Pair pair{i, j, on_network_ ? weight_of(k) : 1};
    for (Index c = 0; c < components_; ++c)
      for (const bool influence : {true, false}) {
        const Formula& formula = influence ? *influence_ : *value_;
        const double result = of_pair(formula, opinions.data(), static_cast<double>(step), pair, c, room);
        const bool masked = influence && normaliser_ == FormulaNormaliser::softmax &&
                            result == -std::numeric_limits<double>::infinity();
        if (std::isfinite(result) || masked) continue;
        return concat(influence ? "formula.influence" : "formula.value", " = \"", formula.text(), "\" is ",
                      std::isnan(result) ? "NaN" : plain_text(result), " where agent ", i,
                      " (x_i = ", plain_text(opinions[row]), ") hears ", i == j ? "itself" : concat("agent ", j),
                      " (x_j = ", plain_text(opinions[j]), ")");
      }
  }
  return concat("what agent ", i, " hears by formula.influence = \"", influence_->text(), "\" and formula.value = \"",
                value_->text(), "\" has no finite sum");
}

}  // namespace fovea::opinion::dynamics
