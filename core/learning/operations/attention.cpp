#include "fovea/core/learning/attention_operation.hpp"

#include <array>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"

namespace fovea::learning {

namespace {

constexpr Index kLargeGradient = Index{1} << 20;  // beyond the caches: fresh memory costs little, two copies much

/// dL/dq, dL/dk and dL/dv on their way to the variables: written where they belong if that is fresh and they fill it
/// together, else written apart and added.
template <typename Real>
class GradientsOfParts {
 public:
  GradientsOfParts(const Columns<Real>& queries, const Columns<Real>& keys, const Columns<Real>& values,
                   AttentionGradients<Real>& apart)
      : parts_{&queries, &keys, &values}, apart_{&apart.queries, &apart.keys, &apart.values} {
    for (std::size_t p = 0; p < 3; ++p) there_[p] = fills(*parts_[p]) && is_fresh(p);
  }

  GradientPlaces<Real> places() { return {place(0), place(1), place(2)}; }

  /// What was written apart. Parts of one variable come one after the other. Gives back the memory of a large one
  /// before the next is added.
  void give() {
    for (std::size_t p = 0; p < 3; ++p) {
      if (there_[p]) continue;
      const Columns<Real>& to = *parts_[p];
      if (to.of.learns()) to.of.gradient_matrix().middleCols(to.first, to.count) += *apart_[p];
      if (apart_[p]->size() > kLargeGradient) *apart_[p] = Matrix<Real>();
    }
  }

 private:
  /// Whether the parts of its variable are disjoint and leave no column out.
  bool fills(const Columns<Real>& part) const {
    Index columns = 0;
    for (std::size_t p = 0; p < 3; ++p) {
      if (!parts_[p]->of.is(part.of)) continue;
      columns += parts_[p]->count;
      for (std::size_t other = 0; other < p; ++other)
        if (parts_[other]->of.is(part.of) && parts_[p]->first < parts_[other]->first + parts_[other]->count &&
            parts_[other]->first < parts_[p]->first + parts_[p]->count)
          return false;
    }
    return columns == part.of.columns();
  }
  bool is_fresh(std::size_t p) const {
    for (std::size_t other = 0; other < p; ++other)
      if (parts_[other]->of.is(parts_[p]->of)) return there_[other];
    return parts_[p]->of.learns() && parts_[p]->of.first_gradient();
  }
  GradientPlace<Real> place(std::size_t p) {
    const Columns<Real>& to = *parts_[p];
    if (!there_[p]) {
      apart_[p]->resize(to.of.rows(), to.count);
      return GradientPlaces<Real>::place(*apart_[p]);
    }
    return {to.of.gradient_memory() + to.first, to.of.rows(), to.count, Eigen::OuterStride<>(to.of.columns())};
  }

  std::array<const Columns<Real>*, 3> parts_;
  std::array<Matrix<Real>*, 3> apart_;
  std::array<bool, 3> there_;
};

template <typename Real>
void give_gradient(const Variable<Real>* theta, const std::vector<Real>& gradient) {
  if (!theta || !theta->learns()) return;
  Real* const sums = theta->gradient();
  for (std::size_t k = 0; k < gradient.size(); ++k) sums[k] += gradient[k];
}

template <typename Real>
void take_theta(const Variable<Real>* theta, std::vector<Real>& into) {
  if (theta) into.assign(theta->data(), theta->data() + theta->size());
}

/// Parameters of pairs are many: the engine reads them where they stand.
template <typename Real>
void take_theta(const Variable<Real>* theta, ModifierTerm<Real>& term) {
  if (!theta) return;
  if (term.modifier && term.modifier->parameters_belong_to_pairs())
    term.given = {theta->data(), static_cast<std::size_t>(theta->size())};
  else
    take_theta(theta, term.theta);
}

/// ... and adds their gradients where these belong.
template <typename Real>
void lend_gradient(const Variable<Real>* theta, ModifierTerm<Real>& term) {
  if (theta && theta->learns() && !term.given.empty())
    term.given_gradient = {theta->gradient(), static_cast<std::size_t>(theta->size())};
}

/// What the closure needs, in the arena: pointers to variables that live on the caller's stack would dangle.
template <typename Real>
struct Learned {
  Variable<Real>* score = nullptr;
  Variable<Real>** modifiers = nullptr;  ///< count of them
  Index count = 0;
};

template <typename Real>
Variable<Real>* in_arena(Tape<Real>& tape, const Variable<Real>* theta) {
  return theta ? new (tape.scratch().template take<Variable<Real>>(1)) Variable<Real>(*theta) : nullptr;
}

template <typename Real>
Learned<Real> keep_theta(Tape<Real>& tape, const AttentionInputs<Real>& inputs) {
  Learned<Real> kept;
  kept.score = in_arena(tape, inputs.score_theta);
  kept.count = static_cast<Index>(inputs.modifier_theta.size());
  kept.modifiers = tape.scratch().template take<Variable<Real>*>(kept.count);
  for (Index m = 0; m < kept.count; ++m) kept.modifiers[m] = in_arena(tape, inputs.modifier_theta[m]);
  return kept;
}

}  // namespace

template <typename Real>
Variable<Real> attention(const AttentionInputs<Real>& inputs, const AttentionSpec<Real>& spec,
                         const AttentionCall<Real>** call) {
  require(inputs.modifier_theta.empty() || inputs.modifier_theta.size() == spec.modifiers.size(),
          "attention: there are ", spec.modifiers.size(), " modifiers, but parameters for ",
          inputs.modifier_theta.size(), "; each needs one, or nullptr.");
  const Columns<Real> queries = inputs.queries, keys = inputs.keys, values = inputs.values;
  Tape<Real>& tape = queries.of.tape();
  auto& mine = tape.template kept<AttentionCall<Real>>();
  mine.spec = spec;
  mine.queries = queries;
  mine.keys = keys;
  take_theta(inputs.score_theta, mine.spec.score.theta);
  std::vector<Variable<Real>> from{queries.of, keys.of, values.of};
  if (inputs.score_theta) from.push_back(*inputs.score_theta);
  for (std::size_t m = 0; m < inputs.modifier_theta.size(); ++m) {
    take_theta(inputs.modifier_theta[m], mine.spec.modifiers[m]);
    if (inputs.modifier_theta[m]) from.push_back(*inputs.modifier_theta[m]);
  }
  attend_into<Real>(mine.result, queries.value(), keys.value(), values.value(), mine.spec);
  if (call) *call = &mine;
  Matrix<Real>& outputs = mine.result.outputs;
  const Variable<Real> y = tape.result_at(outputs.data(), outputs.rows(), outputs.cols(), from);
  const Learned<Real> learned = keep_theta(tape, inputs);
  auto* const kept = &mine;
  tape.on_backward(y, [=] {
    for (Index m = 0; m < learned.count; ++m) lend_gradient(learned.modifiers[m], kept->spec.modifiers[m]);
    static thread_local AttentionGradients<Real> gradients;  // one call after the other
    GradientsOfParts<Real> parts(queries, keys, values, gradients);
    attend_backward_at<Real>(parts.places(), gradients, queries.value(), keys.value(), values.value(), kept->spec,
                             kept->result, y.gradient_matrix());
    parts.give();
    give_gradient(learned.score, gradients.score_theta);
    for (Index m = 0; m < learned.count; ++m) give_gradient(learned.modifiers[m], gradients.modifier_theta[m]);
  });
  return y;
}

/// Two heads in packed sets, the general score with its matrix and a decay with its rates, all learned.
template <typename Real>
Variable<Real> attention_example(std::span<const Variable<Real>> in, const OperationExample& example) {
  AttentionSpec<Real> spec;
  spec.score.function = general_score<Real>();
  spec.modifiers = {{distance_bias<Real>(Sharing::per_head), {}}};
  spec.heads = 2;
  spec.query_offsets = spec.key_offsets = example.offsets;
  const Variable<Real>* const slopes[] = {&in[3]};
  return attention<Real>({{in[0], 0, 6}, {in[0], 6, 6}, in[1], &in[2], slopes}, spec);
}

template <typename Real>
OperationEntry<Real> attention_entry() {
  return {"attention", "sum_j w_ij v_j of the engine", "Vaswani et al. 2017",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 12, 1),
                                             example_matrix<Real>(example.tokens(), 4, 2),
                                             example_matrix<Real>(1, 18, 3), example_matrix<Real>(1, 2, 4)};
          },
          &attention_example<Real>};
}

