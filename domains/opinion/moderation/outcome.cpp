
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/domains/opinion/moderation/crowd.hpp"
#include "fovea/domains/opinion/moderation/findings.hpp"

namespace fovea::opinion::moderation {

namespace {

constexpr double kHalfWithin = 0.05;       // the sum of exponentials of few agents varies from its mean
constexpr double kCaptureWithin = 0.10;    // the prediction leaves out the spread that the crowd keeps
constexpr double kNumberWithin = 0.25;     // a number is the exponential of a score: 1 % of 1 / T = 4 is 4 % of it
constexpr double kWeightRounding = 1e-12;  // the bound holds in exact numbers
constexpr double kUnmoved = 1e-9;          // behind clipping and cosine a louder key is the same key
const std::string kModerationSource = "domains/opinion/moderation.md";

/// The largest relative deviation of the means of `which`_measured from those of a prediction, over the places.
double worst_deviation(const Results& merged, const std::string& which, const std::string& prediction,
                       const std::string& over, bool (*counts)(std::size_t)) {
  const std::vector<double> measured = view(merged.data, which + "_measured").means({over});
  const std::vector<double> predicted = view(merged.data, prediction).means({over});
  double worst = 0;
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const double deviation = std::abs(measured[k] / predicted[k] - 1);
    if (counts(k) && !(deviation <= worst)) worst = deviation;  // NaN, where one of them is infinite, stays
  }
  return worst;
}

/// Behind these an attacker's loudness is not heard.
bool is_deaf(std::size_t defence) {
  return all_defences()[defence] == Defence::clipping || all_defences()[defence] == Defence::cosine;
}

/// The largest change of the shift with the loudness: behind cosine, and behind clipping from the clipping norm on.
double largest_move(const Results& merged) {
  const std::vector<double> norm = view(merged.data, "loudness").values();
  const double clip = view(merged.data, "clip").first();
  const std::vector<View> shift = view(merged.data, "shift").along("defence");
  double moved = 0;
  for (std::size_t d = 0; d < shift.size(); ++d) {
    if (!is_deaf(d)) continue;
    for (const std::vector<double>& by_loudness : shift[d].series("loudness"))
      for (std::size_t k = 0; k < norm.size(); ++k)
        if (all_defences()[d] == Defence::cosine || norm[k] >= clip)
          moved = std::max(moved, std::abs(by_loudness[k] - by_loudness.back()));
  }
  return moved;
}

void add_checks(Results& merged) {
  const std::vector<double> largest = view(merged.data, "largest_weight").values();
  const std::vector<double> bound = view(merged.data, "bound").values();
  double excess = 0;
  for (std::size_t k = 0; k < largest.size(); ++k) excess = std::max(excess, largest[k] - bound[k]);
  const auto every = [](std::size_t) { return true; };
  merged.check({"bound", "largest excess of a weight over its bound, over all attacks, defences and seeds",
                "derived in core/attention/hijacking.hpp", 0, excess, absolute(kWeightRounding)});
  merged.check(
      {"half_attention",
       "loudness that gets half of the attention in the first step: largest relative deviation over shares from the "
       "prediction for the opinions drawn",
       kModerationSource, 0, worst_deviation(merged, "half", "half_drawn", "share", every), absolute(kHalfWithin)});
  merged.check({"capture",
                "loudness above which the crowd follows the attackers: largest relative deviation over shares from the "
                "prediction for the opinions drawn",
                kModerationSource, 0, worst_deviation(merged, "capture", "capture_drawn", "share", every),
                absolute(kCaptureWithin)});
  merged.check({"number", "attackers needed under clipping and cosine: largest relative deviation", kModerationSource,
                0, worst_deviation(merged, "number", "number_predicted", "defence", &is_deaf),
                absolute(kNumberWithin)});
  merged.check({"deaf_to_loudness",
                "largest change of the shift with loudness, under cosine, and under clipping above the clipping norm",
                "Henry et al. 2020 (keys of one norm)", 0, largest_move(merged), absolute(kUnmoved)});
}

void add_figures_of_moderation(Results& merged) {
  merged.figure({.kind = "heatmap",
                 .name = "captured_phase",
                 .title = "Share of captured agents",
                 .caption = "Share of the honest agents that end closer to the attackers than to their initial mean; "
                            "the slider selects the defence.",
                 .variables = {"captured"},
                 .x = "loudness",
                 .y = "share"});
  merged.figure({.name = "shift",
                 .title = "Shift of the mean opinion",
                 .caption = "0: no shift, 1: all the way to the attackers. Bands: standard error over the seeds.",
                 .variables = {"shift"},
                 .x = "loudness",
                 .hue = "defence",
                 .log_x = true});
  merged.figure({.name = "thresholds",
                 .title = "Loudness thresholds without a defence",
                 .caption = "Measured and predicted (dashed). At the higher threshold the attackers get half of the "
                            "attention in the first step. Above the lower one the crowd follows them in the end, "
                            "because each step towards the attackers raises their score.",
                 .variables = {"half_measured", "capture_measured"},
                 .references = {"half_predicted", "capture_predicted"},
                 .x = "share",
                 .log_x = true});
  merged.figure({.name = "weights",
                 .title = "Largest attention weight of one key",
                 .caption = "Dashed: upper bound, from the norms alone.",
                 .variables = {"largest_weight"},
                 .references = {"bound"},
                 .x = "loudness",
                 .hue = "defence",
                 .log_x = true});
  merged.figure(
      {.kind = "table",
       .name = "numbers",
       .title = "Number of attackers that capture the crowd",
       .caption =
           "Attackers needed to capture half of the honest agents at the largest loudness; measured and predicted.",
       .variables = {"number_measured", "number_predicted"},
       .x = "defence"});
  merged.figure(
      {.kind = "table",
       .name = "cost",
       .title = "Effect of a defence without an attack",
       .caption = "The crowd at rest without attackers; a difference from no defence is the cost of the defence.",
       .variables = {"calm_length", "calm_variance", "calm_steps"},
       .x = "defence"});
}

/// The share of the honest that is captured at worst, over the loudnesses: the loudest is not always the worst.
MeanWithError worst_capture(const Results& merged, std::size_t defence, std::size_t share) {
  const View captured = view(merged.data, "captured").at({{"defence", defence}, {"share", share}});
  MeanWithError worst{-1, 0, 0};
  for (const View& loudness : captured.along("loudness"))
    if (const MeanWithError mean = loudness.mean(); mean.mean > worst.mean) worst = mean;
  return worst;
}

void add_headlines_of_moderation(Results& merged) {
  const std::vector<double> share = view(merged.data, "share").values();
  const std::size_t middle = share.size() / 2;
  const std::vector<double> numbers = view(merged.data, "number_measured").means({"defence"});
  const double honest = view(merged.data, "honest").first();
  NamedNumbers needed;
  for (std::size_t d = 0; d < all_defences().size(); ++d) {
    const std::string defence = name_of(all_defences()[d]), name = "captured_" + defence;
    const MeanWithError worst = worst_capture(merged, d, middle);
    merged.scalar(name, worst.mean, "1", concat("largest captured share at any loudness, ", defence));
    merged.scalar(name + "_half_width", worst.count > 1 ? student_width(0.95, worst.count - 1) * worst.error : 0.0, "1",
                  "half width of its 95 % interval over the seeds");
    merged.headline({.variable = name,
                     .label = concat("Captured, ", defence),
                     .half_width = name + "_half_width",
                     .meaning = concat("Share of the honest agents at the most effective loudness, with ",
                                       plain_text(share[middle]), " attackers per honest agent.")});
    needed.emplace_back(defence, numbers[d]);
  }
  const double threshold = view(merged.data, "capture_measured").at({{"share", 0}}).mean().mean;
  merged.finding(LoudnessCaptures{share.front(), threshold});
  merged.finding(NoLoudnessCaptures{share.front(), threshold});
  merged.finding(AttackersNeeded{honest, needed});
}

/// "without a defence, one attacker per 100 honest agents".
std::string few_attackers(double share) {
  return concat("Without a defence, one attacker per ", plain_text(1 / share), " honest agents captures the crowd ");
}

std::string under(const std::string& defence) {
  if (defence == name_of(Defence::clipping)) return "with clipping";
  if (defence == name_of(Defence::cosine)) return "with cosine scores";
  return defence == name_of(Defence::hotter) ? "at the higher temperature" : "without a defence";
}

}  // namespace

std::string LoudnessCaptures::sentence() const {
  return concat(few_attackers(share), "above a loudness of ", plain_text(loudness), ".");
}

std::string NoLoudnessCaptures::sentence() const { return concat(few_attackers(share), "at no loudness."); }

std::string AttackersNeeded::sentence() const {
  std::string list;
  for (std::size_t d = 0; d < needed.size(); ++d)
    list += concat(d == 0                   ? ""
                   : d + 1 == needed.size() ? " and "
                                            : ", ",
                   plain_text(needed[d].second), " ", under(needed[d].first));
  return concat("At the largest loudness, the number of attackers needed to capture half of ", plain_text(honest),
                " honest agents is ", list, ".");
}

void conclude_moderation(Results& merged) {
  add_checks(merged);
  add_headlines_of_moderation(merged);
  add_figures_of_moderation(merged);
}

}  // namespace fovea::opinion::moderation
