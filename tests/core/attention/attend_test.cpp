// What attend() computes, for every entry of the tables: against central differences and against the brute-force twin.

#include "fovea/core/attention.hpp"

#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// Rounding of a few hundred terms of size 1: 1e-16 x 100, times 100 for scores that are divided by a small temperature.
constexpr double kTwinTolerance = 1e-12;
// The same in single precision.
constexpr double kFloatTolerance = 2e-5;

double loss(const Packed& p) {
  const auto result = attend(p.queries, p.keys, p.values, p.spec);
  return (result.outputs.array() * p.output_gradient.array()).sum();
}

double theta_error(std::vector<double>& theta, const std::vector<double>& analytic, const Packed& p) {
  if (theta.size() != analytic.size()) return std::numeric_limits<double>::infinity();
  return gradient_error(theta.data(), static_cast<Index>(theta.size()), analytic.data(), [&] { return loss(p); });
}

void check_gradients(Packed p) {
  const auto forward = attend(p.queries, p.keys, p.values, p.spec);
  const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
  const auto error = [&](Matrix<double>& input, const Matrix<double>& analytic) {
    return gradient_error(input.data(), input.size(), analytic.data(), [&] { return loss(p); });
  };
  CHECK(error(p.queries, gradients.queries) < kGradientTolerance);
  CHECK(error(p.keys, gradients.keys) < kGradientTolerance);
  CHECK(error(p.values, gradients.values) < kGradientTolerance);
  CHECK(theta_error(p.spec.score.theta, gradients.score_theta, p) < kGradientTolerance);
  REQUIRE(gradients.modifier_theta.size() == p.spec.modifiers.size());
  for (std::size_t m = 0; m < p.spec.modifiers.size(); ++m)
    CHECK(theta_error(p.spec.modifiers[m].theta, gradients.modifier_theta[m], p) < kGradientTolerance);
}

void check_twin(const Packed& p) {
  const auto result = attend(p.queries, p.keys, p.values, p.spec);
  const PlainResult plain = plain_attend(p.queries, p.keys, p.values, p.plain);
  CHECK((result.outputs - plain.outputs).cwiseAbs().maxCoeff() < kTwinTolerance);
  std::vector<Index> rows(p.queries.rows());
  std::iota(rows.begin(), rows.end(), Index(0));
  for (Index head = 0; head < p.spec.heads; ++head) {
    const auto weights = attention_weights(p.queries, p.keys, p.spec, result, head, rows);
    CHECK((weights - plain.weights[head]).cwiseAbs().maxCoeff() < kTwinTolerance);
    for (Index i = 0; i < weights.rows(); ++i) {
      const double expected = plain.log_sum_exp(i, head), found = result.log_sum_exp(i, head);
      const bool equal = expected == found || std::abs(expected - found) < kTwinTolerance * (1 + std::abs(expected));
      if (!equal) FAIL_CHECK("log_sum_exp of row " << i << " is " << found << ", expected " << expected);
    }
  }
}

const std::vector<std::pair<Index, Index>> kSmallSets{{5, 4}, {1, 1}, {9, 11}};

}  // namespace

TEST_CASE("every score agrees with central differences behind each mask and a temperature", "[attention][gradient]") {
  for (const auto& entry : scores<double>())
    for (const char* mask : {"causal", "neighbour_list"}) DYNAMIC_SECTION(entry.name << " behind " << mask) {
        Packed p = packed_problem(kSmallSets, 2, 3, 2, 7);
        set_score(p, entry);
        add_modifier(p, modifier_entry("temperature"));
        add_modifier(p, modifier_entry(mask));
        check_gradients(p);
      }
}

TEST_CASE("every modifier agrees with central differences behind each mask, and in front of it",
          "[attention][gradient]") {
  for (const auto& entry : modifiers<double>())
    for (const char* mask : {"causal", "neighbour_list"})
      for (const bool mask_first : {false, true})
        DYNAMIC_SECTION(entry.name << (mask_first ? " after " : " before ") << mask) {
          Packed p = packed_problem(kSmallSets, 2, 3, 2, 17);
          set_score(p, score_entry("dot_product"));
          if (mask_first) add_modifier(p, modifier_entry(mask));
          add_modifier(p, entry);
          if (!mask_first) add_modifier(p, modifier_entry(mask));
          add_modifier(p, modifier_entry("temperature"));  // so that what comes before has a gradient scaled by it
          check_gradients(p);
        }
}