namespace {

/// Each token of a set with those at an even distance.
std::shared_ptr<const NeighbourLists> even_distances(const std::vector<Index>& offsets) {
  auto lists = std::make_shared<NeighbourLists>();
  lists->offsets.push_back(0);
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b)
    for (Index i = offsets[b]; i < offsets[b + 1]; ++i) {
      for (Index j = offsets[b] + (i - offsets[b]) % 2; j < offsets[b + 1]; j += 2) lists->keys.push_back(j);
      lists->offsets.push_back(static_cast<Index>(lists->keys.size()));
    }
  return lists;
}

}  // namespace

/// Two heads in packed sets with a bias for each pair and for each listed pair, and weights of keys, all learned.
template <typename Real>
Variable<Real> attention_of_pairs_example(std::span<const Variable<Real>> in, const OperationExample& example) {
  AttentionSpec<Real> spec;
  spec.score.function = dot_product_score<Real>();
  spec.modifiers = {{pair_bias<Real>(example.offsets, example.offsets), {}},
                    {listed_bias<Real>(even_distances(example.offsets)), {}},
                    {learned_key_weights<Real>(example.tokens()), {}}};
  spec.heads = 2;
  spec.query_offsets = spec.key_offsets = example.offsets;
  const Variable<Real> weights = reshape(in[3], 1, example.tokens());
  const Variable<Real>* const theta[] = {&in[1], &in[2], &weights};
  return attention<Real>({{in[0], 0, 6}, {in[0], 6, 6}, {in[0], 12, 16}, nullptr, theta}, spec);
}

template <typename Real>
OperationEntry<Real> attention_of_pairs_entry() {
  return {"attention_of_pairs",
          "attention with biases of pairs and weights of keys",
          "Qu, Li, Qian 2022",
          [](const OperationExample& example) {
            Index pairs = 0;
            for (std::size_t b = 0; b + 1 < example.offsets.size(); ++b) {
              const Index size = example.offsets[b + 1] - example.offsets[b];
              pairs += size * size;
            }
            const Index listed = static_cast<Index>(even_distances(example.offsets)->keys.size());
            return std::vector<Matrix<Real>>{
                example_matrix<Real>(example.tokens(), 28, 1), example_matrix<Real>(1, 2 * pairs, 2),
                example_matrix<Real>(1, 2 * listed, 3), example_matrix<Real>(example.tokens(), 1, 4)};
          },
          &attention_of_pairs_example<Real>,
          false};
}

#define FOVEA_ATTENTION(Real)                                                                 \
  template Variable<Real> attention(const AttentionInputs<Real>&, const AttentionSpec<Real>&, \
                                    const AttentionCall<Real>**);
FOVEA_ATTENTION(float)
FOVEA_ATTENTION(double)
FOVEA_OPERATION_ENTRY(attention)
FOVEA_OPERATION_ENTRY(attention_of_pairs)

}  // namespace fovea::learning
