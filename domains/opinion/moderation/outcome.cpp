#include "fovea/domains/opinion/moderation/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/domains/opinion/moderation/crowd.hpp"

namespace fovea::opinion::moderation {

namespace {

constexpr double kHalfWithin = 0.05;       // 300 agents: their sum of exponentials varies by some percent from its mean
constexpr double kCaptureWithin = 0.10;    // the prediction leaves out the spread that the crowd keeps
constexpr double kNumberWithin = 0.25;     // a number is the exponential of a score: 1 % of 1 / T = 4 is 4 % of it
constexpr double kWeightRounding = 1e-12;  // the bound holds in exact numbers
constexpr double kUnmoved = 1e-9;          // behind clipping and cosine a louder key is the same key
const std::string kModerationSource = "domains/opinion/README.md, Moderation";

/// A variable of the merged results, its replicas in front.
class Replicas {
 public:
  Replicas(const Results& merged, const std::string& name, std::size_t places)
      : values_(merged.data.at(name).reals()), places_(places) {}
  std::size_t count() const { return values_.size() / places_; }
  double at(std::size_t replica, std::size_t place) const { return values_[replica * places_ + place]; }
  MeanWithError mean(std::size_t place) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < count(); ++r) values.push_back(at(r, place));
    return mean_with_error(values);
  }

 private:
  std::vector<double> values_;
  std::size_t places_;
};

/// The largest relative deviation of the mean over the seeds from its prediction, over the shares.
double worst_deviation(const Results& merged, const std::string& which, std::size_t shares) {
  const Replicas measured(merged, which + "_measured", shares), predicted(merged, which + "_predicted", shares);
  double worst = 0;
  for (std::size_t k = 0; k < shares; ++k) {
    const double deviation = std::abs(measured.mean(k).mean / predicted.mean(k).mean - 1);
    if (!(deviation <= worst)) worst = deviation;  // NaN, where one of them is infinite, stays
  }
  return worst;
}

/// The same for the number of attackers, behind the defences that do not hear how loud they are.
double worst_number(const Results& merged) {
  const std::size_t count = all_defences().size();
  const Replicas measured(merged, "number_measured", count), predicted(merged, "number_predicted", count);
  double worst = 0;
  for (std::size_t d = 0; d < count; ++d) {
    if (all_defences()[d] != Defence::clipping && all_defences()[d] != Defence::cosine) continue;
    const double deviation = std::abs(measured.mean(d).mean / predicted.mean(d).mean - 1);
    if (!(deviation <= worst)) worst = deviation;
  }
  return worst;
}

void add_checks(Results& merged) {
  const std::size_t shares = merged.data.size_of("share"), norms = merged.data.size_of("loudness");
  const std::size_t places = all_defences().size() * shares * norms;
  const Replicas largest(merged, "largest_weight", places), bound(merged, "bound", places);
  const Replicas shift(merged, "shift", places);
  const std::vector<double> norm = merged.data.at("loudness").reals();
  const double clip = merged.data.at("clip").reals().front();
  double excess = 0, moved = 0;
  for (std::size_t r = 0; r < largest.count(); ++r)
    for (std::size_t k = 0; k < places; ++k) {
      excess = std::max(excess, largest.at(r, k) - bound.at(r, k));
      const Defence defence = all_defences()[k / (shares * norms)];
      const bool deaf = defence == Defence::cosine || (defence == Defence::clipping && norm[k % norms] >= clip);
      if (deaf) moved = std::max(moved, std::abs(shift.at(r, k) - shift.at(r, k - k % norms + norms - 1)));
    }
  merged.check({"bound", "by how much a weight exceeds its bound, all attacks, defences and seeds",
                "derived in core/attention/hijacking.hpp", 0, excess, kWeightRounding, false});
  merged.check({"half_attention",
                "loudness that takes half of the attention at once: worst relative deviation over shares",
                kModerationSource, 0, worst_deviation(merged, "half", shares), kHalfWithin, false});
  merged.check({"capture", "loudness from which the crowd follows: worst relative deviation over shares",
                kModerationSource, 0, worst_deviation(merged, "capture", shares), kCaptureWithin, false});
  merged.check({"number", "attackers that a crowd follows behind clipping and cosine: worst relative deviation",
                kModerationSource, 0, worst_number(merged), kNumberWithin, false});
  merged.check({"deaf_to_loudness",
                "change of the shift with loudness, behind cosine, and behind clipping from the "
                "clipping norm on",
                "Henry et al. 2020 (keys of one norm)", 0, moved, kUnmoved, false});
}

