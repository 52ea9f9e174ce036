/// The experiment "opinion.moderation": what loud accounts and bots do to a crowd, and what moderation does against it.
///
/// One point writes, over ("defence", "share", "loudness"): captured, shift, on_attack, variance, largest_weight, bound
/// (moderation_crowd.hpp); over "share": half_measured, half_predicted, half_drawn, capture_measured,
/// capture_predicted, the loudnesses at which an undefended crowd listens to the attackers, and follows them; over
/// "defence": number_measured, number_predicted, the attackers it takes at the largest loudness; and without an attack:
/// calm_length (of the mean opinion), calm_variance, calm_steps.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/moderation/crowd.hpp"
#include "fovea/domains/opinion/moderation/outcome.hpp"

namespace fovea::opinion::moderation {

namespace {

CrowdSettings crowd_settings(const Config& config) {
  CrowdSettings settings;
  settings.honest = config.integer("crowd.honest");
  settings.components = config.integer("crowd.components");
  settings.spread = config.real("crowd.spread");
  settings.temperature = config.real("crowd.temperature");
  settings.stubbornness = config.real("crowd.stubbornness");
  settings.angle_degrees = config.real("attack.angle");
  settings.clip = config.real("defence.clip");
  settings.heat = config.real("defence.heat");
  return settings;
}

Index attackers_of(double share, Index honest) {
  return static_cast<Index>(std::llround(share * static_cast<double>(honest)));
}

/// Everything over ("defence", "share", "loudness"), one value a place.
struct AttackTable {
  std::vector<double> captured, shift, on_attack, variance, largest_weight, bound, at_rest;

  void add(const RestingCrowd& crowd) {
    captured.push_back(crowd.captured);
    shift.push_back(crowd.shift);
    on_attack.push_back(crowd.on_attack);
    variance.push_back(crowd.variance);
    largest_weight.push_back(crowd.largest_weight);
    bound.push_back(crowd.bound);
    at_rest.push_back(crowd.at_rest ? 1 : 0);
  }

  void write(Results& results) const {
    const std::vector<std::string> places{"defence", "share", "loudness"};
    results.add("captured", places, captured, "1",
                "share of the honest agents closer to the attackers than to their initial mean");
    results.add("shift", places, shift, "1", "shift of the mean towards the attackers");
    results.add("on_attack", places, on_attack, "1", "attention given to the attackers");
    results.add("variance", places, variance, "opinion^2", "variance of the honest agents");
    results.add("largest_weight", places, largest_weight, "1", "largest attention weight of one key");
    results.add("bound", places, bound, "1", "upper bound of this weight");
    results.add("at_rest", places, at_rest, "1", "1 where the crowd came to rest");
  }
};

void write_calm(const CrowdSettings& settings, const Matrix<double>& start, Results& results) {
  std::vector<double> length, spread, steps;
  for (const Defence defence : all_defences()) {
    const RestingCrowd crowd = AttackedCrowd(settings, start, 0, 1, defence).rest();
    length.push_back(crowd.opinions.colwise().mean().norm());
    spread.push_back(crowd.variance);
    steps.push_back(static_cast<double>(crowd.steps));
  }
  results.add("calm_length", {"defence"}, length, "opinion", "length of the mean opinion");
  results.add("calm_variance", {"defence"}, spread, "opinion^2", "variance at rest");
  results.add("calm_steps", {"defence"}, steps, "1", "steps until at rest");
}

void write_thresholds(const CrowdSettings& settings, const Matrix<double>& start, const std::vector<double>& shares,
                      Results& results) {
  std::vector<double> half, half_predicted, half_drawn, capture, capture_predicted, capture_drawn;
  for (const double share : shares) {
    const Index attackers = attackers_of(share, settings.honest);
    const auto count = static_cast<double>(attackers);
    half.push_back(measured_half_attention(settings, start, attackers));
    half_predicted.push_back(half_attention_loudness(settings, settings.temperature, count));
    half_drawn.push_back(half_attention_loudness(settings, start, count));
    capture.push_back(measured_capture(settings, start, attackers));
    capture_predicted.push_back(capture_loudness(settings, count));
    capture_drawn.push_back(capture_loudness(settings, start, count));
  }
  results.add("half_measured", {"share"}, half, "opinion",
              "loudness that gets half of the attention in the first step");
  results.add("half_predicted", {"share"}, half_predicted, "opinion",
              "loudness that gets half of the attention in the first step, predicted");
  results.add("half_drawn", {"share"}, half_drawn, "opinion",
              "loudness that gets half of the attention in the first step, predicted for the opinions drawn");
  results.add("capture_measured", {"share"}, capture, "opinion",
              "loudness above which the crowd follows the attackers");
  results.add("capture_predicted", {"share"}, capture_predicted, "opinion",
              "loudness above which the crowd follows the attackers, predicted");
  results.add("capture_drawn", {"share"}, capture_drawn, "opinion",
              "loudness above which the crowd follows the attackers, predicted for the opinions drawn");
}

/// How many attackers it takes, at the largest loudness there is.
void write_numbers(const CrowdSettings& settings, const Matrix<double>& start, double loudness, Results& results) {
  std::vector<double> measured, predicted;
  for (const Defence defence : all_defences()) {
    measured.push_back(static_cast<double>(measured_capture_number(settings, start, loudness, defence)));
    predicted.push_back(capture_number(settings, loudness, defence));
  }
  results.add("number_measured", {"defence"}, measured, "1", "attackers needed to capture half of the honest agents");
  results.add("number_predicted", {"defence"}, predicted, "1", "predicted");
}

class Moderation : public Experiment {
 public:
  std::string_view name() const override { return "opinion.moderation"; }
  std::string_view summary() const override {
    return "loud accounts and bots: how many honest agents they capture, and the effect of clipping, cosine scores and "
           "heat";
  }
  int result_version() const override { return 3; }