TEST_CASE("gradients agree with central differences across the borders of tiles and blocks", "[attention][gradient]") {
  for (const char* mask : {"time_decay", "neighbour_list"}) DYNAMIC_SECTION(mask) {
      Packed p = packed_problem({{2, 3}, {18, 1030}}, 1, 1, 1, 27);
      set_score(p, score_entry("gaussian"));
      add_modifier(p, modifier_entry(mask));
      add_modifier(p, modifier_entry("temperature"));
      const auto forward = attend(p.queries, p.keys, p.values, p.spec);
      const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
      for (const Index key : {3, 514, 515, 1026, 1027, 1032}) {  // the last and first keys of tiles
        const auto error = [&](Matrix<double>& input, const Matrix<double>& analytic) {
          return gradient_error(&input(key, 0), 1, &analytic(key, 0), [&] { return loss(p); });
        };
        CHECK(error(p.keys, gradients.keys) < kGradientTolerance);
        CHECK(error(p.values, gradients.values) < kGradientTolerance);
      }
      for (std::size_t m = 0; m < 2; ++m)
        CHECK(theta_error(p.spec.modifiers[m].theta, gradients.modifier_theta[m], p) < kGradientTolerance);
    }
}

TEST_CASE("every score and modifier has a brute-force twin and agrees with it", "[attention][twin]") {
  const std::vector<std::vector<std::pair<Index, Index>>> shapes{
      {{1, 1}}, {{7, 1300}}, {{20, 3}, {1, 700}, {0, 2}, {40, 40}, {3, 0}}};
  for (const auto& entry : scores<double>()) DYNAMIC_SECTION("score " << entry.name) {
      REQUIRE(plain_score(entry.name));
      for (const auto& shape : shapes) {
        Packed p = packed_problem(shape, 2, 3, 4, 37);
        set_score(p, entry);
        check_twin(p);
      }
    }
  for (const auto& entry : modifiers<double>()) DYNAMIC_SECTION("modifier " << entry.name) {
      REQUIRE(plain_modifier(entry.name).modify);
      for (const auto& shape : shapes) {
        Packed p = packed_problem(shape, 3, 2, 1, 47);
        set_score(p, score_entry("gaussian"));
        add_modifier(p, entry);
        check_twin(p);
      }
    }
}

TEST_CASE("all modifiers together, in both orders, agree with the twin", "[attention][twin]") {
  for (const bool reversed : {false, true}) {
    Packed p = packed_problem({{60, 60}, {33, 550}}, 1, 1, 1, 57);
    set_score(p, score_entry("gaussian"));
    std::vector<ModifierEntry<double>> entries(modifiers<double>().begin(), modifiers<double>().end());
    if (reversed) std::reverse(entries.begin(), entries.end());
    for (const auto& entry : entries) add_modifier(p, entry);
    check_twin(p);
  }
}

TEST_CASE("a second neighbour list leaves the keys that both lists have", "[attention][twin]") {
  Packed p = packed_problem({{4, 9}}, 1, 2, 2, 67);
  set_score(p, score_entry("dot_product"));
  const NeighbourLists evens{{0, 5, 10, 15, 20}, {0, 2, 4, 6, 8, 0, 2, 4, 6, 8, 0, 2, 4, 6, 8, 0, 2, 4, 6, 8}, {}};
  p.spec.modifiers.push_back({neighbour_list<double>(evens), {}});
  p.plain.modifiers.push_back(
      {[](double s, const PlainPair& pair) { return pair.j % 2 == 0 ? s : kMasked<double>; }, {}});
  add_modifier(p, modifier_entry("neighbour_list"));
  check_twin(p);
}