void add_heatmap(Results& merged, const std::string& variable, const std::string& title, const std::string& caption) {
  Figure figure;
  figure.kind = FigureKind::heatmap;
  figure.name = variable + "_phase";
  figure.title = title;
  figure.caption = caption;
  figure.variables = {variable};
  figure.x = "loudness";
  figure.y = "share";
  merged.figure(figure);
}

void add_lines(Results& merged, const std::string& name, const std::string& title, const std::string& caption,
               std::vector<std::string> variables, std::vector<std::string> references, const std::string& x,
               const std::string& hue) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.caption = caption;
  figure.variables = std::move(variables);
  figure.references = std::move(references);
  figure.x = x;
  figure.hue = hue;
  figure.log_x = true;
  merged.figure(figure);
}

void add_figures_of_moderation(Results& merged) {
  add_heatmap(merged, "captured", "Who is captured?",
              "Share of the honest that end nearer to the attackers than to their old mean; the slider chooses the "
              "defence.");
  add_lines(merged, "shift", "How far the crowd moves",
            "0: not at all, 1: to the attackers. Bands: standard error over the seeds.", {"shift"}, {}, "loudness",
            "defence");
  add_lines(
      merged, "thresholds", "How loud it takes, without a defence",
      "Measured, and predicted (dashed): the loudness that takes half of the attention at once, and the lower one "
      "from which the crowd follows in the end, because every step towards the attackers makes them louder.",
      {"half_measured", "capture_measured"}, {"half_predicted", "capture_predicted"}, "share", "");
  add_lines(merged, "weights", "The largest weight of one key, and its bound",
            "The bound (dashed) follows from the norms alone.", {"largest_weight"}, {"bound"}, "loudness", "defence");
  Figure numbers;
  numbers.kind = FigureKind::table;
  numbers.name = "numbers";
  numbers.title = "How many it takes, as loud as they may be";
  numbers.caption = "Attackers who capture half of the honest, at the largest loudness; measured and predicted.";
  numbers.variables = {"number_measured", "number_predicted"};
  numbers.x = "defence";
  merged.figure(numbers);
  Figure table;
  table.kind = FigureKind::table;
  table.name = "cost";
  table.title = "What a defence costs when nobody attacks";
  table.caption = "The crowd at rest without attackers: a defence that changes it has a price.";
  table.variables = {"calm_length", "calm_variance", "calm_steps"};
  table.x = "defence";
  merged.figure(table);
}

/// The share of the honest that is captured at worst, over the loudnesses: the loudest is not always the worst.
MeanWithError worst_capture(const Results& merged, std::size_t defence, std::size_t share) {
  const std::size_t shares = merged.data.size_of("share"), norms = merged.data.size_of("loudness");
  const Replicas captured(merged, "captured", all_defences().size() * shares * norms);
  MeanWithError worst{-1, 0, 0};
  for (std::size_t k = 0; k < norms; ++k) {
    const MeanWithError mean = captured.mean((defence * shares + share) * norms + k);
    if (mean.mean > worst.mean) worst = mean;
  }
  return worst;
}

void add_headlines_of_moderation(Results& merged) {
  const std::vector<double> share = merged.data.at("share").reals();
  const std::size_t middle = share.size() / 2;
  const Replicas numbers(merged, "number_measured", all_defences().size());
  const double honest = merged.data.at("honest").reals().front();
  std::string told;
  for (std::size_t d = 0; d < all_defences().size(); ++d) {
    const std::string defence = name_of(all_defences()[d]), name = "captured_" + defence;
    const MeanWithError worst = worst_capture(merged, d, middle);
    merged.scalar(name, worst.mean, "1", concat("largest captured share at any loudness, ", defence));
    merged.scalar(name + "_half_width", worst.count > 1 ? student_width(0.95, worst.count - 1) * worst.error : 0.0, "1",
                  "half width of its 95 % interval over the seeds");
    merged.headline({name, concat("Captured, ", defence), "", name + "_half_width",
                     concat("Share of the honest, at the worst loudness, with ", plain_text(share[middle]),
                            " attackers for each of them.")});
    told += concat(d == 0 ? "" : ", ", defence, " ", plain_text(numbers.mean(d).mean));
  }
  const Replicas threshold(merged, "capture_measured", share.size());
  merged.verdict(concat("One attacker for ", plain_text(1 / share.front()),
                        " honest agents captures an undefended crowd from a loudness of ",
                        plain_text(threshold.mean(0).mean), " on. As loud as they may be, against ", plain_text(honest),
                        " honest agents it takes so many attackers: ", told, "."));
}

}  // namespace

void conclude_moderation(Results& merged) {
  add_checks(merged);
  add_headlines_of_moderation(merged);
  add_figures_of_moderation(merged);
}

}  // namespace fovea::opinion::moderation
