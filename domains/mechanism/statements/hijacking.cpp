/// The experiment "mechanism.hijacking": one key of large norm takes all the attention; clipping and cosine prevent it.
///
/// Honest queries and keys are standard normal; the queries share a direction u, and the attacker's key is norm * u.
/// One point writes, over defence (none, clipping, cosine) and key_norm: attack_success, the attacker's weight averaged
/// over the queries; largest_weight, that of any key and query; bound, which it can never exceed
/// (core/attention/hijacking.hpp); and honest_weight, the largest weight without an attack. And the scalars
/// tightest_weight and tightest_bound of a crowd built so that the bound is reached.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/hijacking.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/mechanism/statement.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::vector<std::string> kDefences{"none", "clipping", "cosine"};

AttentionSpec<double> defended(const std::string& defence, double clip, double cosine_temperature) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(), {}};
  if (defence == "clipping") spec.modifiers = {{key_norm_clipping<double>(), {logarithm(clip)}}};
  if (defence == "cosine") {
    spec.score = {cosine_score<double>(), {}};
    spec.modifiers = {{temperature<double>(), {logarithm(cosine_temperature)}}};
  }
  return spec;
}

struct Attack {
  double success = 0, largest = 0, bound = 0;
};

/// The last key is the attacker's; its value is 1 and that of the others 0, so an output is its weight.
Attack attacked(const Matrix<double>& queries, const Matrix<double>& keys, const AttentionSpec<double>& spec) {
  Matrix<double> values = Matrix<double>::Zero(keys.rows(), 1);
  values(keys.rows() - 1, 0) = 1;
  const auto forward = attend<double>(queries, keys, values, spec);
  const HeadHijacking<double> head = attention_hijacking<double>(queries, keys, spec, forward)[0];
  return {forward.outputs.mean(), head.weight, head.bound};
}

/// The worst that there is: one key along the query, all others against it, all as long as they may be.
Attack tightest(Index keys, double norm) {
  Matrix<double> query(1, 2), crowd = Matrix<double>::Zero(keys, 2);
  query << 1.5, 0.0;
  crowd.col(0).setConstant(-norm);
  crowd(keys - 1, 0) = norm;
  return attacked(query, crowd, defended("none", 1, 1));
}

void add_figures_of_hijacking(Results& merged) {
  show(merged,
       {.variables = {"attack_success"},
        .references = {"bound"},
        .x = "key_norm",
        .hue = "defence",
        .log_x = true,
        .marks = {"clip"}},
       "Attack success against the norm of one key",
       "Share of all attention on the attacker's key. Dashed: the engine's bound on the weight of any key. "
       "Without a defence the bound tends to 1 as the norm grows; clipping and cosine keep it below 1.");
  show(merged,
       {.variables = {"largest_weight"},
        .references = {"bound"},
        .x = "key_norm",
        .hue = "defence",
        .log_x = true,
        .log_y = true,
        .marks = {"clip"}},
       "The largest weight over all queries", "Largest weight of any key and query, and its bound (dashed).");
}

struct AttackSettings {
  Index queries = 64, keys = 128, dimension = 16;
  double shared = 4.0;
  std::vector<double> key_norms{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  double clip = 1.0, cosine_temperature = 0.5;
};

const Keys<AttackSettings>& attack_keys() {
  using S = AttackSettings;
  static const auto keys =
      Keys<S>()
          .key(kQueries, &S::queries)
          .key(kKeys, &S::keys, "number of keys, including the attacker's")
          .key(kDimension, &S::dimension, "d: dimension of queries and keys")
          .key("shared", &S::shared, Range::between(0, 100), "",
               "norm of the component that all queries share; the rest is standard normal in each entry")
          .key("key_norms", &S::key_norms, Range::between(1e-6, 1e6), "",
               "norms of the attacker's key, ascending; that of other keys is about sqrt(d)")
          .key("clip", &S::clip, Range::between(1e-6, 1e6), "", "clipping: largest norm of a key")
          .key("cosine_temperature", &S::cosine_temperature, Range::between(1e-3, 1e3), "",
               "cosine: temperature of the softmax");
  return keys;
}

class Hijacking final : public Statement<AttackSettings, attack_keys> {
 public:
  std::string_view name() const override { return "mechanism.hijacking"; }
  std::string_view summary() const override {
    return "one key of large norm takes all the attention; clipping and cosine prevent it";
  }
  int result_version() const override { return 2; }

  void check_settings(const AttackSettings& settings, const Complain& complain) const override {
    const std::vector<double>& norms = settings.key_norms;
    if (norms.empty() || !std::is_sorted(norms.begin(), norms.end(), std::less_equal<>()))
      complain("key_norms", "key_norms must have at least one value, ascending; the last is the attack.");
    else if (norms.back() < 4 * settings.clip)
      complain("key_norms",
               "the last of key_norms must be at least 4 times clip, so that the attacker's key is clipped.");
  }

