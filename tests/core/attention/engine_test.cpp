// The engine's own paths, whatever the modifier: wide and narrow rows, several blocks of keys, heads that share keys.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// As in attend_test.cpp: some hundred terms of size 1, rounded.
constexpr double kEngineTwinTolerance = 1e-12;

double engine_loss(const Packed& p) {
  return (attend(p.queries, p.keys, p.values, p.spec).outputs.array() * p.output_gradient.array()).sum();
}

/// The derivative along a random direction of everything at once, against central differences: one number that every
/// entry of every gradient takes part in.
double error_along_a_line(Packed p) {
  const auto forward = attend(p.queries, p.keys, p.values, p.spec);
  const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
  std::vector<std::pair<double*, Index>> inputs{
      {p.queries.data(), p.queries.size()},
      {p.keys.data(), p.keys.size()},
      {p.values.data(), p.values.size()},
      {p.spec.score.theta.data(), static_cast<Index>(p.spec.score.theta.size())}};
  std::vector<const double*> analytic{gradients.queries.data(), gradients.keys.data(), gradients.values.data(),
                                      gradients.score_theta.data()};
  for (std::size_t m = 0; m < p.spec.modifiers.size(); ++m) {
    inputs.emplace_back(p.spec.modifiers[m].theta.data(), static_cast<Index>(p.spec.modifiers[m].theta.size()));
    analytic.push_back(gradients.modifier_theta[m].data());
  }
  std::vector<Matrix<double>> directions;
  double expected = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    directions.push_back(random_matrix(inputs[k].second, 1, static_cast<unsigned>(100 + k)));
    for (Index i = 0; i < inputs[k].second; ++i) expected += directions[k](i, 0) * analytic[k][i];
  }
  constexpr double kStep = 2e-6;  // the logarithm of a small distance bends sharply
  const auto loss_at = [&](double step) {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      for (Index i = 0; i < inputs[k].second; ++i) inputs[k].first[i] += step * directions[k](i, 0);
    const double loss = engine_loss(p);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      for (Index i = 0; i < inputs[k].second; ++i) inputs[k].first[i] -= step * directions[k](i, 0);
    return loss;
  };
  return std::abs((loss_at(kStep) - loss_at(-kStep)) / (2 * kStep) - expected) / std::max(1.0, std::abs(expected));
}

// Central differences of a sum of a thousand terms: h^2 times third derivatives, and rounding / h.
constexpr double kLineTolerance = 1e-7;

double twin_error(const Packed& p) {
  return (attend(p.queries, p.keys, p.values, p.spec).outputs -
          plain_attend(p.queries, p.keys, p.values, p.plain).outputs)
      .cwiseAbs()
      .maxCoeff();
}

struct Width {
  Index dimension, value_columns;
};
// Narrow and wide rows (the border is 8), whole registers and odd rests, on either side.
const std::vector<Width> kWidths{{1, 1}, {7, 3}, {8, 5}, {9, 8}, {16, 17}, {3, 33}, {40, 2}};

}  // namespace

TEST_CASE("rows of any width agree with the twin, and their gradients with differences along a line",
          "[attention][twin][gradient]") {
  for (const auto& entry : scores<double>())
    for (const Width& width : kWidths)
      DYNAMIC_SECTION(entry.name << ", d " << width.dimension << ", dv " << width.value_columns) {
        Packed p = packed_problem({{17, 40}, {3, 2}, {60, 33}}, 2, width.dimension, width.value_columns, 3);
        p.queries *= 0.7;
        set_score(p, entry);
        add_modifier(p, modifier_entry("temperature"));
        add_modifier(p, modifier_entry("time_decay"));
        CHECK(twin_error(p) < kEngineTwinTolerance);
        CHECK(error_along_a_line(p) < kLineTolerance);
      }
}

TEST_CASE("sets of several blocks and tiles agree with the twin, wide and narrow, dense and behind masks",
          "[attention][twin][gradient]") {
  for (const char* mask : {"temperature", "causal", "window", "neighbour_list"})
    for (const char* score : {"dot_product", "gaussian", "additive"})
      for (const Width& width : {Width{2, 1}, Width{12, 10}})
        DYNAMIC_SECTION(score << " " << mask << " d " << width.dimension) {
          Packed p = packed_problem({{120, 950}, {5, 3}}, 1, width.dimension, width.value_columns, 13);
          set_score(p, score_entry(score));
          add_modifier(p, modifier_entry(mask));
          CHECK(twin_error(p) < kEngineTwinTolerance);
          CHECK(error_along_a_line(p) < kLineTolerance);
        }
}