TEST_CASE("single precision agrees with double, forward and backward", "[attention][twin]") {
  for (std::size_t e = 0; e < scores<double>().size(); ++e)
    for (std::size_t m = 0; m < modifiers<double>().size(); ++m) {
      Packed p = packed_problem({{20, 30}, {5, 600}}, 2, 3, 2, 77);
      set_score(p, scores<double>()[e]);
      add_modifier(p, modifiers<double>()[m]);
      AttentionSpec<float> spec;
      spec.score = {scores<float>()[e].make(p.example), scores<float>()[e].start(p.example)};
      spec.modifiers = {{modifiers<float>()[m].make(p.example), modifiers<float>()[m].start(p.example)}};
      spec.heads = p.spec.heads;
      spec.query_offsets = p.spec.query_offsets;
      spec.key_offsets = p.spec.key_offsets;
      const Matrix<float> queries = p.queries.cast<float>(), keys = p.keys.cast<float>();
      const Matrix<float> values = p.values.cast<float>(), output_gradient = p.output_gradient.cast<float>();
      const auto forward = attend(p.queries, p.keys, p.values, p.spec);
      const auto single = attend(queries, keys, values, spec);
      const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
      const auto single_gradients = attend_backward(queries, keys, values, spec, single, output_gradient);
      const auto error = [](const Matrix<float>& a, const Matrix<double>& b) {
        return (a.cast<double>() - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
      };
      INFO(scores<double>()[e].name << " with " << modifiers<double>()[m].name);
      CHECK(error(single.outputs, forward.outputs) < kFloatTolerance);
      CHECK(error(single_gradients.queries, gradients.queries) < kFloatTolerance);
      CHECK(error(single_gradients.keys, gradients.keys) < kFloatTolerance);
      CHECK(error(single_gradients.values, gradients.values) < kFloatTolerance);
    }
}

TEST_CASE("points in single precision agree with double, near and far from all keys, and a NaN stays in its row",
          "[attention][twin]") {
  const Index queries = 150, keys = 600;
  Matrix<double> q = random_matrix(queries, 3, 1), k = random_matrix(keys, 3, 2);
  const Matrix<double> v = random_matrix(keys, 2, 3);
  for (Index i = 0; i < queries; ++i)  // up to 30 widths away from the keys, in single precision
    q(i, 0) = static_cast<float>(q(i, 0) + (i < 40 ? 0.0 : 0.2 * static_cast<double>(i - 40)));
  k = k.cast<float>().cast<double>();
  q = q.cast<float>().cast<double>();
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  AttentionSpec<float> single;
  single.score = {gaussian_score<float>(), {}};
  const auto exact = attend<double>(q, k, v, spec);
  const auto attend_single = [&](const Matrix<double>& points) {
    return attend<float>(points.cast<float>().eval(), k.cast<float>().eval(), v.cast<float>().eval(), single);
  };
  const auto found = attend_single(q);
  for (Index i = 0; i < queries; ++i) {
    CAPTURE(i);
    const double allowed = kFloatTolerance * (1 - exact.max_score(i, 0));  // a score of that size is rounded
    CHECK((found.outputs.row(i).cast<double>() - exact.outputs.row(i)).cwiseAbs().maxCoeff() < allowed);
    // No score is above what is taken off: the largest one, or 0 where sums are those of exp(s) itself.
    const double top = found.max_score(i, 0), sum = found.sum_exp(i, 0);
    CHECK((top == 0 || std::abs(top - exact.max_score(i, 0)) < allowed));
    CHECK(std::abs(top + std::log(sum) - exact.log_sum_exp(i, 0)) < allowed);
    CHECK(std::abs(found.log_sum_exp(i, 0) - exact.log_sum_exp(i, 0)) < allowed);
  }
  Matrix<double> poisoned = q;
  poisoned(3, 1) = poisoned(140, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto beside = attend_single(poisoned);
  for (Index i = 0; i < queries; ++i) {
    CAPTURE(i);
    if (i == 3 || i == 140)
      CHECK(std::isnan(beside.outputs(i, 0)));
    else
      CHECK(beside.outputs.row(i) == found.outputs.row(i));
  }
}

TEST_CASE("attention between groups is the pooled weight matrix, and its rows sum to 1",
          "[attention][twin][property]") {
  for (const bool with_list : {false, true}) {
    Packed p = packed_problem({{300, 600}, {45, 9}}, 2, 1, 1, 87);
    set_score(p, score_entry("log_distance"));
    if (with_list) add_modifier(p, modifier_entry("neighbour_list"));
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    const PlainResult plain = plain_attend(p.queries, p.keys, p.values, p.plain);
    std::vector<Index> query_group, key_group;
    for (Index i = 0; i < p.queries.rows(); ++i) query_group.push_back((i * i) % 4);  // 0 or 1: groups 2, 3 are empty
    for (Index j = 0; j < p.keys.rows(); ++j) key_group.push_back(j % 5);
    const auto pooled = attention_between_groups(p.queries, p.keys, p.spec, forward, 1, query_group, 4, key_group, 5);
    Matrix<double> expected = Matrix<double>::Zero(4, 5);
    for (Index i = 0; i < p.queries.rows(); ++i)
      for (Index j = 0; j < p.keys.rows(); ++j) expected(query_group[i], key_group[j]) += plain.weights[1](i, j);
    for (Index a = 0; a < 2; ++a)
      expected.row(a) /= static_cast<double>(std::count(query_group.begin(), query_group.end(), a));
    CHECK((pooled - expected).cwiseAbs().maxCoeff() < kTwinTolerance);
    CHECK(pooled.bottomRows(2).cwiseAbs().maxCoeff() == 0);
    if (!with_list) CHECK((pooled.topRows(2).rowwise().sum().array() - 1).abs().maxCoeff() < kTwinTolerance);
  }
}
