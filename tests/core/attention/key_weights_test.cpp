// Weighted keys, and modifiers that work by keys in small sets.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kSameSum = 1e-14;       // the same terms in another order
constexpr double kWeightedTwin = 1e-12;  // as kTwinTolerance of attend_test
const std::vector<std::pair<Index, Index>> kWeightedSets{{40, 33}, {12, 17}, {9, 1}, {16, 256}, {0, 3}, {70, 70}};

template <typename Real>
AttentionSpec<Real> weighted_spec(const std::vector<Real>& weights) {
  AttentionSpec<Real> spec;
  spec.score.function = dot_product_score<Real>();
  spec.modifiers = {{key_weights<Real>(Eigen::Map<const Vector<Real>>(weights.data(), std::ssize(weights))), {}}};
  return spec;
}

/// Rows of a matrix, some of them several times.
Matrix<double> repeated(const Matrix<double>& rows, const std::vector<double>& times) {
  Matrix<double> all(0, rows.cols());
  for (Index j = 0; j < rows.rows(); ++j)
    for (int k = 0; k < static_cast<int>(times[j]); ++k) {
      all.conservativeResize(all.rows() + 1, Eigen::NoChange);
      all.row(all.rows() - 1) = rows.row(j);
    }
  return all;
}

void check_repeated_keys(Index columns) {
  const std::vector<double> times{3, 1, 0, 2, 1};
  const Matrix<double> queries = random_matrix(20, columns, 1), keys = random_matrix(5, columns, 2),
                       values = random_matrix(5, columns, 3), gradient = random_matrix(20, columns, 4);
  const AttentionSpec<double> weighted = weighted_spec(times);
  AttentionSpec<double> plain;
  plain.score.function = dot_product_score<double>();
  const auto a = attend<double>(queries, keys, values, weighted);
  const auto b = attend<double>(queries, repeated(keys, times), repeated(values, times), plain);
  CHECK((a.outputs - b.outputs).cwiseAbs().maxCoeff() < kSameSum);
  CHECK((a.log_sum_exp - b.log_sum_exp).cwiseAbs().maxCoeff() < kSameSum);
  const auto back = attend_backward<double>(queries, keys, values, weighted, a, gradient);
  const auto twin =
      attend_backward<double>(queries, repeated(keys, times), repeated(values, times), plain, b, gradient);
  CHECK((back.queries - twin.queries).cwiseAbs().maxCoeff() < kSameSum);
  CHECK((back.values.row(0) - twin.values.topRows(3).colwise().sum()).cwiseAbs().maxCoeff() < kSameSum);
  CHECK(back.values.row(2).isZero(0));
  CHECK(back.keys.row(2).isZero(0));
}

template <typename Real>
std::string_view differing_modifier() {
  for (const ModifierEntry<Real>& entry : modifiers<Real>()) {
    Packed p = packed_problem(kWeightedSets, 2, 16, 9, 33);
    AttentionSpec<Real> spec;
    spec.score.function = dot_product_score<Real>();
    spec.heads = 2;
    spec.query_offsets = p.spec.query_offsets;
    spec.key_offsets = p.spec.key_offsets;
    spec.modifiers = {{entry.make(p.example), entry.start(p.example)}};
    if (!spec.modifiers.front().modifier->works_by_keys() || spec.modifiers.front().modifier->neighbours()) continue;
    const Matrix<Real> queries = p.queries.cast<Real>(), keys = p.keys.cast<Real>(), values = p.values.cast<Real>();
    const auto by_keys = attend<Real>(queries, keys, values, spec);
    spec.modifiers.push_back({window<Real>(100000), {}});  // leaves every pair as it is, and works by rows
    const auto by_rows = attend<Real>(queries, keys, values, spec);
    if (!same_bits(by_keys.outputs, by_rows.outputs) || !same_bits(by_keys.log_sum_exp, by_rows.log_sum_exp) ||
        !same_bits(by_keys.max_score, by_rows.max_score) || !same_bits(by_keys.sum_exp, by_rows.sum_exp))
      return entry.name;
  }
  return "";
}

}  // namespace

TEST_CASE("a key of weight 3 is three equal keys, and one of weight 0 is none", "[attention][weights][limit]") {
  check_repeated_keys(16);  // the fast way of small sets
  check_repeated_keys(3);
}

