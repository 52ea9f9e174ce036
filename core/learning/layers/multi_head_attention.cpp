#include "fovea/core/learning/layers/multi_head_attention.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
AttentionSettings<Real> completed(AttentionSettings<Real> settings) {
  require(settings.width >= 1 && settings.heads >= 1, "multi_head_attention: width ", settings.width, " and ",
          settings.heads, " heads; both must be at least 1.");
  if (settings.key_width == 0) settings.key_width = settings.width;
  if (settings.head_columns == 0) {
    require(settings.width % settings.heads == 0, "multi_head_attention: a width of ", settings.width,
            " cannot be shared by ", settings.heads, " heads; choose a multiple, or head_columns.");
    settings.head_columns = settings.width / settings.heads;
  }
  if (!settings.score) settings.score = dot_product_score<Real>();
  return settings;
}

template <typename Real>
ParameterPlace add_theta(Parameters<Real>& parameters, const std::string& name, const std::vector<Real>& start,
                         bool learned = true) {
  if (start.empty()) return {};
  const Index count = static_cast<Index>(start.size());
  return parameters.add(name, Eigen::Map<const Matrix<Real>>(start.data(), 1, count), Decay::no, learned);
}

/// Where tokens stand for a rotation: their times, or their places in their sets.
template <typename Real>
std::span<const double> positions_of(Tape<Real>& tape, const Tokens& tokens) {
  if (!tokens.times.empty()) return tokens.times;
  double* const places = tape.scratch().template take<double>(tokens.count());
  for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b)
    std::iota(places + tokens.offsets[b], places + tokens.offsets[b + 1], 0.0);
  return std::span(places, tokens.count());
}

template <typename Real>
void check_tokens(const Variable<Real>& x, const Tokens& tokens) {
  require(x.rows() == tokens.count(), "multi_head_attention: there are ", x.rows(), " rows, but ", tokens.count(),
          " tokens.");
}

template <typename Real>
void check_theta(const std::vector<ModifierOfLayer<Real>>& modifiers, std::span<const Variable<Real>> given) {
  const auto wanted = std::count_if(modifiers.begin(), modifiers.end(), [](const auto& m) { return m.from_pass; });
  require(wanted == static_cast<std::ptrdiff_t>(given.size()), "multi_head_attention: ", wanted,
          " modifiers take their theta from the pass, but ", given.size(), " variables were given; each needs one.");
}

}  // namespace

template <typename Real>
MultiHeadAttention<Real>::MultiHeadAttention(Parameters<Real>& parameters, const std::string& name,
                                             const AttentionSettings<Real>& settings, const Random& random)
    : settings_(completed(settings)),
      query_(parameters, name + ".query", settings_.width, settings_.heads * settings_.head_columns, random,
             settings_.bias),
      key_value_(parameters, name + ".key_value", settings_.key_width, 2 * settings_.heads * settings_.head_columns,
                 random, settings_.bias),
      out_(parameters, name + ".out", settings_.heads * settings_.head_columns, settings_.width, random,
           settings_.bias),
      score_theta_(add_theta(parameters, name + ".score", settings_.score_start)) {
  for (const ModifierOfLayer<Real>& modifier : settings_.modifiers)
    modifier_theta_.push_back(add_theta(parameters, name + "." + modifier.name, modifier.start, modifier.learned));
}

template <typename Real>
Variable<Real> MultiHeadAttention<Real>::operator()(Variable<Real> queries, const Tokens& query_tokens,
                                                    Variable<Real> keys, const Tokens& key_tokens,
                                                    std::span<const Variable<Real>> theta_of_pass,
                                                    const AttentionCall<Real>** call) const {
  const Index columns = settings_.heads * settings_.head_columns;
  const Variable<Real> key_value = key_value_(keys);
  return result(heads(query_(queries), {key_value, 0, columns}, {key_value, columns, columns}, query_tokens, key_tokens,
                      theta_of_pass, call));
}

template <typename Real>
std::vector<Variable<Real>> MultiHeadAttention<Real>::projected(Variable<Real> x) const {
  const Variable<Real> key_value = key_value_(x);  // first, as above: the gradients of x are added in this order
  return {query_(x), key_value};
}

