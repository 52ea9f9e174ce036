// How much weight one key can take: the bound, and attacks on it.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// The bound is meant in exact numbers; scores of size 10 are rounded at 1e-15, and weights with them.
constexpr double kBoundRounding = 1e-13;
// Ascent stops within 0.1 % of the largest weight.
constexpr double kAscentShortfall = 1e-3;

constexpr Index kKeys = 20, kKeyDimension = 3;

/// One query, and keys of which an attacker controls the first; its weight is the output.
struct Attack {
  AttentionSpec<double> spec;
  Matrix<double> query, keys, values;

  Attack(std::shared_ptr<const ScoreFunction<double>> score, double log_tau, double query_norm)
      : query(random_matrix(1, kKeyDimension, 31)),
        keys(random_matrix(kKeys, kKeyDimension, 32)),
        values(Matrix<double>::Zero(kKeys, 1)) {
    spec.score = {std::move(score), {}};
    spec.modifiers = {{temperature<double>(), {log_tau}}};
    query *= query_norm / query.norm();
    values(0, 0) = 1;
  }

  void clip_keys(double longest) { spec.modifiers.push_back({key_norm_clipping<double>(), {std::log(longest)}}); }
  double weight() const { return attend(query, keys, values, spec).outputs(0, 0); }

  /// Steps of a fixed, falling length up the gradient of the weight's score.
  double ascend() {
    for (int step = 0; step < 400; ++step) {
      const auto forward = attend(query, keys, values, spec);
      const Matrix<double> gradient =
          attend_backward(query, keys, values, spec, forward, Matrix<double>::Ones(1, 1)).keys.row(0);
      if (gradient.norm() == 0) break;
      keys.row(0) += (0.5 / (1 + 0.1 * step)) * gradient / gradient.norm();
    }
    return weight();
  }

  /// Other keys that leave the attacker the most: as far from the query as they may be.
  void turn_others_away(double norm) {
    for (Index j = 1; j < kKeys; ++j) keys.row(j) = -norm * query / query.norm();
  }
};

double bound_of(const Attack& attack, double key_norm) {
  return largest_weight_bound(attack.spec, kKeyDimension, 0, attack.query.norm(), key_norm, kKeys);
}

/// Random keys of any length for the attacker, and then ascent; among random others and among the worst.
void attack_below(Attack attack, double longest) {
  const double bound = bound_of(attack, longest);
  CHECK(bound > 1.0 / kKeys);
  CHECK(bound < 0.999);
  const Matrix<double> tries = random_matrix(2000, kKeyDimension, 33);
  for (const bool worst : {false, true}) {
    if (worst) attack.turn_others_away(longest);
    double found = 0;
    for (Index t = 0; t < tries.rows(); ++t) {
      attack.keys.row(0) = std::pow(10.0, t % 7 - 1) * tries.row(t);
      found = std::max(found, attack.weight());
    }
    CHECK(found <= bound * (1 + kBoundRounding));
    attack.keys.row(0) =
        0.1 * tries.row(5);  // inside: the gradient of a clipped key leads nowhere but along the sphere
    const double reached = attack.ascend();
    CHECK(reached <= bound * (1 + kBoundRounding));
    CHECK(reached > found * (1 - kAscentShortfall));
    if (worst) CHECK(reached > bound * (1 - kAscentShortfall));
  }
}

/// What attend() scores, less a constant for each query: log weights.
Matrix<double> log_weights(const Packed& p, Index head) {
  const auto forward = attend(p.queries, p.keys, p.values, p.spec);
  std::vector<Index> rows(p.queries.rows());
  std::iota(rows.begin(), rows.end(), Index(0));
  return attention_weights(p.queries, p.keys, p.spec, forward, head, rows).array().log();
}

}  // namespace

TEST_CASE("no key within the clipping norm takes more than the bound, and the best attack comes close",
          "[attention][hijacking]") {
  for (const double log_tau : {0.0, -0.7}) {
    Attack product(dot_product_score<double>(), log_tau, 2);
    product.clip_keys(1.5);
    attack_below(product, 1.5);
    Attack unscaled(dot_product_score<double>(false), log_tau, 0.8);
    unscaled.clip_keys(0.7);
    attack_below(unscaled, 0.7);
  }
}

TEST_CASE("with the cosine no key takes more than the bound, however long it is", "[attention][hijacking]") {
  for (const double log_tau : {0.5, -1.0}) attack_below(Attack(cosine_score<double>(), log_tau, 5), 1);
}

TEST_CASE("the Gaussian's bound holds for queries inside and outside the ball of keys", "[attention][hijacking]") {
  for (const double query_norm : {0.4, 2.0}) {
    Attack attack(gaussian_score<double>(), 0.2, query_norm);
    attack.clip_keys(1.0);
    attack_below(attack, 1.0);
  }
}

TEST_CASE("without clipping, a long key takes nearly all the weight", "[attention][hijacking]") {
  Attack attack(dot_product_score<double>(), 0, 2);
  attack.turn_others_away(1.5);
  attack.keys.row(0) = 100 * attack.query;
  CHECK(attack.weight() > 0.999999);
  CHECK(bound_of(attack, std::numeric_limits<double>::infinity()) == 1);
  attack.clip_keys(1.5);
  CHECK(attack.weight() < bound_of(attack, 1.5) * (1 + kBoundRounding));
  CHECK(bound_of(attack, 1.5) < 0.7);
}