TEST_CASE("heads that share keys and values do what copies of them would, and add up their gradients",
          "[attention][twin][gradient]") {
  for (const char* score : {"dot_product", "gaussian", "cosine", "general", "additive"})
    for (const char* mask : {"causal", "neighbour_list"}) DYNAMIC_SECTION(score << " " << mask) {
        constexpr Index kHeads = 6, kKeyHeads = 2, kColumns = 9, kValueColumns = 8;
        Packed copied = packed_problem({{30, 500}, {7, 9}}, kHeads, kColumns, kValueColumns, 23);
        set_score(copied, score_entry(score));
        add_modifier(copied, modifier_entry("temperature"));
        add_modifier(copied, modifier_entry(mask));
        Packed shared = copied;
        shared.spec.key_heads = kKeyHeads;
        shared.keys = copied.keys.leftCols(kKeyHeads * kColumns);
        shared.values = copied.values.leftCols(kKeyHeads * kValueColumns);
        for (Index h = 0; h < kHeads; ++h) {
          const Index from = h / (kHeads / kKeyHeads);
          copied.keys.middleCols(h * kColumns, kColumns) = shared.keys.middleCols(from * kColumns, kColumns);
          copied.values.middleCols(h * kValueColumns, kValueColumns) =
              shared.values.middleCols(from * kValueColumns, kValueColumns);
        }
        const auto a = attend(copied.queries, copied.keys, copied.values, copied.spec);
        const auto b = attend(shared.queries, shared.keys, shared.values, shared.spec);
        CHECK(same_bits(a.outputs, b.outputs));
        const auto da =
            attend_backward(copied.queries, copied.keys, copied.values, copied.spec, a, copied.output_gradient);
        const auto db =
            attend_backward(shared.queries, shared.keys, shared.values, shared.spec, b, shared.output_gradient);
        CHECK(same_bits(da.queries, db.queries));
        Matrix<double> keys = Matrix<double>::Zero(shared.keys.rows(), shared.keys.cols());
        Matrix<double> values = Matrix<double>::Zero(shared.values.rows(), shared.values.cols());
        for (Index h = 0; h < kHeads; ++h) {
          const Index to = h / (kHeads / kKeyHeads);
          keys.middleCols(to * kColumns, kColumns) += da.keys.middleCols(h * kColumns, kColumns);
          values.middleCols(to * kValueColumns, kValueColumns) +=
              da.values.middleCols(h * kValueColumns, kValueColumns);
        }
        CHECK((keys - db.keys).cwiseAbs().maxCoeff() < kEngineTwinTolerance);
        CHECK((values - db.values).cwiseAbs().maxCoeff() < kEngineTwinTolerance);
      }
}

TEST_CASE("wide rows keep their bits: 1, 2, 3 and 5 threads, alone and among others",
          "[attention][threads][property]") {
  const int before = omp_get_max_threads();
  for (const char* score : {"dot_product", "gaussian", "general", "additive"}) {
    INFO(score);
    Packed p = packed_problem({{70, 1400}, {3, 5}, {40, 300}}, 2, 17, 9, 33);
    set_score(p, score_entry(score));
    add_modifier(p, modifier_entry("time_decay"));
    omp_set_num_threads(1);
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      const auto again = attend(p.queries, p.keys, p.values, p.spec);
      const auto same = attend_backward(p.queries, p.keys, p.values, p.spec, again, p.output_gradient);
      CHECK(same_bits(again.outputs, forward.outputs));
      CHECK(same_bits(same.queries, gradients.queries));
      CHECK(same_bits(same.keys, gradients.keys));
      CHECK(same_bits(same.values, gradients.values));
      CHECK(same.score_theta == gradients.score_theta);
      CHECK(same.modifier_theta == gradients.modifier_theta);
    }
    p.spec.modifiers.clear();
    const auto all = attend(p.queries, p.keys, p.values, p.spec);
    const auto all_gradients = attend_backward(p.queries, p.keys, p.values, p.spec, all, p.output_gradient);
    AttentionSpec<double> spec = p.spec;
    spec.query_offsets = {0, 1};
    spec.key_offsets = {0, 1400};
    const Matrix<double> keys = p.keys.topRows(1400), values = p.values.topRows(1400);
    for (const Index i : {0, 13, 55, 69}) {
      const Matrix<double> query = p.queries.middleRows(i, 1), output = p.output_gradient.middleRows(i, 1);
      const auto alone = attend(query, keys, values, spec);
      CHECK(same_bits(alone.outputs, Matrix<double>(all.outputs.middleRows(i, 1))));
      CHECK(same_bits(attend_backward(query, keys, values, spec, alone, output).queries,
                      Matrix<double>(all_gradients.queries.middleRows(i, 1))));
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("key heads that do not divide the heads, or rows that do not fit them, are refused", "[attention][errors]") {
  Packed p = packed_problem({{4, 4}}, 6, 2, 2, 43);
  set_score(p, score_entry("dot_product"));
  p.spec.key_heads = 4;
  CHECK_THROWS_WITH(attend(p.queries, p.keys, p.values, p.spec),
                    "attend: key_heads = 4, but must be a divisor of heads = 6; 0 stands for as many.");
  p.spec.key_heads = 2;
  CHECK_THROWS_WITH(
      attend(p.queries, p.keys, p.values, p.spec),
      "attend: queries have 12 columns but keys have 12; a query is compared with a key, so both need the "
      "same for each head: 2.");
}