template <typename Real>
Variable<Real> MultiHeadAttention<Real>::heads(const Columns<Real>& query, const Columns<Real>& key,
                                               const Columns<Real>& value, const Tokens& query_tokens,
                                               const Tokens& key_tokens, std::span<const Variable<Real>> theta_of_pass,
                                               const AttentionCall<Real>** call) const {
  check_tokens(query.of, query_tokens);
  check_tokens(key.of, key_tokens);
  check_theta(settings_.modifiers, theta_of_pass);
  Tape<Real>& tape = query.of.tape();
  auto& spec = tape.template kept<AttentionSpec<Real>>();
  spec.score.function = settings_.score;
  spec.heads = settings_.heads;
  spec.normalizer = settings_.normalizer;
  spec.query_offsets = query_tokens.offsets;
  spec.key_offsets = key_tokens.offsets;
  spec.modifiers.resize(settings_.modifiers.size());

  std::vector<Variable<Real>> theta;
  std::vector<const Variable<Real>*> modifier_theta(settings_.modifiers.size(), nullptr);
  theta.reserve(settings_.modifiers.size() + 1);
  for (std::size_t m = 0, given = 0; m < settings_.modifiers.size(); ++m) {
    spec.modifiers[m].modifier = settings_.modifiers[m].make(query_tokens, key_tokens);
    spec.modifiers[m].theta.clear();
    if (settings_.modifiers[m].from_pass)
      theta.push_back(theta_of_pass[given++]);
    else if (modifier_theta_[m].size() > 0)
      theta.push_back(tape.parameter(modifier_theta_[m]));
    else
      continue;
    modifier_theta[m] = &theta.back();
  }
  const bool has_score_theta = score_theta_.size() > 0;
  if (has_score_theta) theta.push_back(tape.parameter(score_theta_));

  return attention<Real>({positioned(query, query_tokens), positioned(key, key_tokens), value,
                          has_score_theta ? &theta.back() : nullptr, modifier_theta},
                         spec, call);
}

/// Columns of a product from `first`, turned by their positions where the layer does so.
template <typename Real>
Columns<Real> MultiHeadAttention<Real>::positioned(const Columns<Real>& projected, const Tokens& tokens) const {
  if (settings_.rotary_base <= 0) return projected;
  const auto [of, first, columns] = projected;
  const Variable<Real> part = columns == of.columns() ? of : take_columns(of, first, columns);
  return rotate(part, positions_of(of.tape(), tokens), settings_.heads, settings_.rotary_base);
}

namespace {

/// A decay over the tokens' times, with a rate for each head, and a temperature, behind a causal mask.
template <typename Real>
AttentionSettings<Real> example_attention() {
  AttentionSettings<Real> settings;
  settings.width = 6;
  settings.heads = 2;
  settings.head_columns = 4;
  settings.rotary_base = 100;
  settings.modifiers = {same_for_all<Real>("causal", causal<Real>()),
                        decay_with_time<Real>({Real(-1), Real(0.5)}, {Sharing::per_head}),
                        same_for_all<Real>("temperature", temperature<Real>(), {Real(0.3)})};
  return settings;
}

}  // namespace

template <typename Real>
LayerEntry<Real> multi_head_attention_layer_entry() {
  return {"multi_head_attention", "[head_1 | ... | head_H] O, head_h = attention(x Q_h, x K_h, x V_h)",
          "Vaswani et al. 2017", 6, [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return [layer = MultiHeadAttention<Real>(parameters, "attention", example_attention<Real>(), random)](
                       Variable<Real> x, const Tokens& tokens) { return layer(x, tokens); };
          }};
}

namespace {

/// The tokens of each set as a grid, 3 wide where they fill its rows and in one row else; every fifth is no key.
Tokens on_grids(Tokens tokens) {
  for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b) {
    const Index size = tokens.offsets[b + 1] - tokens.offsets[b];
    tokens.widths.push_back(size % 3 == 0 ? 3 : size);
  }
  for (Index i = 0; i < tokens.count(); ++i) tokens.valid.push_back(i % 5 != 2);
  return tokens;
}

}  // namespace

template <typename Real>
LayerEntry<Real> grid_attention_layer_entry() {
  return {"grid_attention", "attention in windows of a grid with learned biases, some keys left out",
          "Hassani et al. 2023", 6, [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            AttentionSettings<Real> settings;
            settings.width = 6;
            settings.heads = 2;
            settings.modifiers = {window_on_grid<Real>({1}, std::vector<Real>(18, Real(0.1))), valid_tokens<Real>()};
            return [layer = MultiHeadAttention<Real>(parameters, "attention", settings, random)](
                       Variable<Real> x, const Tokens& tokens) { return layer(x, on_grids(tokens)); };
          }};
}

template class MultiHeadAttention<float>;
template class MultiHeadAttention<double>;
FOVEA_LAYER_ENTRY(grid_attention_layer)
FOVEA_LAYER_ENTRY(multi_head_attention_layer)

}  // namespace fovea::learning