TEST_CASE("the bound: known answers and its limits", "[attention][hijacking][limit]") {
  CHECK(largest_weight_bound(0.0, 5) == 0.2);
  CHECK(largest_weight_bound(3.0, 1) == 1);
  CHECK(largest_weight_bound(std::numeric_limits<double>::infinity(), 1000) == 1);
  CHECK(std::abs(largest_weight_bound(std::log(9.0), 10) - 0.5) < kBoundRounding);
  Attack attack(dot_product_score<double>(false), std::log(2.0), 3);  // R = 2 * 3 * 0.5 / 2
  CHECK(std::abs(bound_of(attack, 0.5) - 1 / (1 + 19 * std::exp(-1.5))) < kBoundRounding);
  attack.spec.normalizer = sparsemax<double>();
  CHECK(bound_of(attack, 0.5) == 1);
  CHECK_THROWS_WITH(bound_of(attack, -1), "largest_weight_bound: key_norm = -1, but must be at least 0.");
  CHECK_THROWS_WITH(largest_weight_bound(1.0, 0), "largest_weight_bound: visible_keys = 0, but must be at least 1.");
}

TEST_CASE("no score function of the table and no modifier lets scores differ by more than it says",
          "[attention][hijacking][property]") {
  const auto worst_excess = [](const Packed& p) {
    double excess = -std::numeric_limits<double>::infinity();
    for (Index head = 0; head < 2; ++head) {
      const Matrix<double> scores = log_weights(p, head);
      double key_norm = 0;
      for (Index j = 0; j < p.keys.rows(); ++j)
        key_norm = std::max(key_norm, p.keys.row(j).segment(3 * head, 3).norm());
      for (Index i = 0; i < p.queries.rows(); ++i) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const double s : scores.row(i))
          if (s > kMasked<double>) {
            least = std::min(least, s);
            most = std::max(most, s);
          }
        TileRange range;
        range.head = head;
        double bound =
            p.spec.score.function->largest_difference(p.queries.row(i).segment(3 * head, 3).norm(), key_norm, 3);
        for (const auto& term : p.spec.modifiers) bound = term.modifier->largest_difference(range, bound, term.theta);
        excess = std::max(excess, most - least - bound);
      }
    }
    return excess;
  };
  for (const auto& score : scores<double>())
    for (const auto& modifier : modifiers<double>()) {
      Packed p = packed_problem({{9, 30}, {4, 8}}, 2, 3, 1, 227);
      set_score(p, score);
      add_modifier(p, modifier);
      INFO(score.name << " with " << modifier.name);
      CHECK(worst_excess(p) < kBoundRounding);
    }
}

TEST_CASE("the report on a call names the largest weight of each head, and it is within the bound",
          "[attention][hijacking][twin]") {
  for (const char* score : {"dot_product", "cosine", "gaussian"})
    for (const char* mask : {"causal", "neighbour_list", "soft_cap"}) {
      Packed p = packed_problem({{60, 70}, {3, 40}, {2, 0}}, 2, 3, 1, 237);
      set_score(p, score_entry(score));
      add_modifier(p, modifier_entry("temperature"));
      add_modifier(p, modifier_entry(mask));
      const auto forward = attend(p.queries, p.keys, p.values, p.spec);
      const auto report = attention_hijacking(p.queries, p.keys, p.spec, forward);
      REQUIRE(report.size() == 2);
      INFO(score << " behind " << mask);
      for (Index head = 0; head < 2; ++head) {
        const auto& found = report[head];
        const Matrix<double> weights = log_weights(p, head).array().exp();
        CHECK(std::abs(found.weight - weights.maxCoeff()) < kBoundRounding);
        CHECK(std::abs(found.weight - weights(found.query, found.key)) < kBoundRounding);
        CHECK(found.weight <= found.bound * (1 + kBoundRounding));
        CHECK(std::abs(found.key_norm - p.keys.middleCols(3 * head, 3).rowwise().norm().maxCoeff()) < kBoundRounding);
      }
    }
}

TEST_CASE("the report uses the clipped keys, an attacker's longer key, and says 1 where nothing is known",
          "[attention][hijacking]") {
  Attack attack(dot_product_score<double>(), 0, 2);
  attack.clip_keys(0.5);
  const auto report = [&](double key_norm) {
    const auto forward = attend(attack.query, attack.keys, attack.values, attack.spec);
    return attention_hijacking(attack.query, attack.keys, attack.spec, forward, key_norm)[0];
  };
  CHECK(std::abs(report(0).key_norm - 0.5) < kBoundRounding);
  CHECK(std::abs(report(0).bound - bound_of(attack, 0.5)) < kBoundRounding);
  CHECK(std::abs(report(3).bound - bound_of(attack, 3)) < kBoundRounding);
  attack.spec.normalizer = sparsemax<double>();
  CHECK(report(0).bound == 1);
  attack.spec.modifiers.push_back({neighbour_list<double>({{0, 0}, {}, {}}), {}});  // nobody sees a key
  CHECK(report(0).bound == 0);
  CHECK(report(0).query == -1);
}
