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
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/moderation/crowd.hpp"
#include "fovea/domains/opinion/moderation/findings.hpp"

namespace fovea::opinion::moderation {

namespace {

struct ModerationSettings : CrowdSettings {
  std::vector<double> shares{0.01, 0.03, 0.1, 0.3, 1};
  std::vector<double> loudness{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 7, 10, 20};
};

const Keys<ModerationSettings>& moderation_keys() {
  using Settings = ModerationSettings;
  static const auto keys =
      Keys<Settings>()
          .key("crowd.honest", &Settings::honest, Range::between(10, 5000), "", "honest agents")
          .key("crowd.components", &Settings::components, Range::between(2, 64), "", "components of an opinion")
          .key("crowd.spread", &Settings::spread, Range::between(0, 10), "opinion",
               "standard deviation of the honest agents about their common opinion (1, 0, ...)")
          .key("crowd.temperature", &Settings::temperature, Range::between(0.01, 100), "opinion^2",
               "T of the score x . y")
          .key("crowd.stubbornness", &Settings::stubbornness, Range::between(0.01, 1), "", "s of the honest")
          .key("attack.angle", &Settings::angle_degrees, Range::between(1, 89), "degrees",
               "angle between the opinions of the attackers and of the honest agents")
          .key("attack.shares", &Settings::shares, Range::between(1e-4, 10), "",
               "attackers for each honest agent, ascending")
          .key("attack.loudness", &Settings::loudness, Range::positive(), "opinion",
               "norms of an attacker's key, ascending")
          .key("defence.clip", &Settings::clip, Range::positive(), "opinion", "clipping: largest norm of a key")
          .key("defence.heat", &Settings::heat, Range::at_least(1), "", "hotter: factor on T");
  return keys;
}

Index attackers_of(double share, Index honest) {
  return static_cast<Index>(std::llround(share * static_cast<double>(honest)));
}

/// One crowd a place, in the order of the dimensions.
void write_attacks(const std::vector<RestingCrowd>& crowds, Results& results) {
  rows({"defence", "share", "loudness"}, crowds)
      .number("captured", &RestingCrowd::captured,
              "share of the honest agents closer to the attackers than to their initial mean")
      .number("shift", &RestingCrowd::shift, "shift of the mean towards the attackers")
      .number("on_attack", &RestingCrowd::on_attack, "attention given to the attackers")
      .number("variance", &RestingCrowd::variance, "variance of the honest agents", "opinion^2")
      .number("largest_weight", &RestingCrowd::largest_weight, "largest attention weight of one key")
      .number("bound", &RestingCrowd::bound, "upper bound of this weight")
      .number("at_rest", &RestingCrowd::at_rest, "1 where the crowd came to rest")
      .write(results);
}

/// The loudness that it takes, at each share of attackers.
void write_thresholds(const ModerationSettings& settings, const Matrix<double>& start, Results& results) {
  struct Threshold {
    double half, half_predicted, half_drawn, capture, capture_predicted, capture_drawn;
  };
  std::vector<Threshold> thresholds;
  for (const double share : settings.shares) {
    const Index attackers = attackers_of(share, settings.honest);
    const auto count = static_cast<double>(attackers);
    thresholds.push_back({measured_half_attention(settings, start, attackers),
                          half_attention_loudness(settings, settings.temperature, count),
                          half_attention_loudness(settings, start, count), measured_capture(settings, start, attackers),
                          capture_loudness(settings, count), capture_loudness(settings, start, count)});
  }
  const std::string half = "loudness that gets half of the attention in the first step",
                    capture = "loudness above which the crowd follows the attackers",
                    drawn = ", predicted for the opinions drawn";
  rows("share", thresholds)
      .number("half_measured", &Threshold::half, half, "opinion")
      .number("half_predicted", &Threshold::half_predicted, half + ", predicted", "opinion")
      .number("half_drawn", &Threshold::half_drawn, half + drawn, "opinion")
      .number("capture_measured", &Threshold::capture, capture, "opinion")
      .number("capture_predicted", &Threshold::capture_predicted, capture + ", predicted", "opinion")
      .number("capture_drawn", &Threshold::capture_drawn, capture + drawn, "opinion")
      .write(results);
}

/// How many attackers it takes at the largest loudness there is, and the crowd without any.
void write_defences(const ModerationSettings& settings, const Matrix<double>& start, Results& results) {
  const double loudness = settings.loudness.back();
  std::vector<RestingCrowd> crowds;
  for (const Defence defence : all_defences()) crowds.push_back(AttackedCrowd(settings, start, 0, 1, defence).rest());
  const auto measured = [&](Defence d) { return measured_capture_number(settings, start, loudness, d); };
  const auto predicted = [&](Defence d) { return capture_number(settings, loudness, d); };
  const auto length = [](const RestingCrowd& crowd) { return crowd.opinions.colwise().mean().norm(); };
  rows("defence", all_defences())
      .number("number_measured", measured, "attackers needed to capture half of the honest agents")
      .number("number_predicted", predicted, "predicted")
      .write(results);
  rows("defence", crowds)
      .number("calm_length", length, "length of the mean opinion", "opinion")
      .number("calm_variance", &RestingCrowd::variance, "variance at rest", "opinion^2")
      .number("calm_steps", &RestingCrowd::steps, "steps until at rest")
      .write(results);
}

class Moderation : public Experiment {
 public:
  std::string_view name() const override { return "opinion.moderation"; }
  std::string_view summary() const override {
    return "loud accounts and bots: how many honest agents they capture, and the effect of clipping, cosine scores and "
           "heat";
  }
  int result_version() const override { return 4; }

  Schema schema() const override {
    Schema schema;
    moderation_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const ModerationSettings settings = moderation_keys().read(config);
    const auto must_ascend = [&](const std::string& key, const std::vector<double>& values) {
      if (values.empty() || !std::is_sorted(values.begin(), values.end(), std::less_equal<>()))
        complaints.add(config.source(key), concat(key, " must ascend and have at least one value."));
    };
    must_ascend("attack.shares", settings.shares);
    must_ascend("attack.loudness", settings.loudness);
    if (!settings.shares.empty() && attackers_of(settings.shares.front(), settings.honest) < 1)
      complaints.add(config.source("attack.shares"), "the first of attack.shares is less than one attacker; raise it.");
  }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    const ModerationSettings settings = moderation_keys().read(config);
    const Matrix<double> start = honest_opinions(settings, random.stream("honest"));
    std::vector<RestingCrowd> crowds;
    double done = 0;
    for (const Defence defence : all_defences())
      for (const double share : settings.shares) {
        for (const double norm : settings.loudness) {
          const Index attackers = attackers_of(share, settings.honest);
          crowds.push_back(AttackedCrowd(settings, start, attackers, norm, defence).rest());
          crowds.back().opinions.resize(0, 0);
        }
        done += 1;
        bench.progress(done / static_cast<double>(all_defences().size() * settings.shares.size() + 1));
      }
    rows("defence", all_defences(), &name_of, "defence").write(results);
    results.coordinate("share", settings.shares, "1", "attackers for each honest agent");
    results.coordinate("loudness", settings.loudness, "opinion", "loudness (norm of an attacker's key)");
    write_attacks(crowds, results);
    write_thresholds(settings, start, results);
    write_defences(settings, start, results);
    results.scalar("honest", static_cast<double>(settings.honest), "1", "honest agents");
    results.scalar("clip", settings.clip, "opinion", "clipping norm");
  }

  void conclude(Results& merged) const override { conclude_moderation(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_moderation() { return std::make_unique<Moderation>(); }

}  // namespace fovea::opinion::moderation
