#include "fovea/domains/opinion/moderation_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "fovea/core/error.hpp"
#include "fovea/core/statistics/moments.hpp"
#include "fovea/domains/opinion/moderation_crowd.hpp"

namespace fovea::opinion {

namespace {

constexpr double kHalfWithin = 0.05;     // 300 agents: their sum of exponentials varies by some percent from its mean
constexpr double kCaptureWithin = 0.10;  // the prediction leaves out the spread that the crowd keeps
constexpr double kRounding = 1e-12;      // the bound holds in exact numbers
constexpr double kUnmoved = 1e-9;        // behind clipping and cosine a louder key is the same key
const std::string kModerationSource = "domains/opinion/README.md, Moderation";

std::string rounded(double value, int count = 3) {
  std::ostringstream text;
  text.precision(count);
  text << value;
  return text.str();
}

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
  const std::vector<double>& values_;
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

void add_checks(Results& merged) {
  const std::size_t shares = merged.data.size_of("share"), norms = merged.data.size_of("loudness");
  const std::size_t places = all_defences().size() * shares * norms;
  const Replicas largest(merged, "largest_weight", places), bound(merged, "bound", places);
  const Replicas shift(merged, "shift", places);
  const std::vector<double>& norm = merged.data.at("loudness").reals();
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
                "derived in core/attention/hijacking.hpp", 0, excess, kRounding, false});
  merged.check({"half_attention",
                "loudness that takes half of the attention at once: worst relative deviation over shares",
                kModerationSource, 0, worst_deviation(merged, "half", shares), kHalfWithin, false});
  merged.check({"capture", "loudness from which the crowd follows: worst relative deviation over shares",
                kModerationSource, 0, worst_deviation(merged, "capture", shares), kCaptureWithin, false});
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
  Figure table;
  table.kind = FigureKind::table;
  table.name = "cost";
  table.title = "What a defence costs when nobody attacks";
  table.caption = "The crowd at rest without attackers: a defence that changes it has a price.";
  table.variables = {"calm_length", "calm_variance", "calm_steps"};
  table.x = "defence";
  merged.figure(table);
}

void add_headlines_of_moderation(Results& merged) {
  const std::size_t shares = merged.data.size_of("share"), norms = merged.data.size_of("loudness");
  const std::size_t each = shares * norms, places = all_defences().size() * each;
  const std::vector<double>& share = merged.data.at("share").reals();
  const Replicas captured(merged, "captured", places);
  std::string told;
  for (std::size_t d = 0; d < all_defences().size(); ++d) {
    const std::string name = "captured_" + name_of(all_defences()[d]);
    double worst = 0, error = 0;
    for (std::size_t k = 0; k < norms; ++k) {  // the loudest is not always the worst
      const MeanWithError mean = captured.mean(d * each + (shares - 1) * norms + k);
      if (mean.mean >= worst) error = mean.error;
      worst = std::max(worst, mean.mean);
    }
    merged.scalar(name, worst, "1", concat("largest captured share at any loudness, ", name_of(all_defences()[d])));
    merged.scalar(name + "_error", error, "1", "standard error over the seeds");
    merged.headline(
        {name, concat("Captured, ", name_of(all_defences()[d])), "", name + "_error",
         concat("Largest at any loudness, with ", rounded(share.back()), " attackers for each honest agent.")});
    told += concat(d == 0 ? "" : ", ", name_of(all_defences()[d]), " ", rounded(100 * worst), " %");
  }
  const Replicas threshold(merged, "capture_measured", shares);
  merged.verdict(concat("One attacker for ", rounded(1 / share.front()),
                        " honest agents captures an undefended crowd from a loudness of ",
                        rounded(threshold.mean(0).mean), " on; with ", rounded(share.back()),
                        " attackers for each honest agent the captured share is at worst: ", told, "."));
}

}  // namespace

void conclude_moderation(Results& merged) {
  add_checks(merged);
  add_headlines_of_moderation(merged);
  add_figures_of_moderation(merged);
}

}  // namespace fovea::opinion