  void measure(const AttackSettings& settings, const Random& random, Results& results, Workbench&) const override {
    const Index count = settings.keys, dimension = settings.dimension;
    const double clip = settings.clip, cosine_temperature = settings.cosine_temperature;
    Vector<double> shared = normal_matrix(dimension, 1, random.stream("direction"));
    shared /= shared.norm();
    Matrix<double> queries = normal_matrix(settings.queries, dimension, random.stream("queries"));
    queries.rowwise() += settings.shared * shared.transpose();
    Matrix<double> keys = normal_matrix(count, dimension, random.stream("keys"));
    std::vector<Attack> attacks;
    std::vector<double> honest, at_last;
    for (const std::string& defence : kDefences) {
      const AttentionSpec<double> spec = defended(defence, clip, cosine_temperature);
      honest.push_back(attacked(queries, keys.topRows(count - 1), spec).largest);
      for (const double norm : settings.key_norms) {
        keys.row(count - 1) = norm * shared.transpose();
        attacks.push_back(attacked(queries, keys, spec));
      }
      at_last.push_back(attacks.back().success);
    }
    const Attack worst = tightest(count, clip);
    results.coordinate("defence", kDefences, "", "defence");
    results.coordinate("key_norm", settings.key_norms, "1", "norm of the attacker's key");
    rows({"defence", "key_norm"}, attacks)
        .number("attack_success", &Attack::success, "share of the attention on the attacker's key")
        .number("largest_weight", &Attack::largest, "largest weight of a key")
        .number("bound", &Attack::bound, "bound")
        .write(results);
    results.add("honest_weight", {"defence"}, honest, "1", "largest weight without an attack");
    for (std::size_t d = 0; d < kDefences.size(); ++d)
      results.scalar("success_" + kDefences[d], at_last[d], "1", "attack success at the largest norm, " + kDefences[d]);
    results.scalar("clip", clip, "1", "clipping norm");
    results.scalar("tightest_weight", worst.largest, "1", "weight in the worst case");
    results.scalar("tightest_bound", worst.bound, "1", "bound of the weight in the worst case");
  }

  void conclude(Results& merged) const override {
    const std::vector<double> largest = view(merged.data, "largest_weight").values();
    const std::vector<double> bound = view(merged.data, "bound").values();
    double excess = -1;
    for (std::size_t k = 0; k < largest.size(); ++k) excess = std::max(excess, largest[k] - bound[k]);
    const double moved = change_behind_defences(merged);
    const std::vector<double> success =
        view(merged.data, "attack_success").at({{"key_norm", kLast}}).means({"defence"});
    const double undefended = success[0], clipped = success[1], cosine = success[2];
    merged.check({"undefended", "attack success without a defence at the largest norm",
                  "Kim, Papamakarios and Mnih 2021 (dot products are not Lipschitz)", 1.0, undefended,
                  absolute(kNearly)});
    // the bound holds in exact numbers; rounding may add a few last places
    merged.check({"bound", "by how much a weight exceeds its bound, all norms, defences and seeds",
                  "derived in core/attention/hijacking.hpp", 0.0, std::max(0.0, excess), absolute(1e-12)});
    const double tightest_bound = view(merged.data, "tightest_bound").first();
    merged.check({"bound_is_reached", "weight in the worst case, against its bound",
                  "derived in core/attention/hijacking.hpp", tightest_bound,
                  view(merged.data, "tightest_weight").mean().mean, relative(1e-12)});
    merged.check({"stopped", "change of the attack success above the clipping norm, with clipping and cosine",
                  "Henry et al. 2020 (keys of one norm)", 0.0, moved, absolute(1e-9)});
    add_headlines(merged);
    add_figures_of_hijacking(merged);
    give_verdict(merged, "One key of large norm takes all the attention, and clipping or cosine prevent it",
                 concat(plain_text(kNearly, 1), ": it takes ", plain_text(100 * undefended, 4),
                        " % without a defence, ", plain_text(100 * clipped, 2), " % with clipping, ",
                        plain_text(100 * cosine, 2), " % with cosine; no weight exceeds its bound"));
  }

 private:
  static constexpr double kNearly = 0.01;  ///< what the other keys may keep of the attention

  /// The largest change that a longer key brings: clipped from the clipping norm on, with cosine everywhere.
  static double change_behind_defences(const Results& merged) {
    const std::vector<double> norm = view(merged.data, "key_norm").values();
    const double clip = view(merged.data, "clip").first();
    const View success = view(merged.data, "attack_success");
    double change = 0;
    for (const std::vector<double>& clipped : success.at({{"defence", 1}}).series("key_norm"))
      for (std::size_t k = 0; k < norm.size(); ++k)
        if (norm[k] >= clip) change = std::max(change, std::abs(clipped[k] - clipped.back()));
    for (const std::vector<double>& cosine : success.at({{"defence", 2}}).series("key_norm"))
      for (const double value : cosine) change = std::max(change, std::abs(value - cosine.back()));
    return change;
  }

  static void add_headlines(Results& merged) {
    const std::vector<double> bound = view(merged.data, "bound").at({{"key_norm", kLast}}).means({"defence"});
    const std::vector<std::string> labels{"Attack success without a defence", "Attack success with clipping",
                                          "Attack success with cosine"};
    for (std::size_t d = 0; d < kDefences.size(); ++d)
      merged.headline({.variable = "success_" + kDefences[d],
                       .label = labels[d],
                       .meaning = concat("At the largest norm. The bound of a weight is ", plain_text(bound[d]), ".")});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_hijacking() { return std::make_unique<Hijacking>(); }

}  // namespace fovea::mechanism::statements