  Schema schema() const override {
    Schema schema;
    schema.integer("crowd.honest", 300, Range::between(10, 5000), "", "honest agents");
    schema.integer("crowd.components", 2, Range::between(2, 64), "", "components of an opinion");
    schema.real("crowd.spread", 0.3, Range::between(0, 10), "opinion",
                "standard deviation of the honest agents about their common opinion (1, 0, ...)");
    schema.real("crowd.temperature", 0.25, Range::between(0.01, 100), "opinion^2", "T of the score x . y");
    schema.real("crowd.stubbornness", 0.2, Range::between(0.01, 1), "", "s of the honest");
    schema.real("attack.angle", 60, Range::between(1, 89), "degrees",
                "angle between the opinions of the attackers and of the honest agents");
    schema.reals("attack.shares", {0.01, 0.03, 0.1, 0.3, 1}, Range::between(1e-4, 10), "",
                 "attackers for each honest agent, ascending");
    schema.reals("attack.loudness", {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 7, 10, 20}, Range::positive(), "opinion",
                 "norms of an attacker's key, ascending");
    schema.real("defence.clip", 1.5, Range::positive(), "opinion", "clipping: largest norm of a key");
    schema.real("defence.heat", 4, Range::at_least(1), "", "hotter: factor on T");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    for (const std::string key : {"attack.shares", "attack.loudness"}) {
      const std::vector<double>& values = config.reals(key);
      if (values.empty() || !std::is_sorted(values.begin(), values.end(), std::less_equal<>()))
        complaints.add(config.source(key), concat(key, " must ascend and have at least one value."));
    }
    const std::vector<double>& shares = config.reals("attack.shares");
    if (!shares.empty() && attackers_of(shares.front(), config.integer("crowd.honest")) < 1)
      complaints.add(config.source("attack.shares"), "the first of attack.shares is less than one attacker; raise it.");
  }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    const CrowdSettings settings = crowd_settings(config);
    const std::vector<double>&shares = config.reals("attack.shares"), &loudness = config.reals("attack.loudness");
    const Matrix<double> start = honest_opinions(settings, random.stream("honest"));
    AttackTable table;
    double done = 0;
    for (const Defence defence : all_defences())
      for (const double share : shares) {
        for (const double norm : loudness)
          table.add(AttackedCrowd(settings, start, attackers_of(share, settings.honest), norm, defence).rest());
        done += 1;
        bench.progress(done / static_cast<double>(all_defences().size() * shares.size() + 1));
      }
    std::vector<std::string> names;
    for (const Defence defence : all_defences()) names.push_back(name_of(defence));
    results.coordinate("defence", names, "", "defence");
    results.coordinate("share", shares, "1", "attackers for each honest agent");
    results.coordinate("loudness", loudness, "opinion", "loudness (norm of an attacker's key)");
    table.write(results);
    write_thresholds(settings, start, shares, results);
    write_numbers(settings, start, loudness.back(), results);
    write_calm(settings, start, results);
    results.scalar("honest", static_cast<double>(settings.honest), "1", "honest agents");
    results.scalar("clip", settings.clip, "opinion", "clipping norm");
  }

  void conclude(Results& merged) const override { conclude_moderation(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_moderation() { return std::make_unique<Moderation>(); }

}  // namespace fovea::opinion::moderation