TEST_CASE("weights of keys that are all 0 give outputs, sums and gradients of 0", "[attention][weights][limit]") {
  for (const Index columns : {3, 16}) {
    const Matrix<float> rows = random_matrix(20, columns, 5).cast<float>();
    const AttentionSpec<float> spec = weighted_spec(std::vector<float>(20, 0.0F));
    const auto result = attend<float>(rows, rows, rows, spec);
    CHECK(result.outputs.isZero(0));
    CHECK(result.sum_exp.isZero(0));
    CHECK((result.log_sum_exp.array() == kMasked<float>).all());
    const auto gradients = attend_backward<float>(rows, rows, rows, spec, result, rows);
    CHECK(gradients.queries.isZero(0));
    CHECK(gradients.keys.isZero(0));
    CHECK(gradients.values.isZero(0));
  }
}

TEST_CASE("weights of keys must be finite, not negative, and one for each key", "[attention][weights][error]") {
  CHECK_THROWS_WITH(weighted_spec<double>({1, -2}),
                    "key_weights: weight 1 is -2, but must be finite and at least 0; a key of weight 0 is masked.");
  CHECK_THROWS_WITH(weighted_spec<double>({std::nan("")}), Catch::Matchers::Contains("weight 0 is "));
  const Matrix<double> rows = random_matrix(3, 2, 1);
  CHECK_THROWS_WITH(attend<double>(rows, rows, rows, weighted_spec<double>({1, 1})),
                    "key_weights: there are weights for 2 keys, but attend() got 3; each key needs one.");
}

TEST_CASE("modifiers that work by keys give small sets the bits of the walk", "[attention][weights][small][property]") {
  CHECK(differing_modifier<float>() == "");
  CHECK(differing_modifier<double>() == "");
}

TEST_CASE("modifiers that work by keys agree with the plain twin in small sets, one and two at a time",
          "[attention][weights][small][twin]") {
  Index met = 0;
  for (const ModifierEntry<double>& first : modifiers<double>())
    for (const std::string_view second : {"", "pair_bias", "key_weights", "neighbour_list"}) {
      Packed p = packed_problem(kWeightedSets, 2, 16, 9, 35);
      set_score(p, score_entry("dot_product"));
      add_modifier(p, first);
      if (!p.spec.modifiers.front().modifier->works_by_keys()) continue;
      if (!second.empty()) add_modifier(p, modifier_entry(second));
      INFO(first.name << " " << second);
      const auto result = attend(p.queries, p.keys, p.values, p.spec);
      const PlainResult plain = plain_attend(p.queries, p.keys, p.values, p.plain);
      CHECK((result.outputs - plain.outputs).cwiseAbs().maxCoeff() < kWeightedTwin);
      ++met;
    }
  CHECK(met >= 4 * 7);
}

TEST_CASE("parameters of pairs that stand elsewhere are read there, and their gradients are added there",
          "[attention][weights]") {
  for (const char* name : {"pair_bias", "listed_bias"}) {
    Packed p = packed_problem({{9, 8}, {5, 12}}, 2, 4, 3, 37);
    set_score(p, score_entry("dot_product"));
    add_modifier(p, modifier_entry(name));
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    const auto own = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
    std::vector<double> theta = std::move(p.spec.modifiers[0].theta), sums(theta.size(), 2.0);
    p.spec.modifiers[0].theta.clear();
    p.spec.modifiers[0].given = theta;
    p.spec.modifiers[0].given_gradient = sums;
    const auto again = attend(p.queries, p.keys, p.values, p.spec);
    CHECK(same_bits(again.outputs, forward.outputs));
    const auto added = attend_backward(p.queries, p.keys, p.values, p.spec, again, p.output_gradient);
    CHECK(same_bits(added.keys, own.keys));
    CHECK(added.modifier_theta[0].empty());
    double worst = 0;
    for (std::size_t k = 0; k < sums.size(); ++k)
      worst = std::max(worst, std::abs(sums[k] - 2 - own.modifier_theta[0][k]));
    CHECK(worst < kSameSum);
    sums.pop_back();
    p.spec.modifiers[0].given_gradient = sums;
    CHECK_THROWS_WITH(attend(p.queries, p.keys, p.values, p.spec), Catch::Matchers::Contains("room for the gradients"));
  }
}
