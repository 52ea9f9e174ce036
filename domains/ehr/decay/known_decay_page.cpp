#include "fovea/domains/ehr/decay/known_decay_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr std::size_t kShownFits = 6;  ///< of each half-life in the figure of intervals
constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr const char* kWhere = "derived in domains/ehr/README.md";

/// A variable over half_life, a series for each point of the sweep.
std::vector<std::vector<double>> fits_of(const Results& merged, const char* name) {
  return view(merged.data, name).series("half_life");
}

/// What is asked of a half-life, means over the points.
struct JudgedHalfLife {
  double half_life = 0, error = 0, covered = 0, distance = 0, mass = 0, auroc = 0, true_auroc = 0;
};

struct Judged {
  std::vector<JudgedHalfLife> all;
  double count = 0;  ///< of points
};

Judged judged_of(const Results& merged) {
  Judged judged;
  const std::vector<double> half_lives = view(merged.data, "half_life").values();
  const auto trained = fits_of(merged, "trained"), likely = fits_of(merged, "likely"), low = fits_of(merged, "low"),
             high = fits_of(merged, "high");
  const auto means = [&](const char* name) { return view(merged.data, name).means({"half_life"}); };
  const std::vector<double> mass = means("mass"), auroc = means("auroc"), true_auroc = means("true_auroc");
  judged.count = static_cast<double>(trained.size());
  for (std::size_t h = 0; h < half_lives.size(); ++h) {
    const double truth = half_lives[h];
    double error = 0, covered = 0, distance = 0;
    for (std::size_t p = 0; p < trained.size(); ++p) {
      error += std::abs(trained[p][h] / truth - 1);
      covered += low[p][h] <= truth && truth <= high[p][h] ? 1 : 0;
      distance += std::abs(std::log(trained[p][h] / likely[p][h]));
    }
    judged.all.push_back({truth, error / judged.count, covered / judged.count, distance / judged.count, mass[h],
                          auroc[h], true_auroc[h]});
  }
  return judged;
}

/// The mean over the half-lives that are judged; of all where none is.
double judged_mean(const Judged& judged, double JudgedHalfLife::*value, double window) {
  double sum = 0, count = 0;
  for (const bool every : {false, true})
    if (!every || count == 0)
      for (const JudgedHalfLife& one : judged.all)
        if (every || 8 * one.half_life >= window) sum += one.*value, count += 1;
  return sum / count;
}

double judged_count(const Judged& judged, double window) {
  double count = 0;
  for (const JudgedHalfLife& one : judged.all) count += 8 * one.half_life >= window ? 1 : 0;
  return judged.count * (count > 0 ? count : static_cast<double>(judged.all.size()));
}

/// What the control says: intervals that bound the half-life at neither end, and the AUROC.
struct Control {
  std::vector<double> likely, low, high;
  double open = 0, auroc = 0, points = 0;
};

Control control_of(const Results& merged) {
  Control control{view(merged.data, "control_likely").values(), view(merged.data, "control_low").values(),
                  view(merged.data, "control_high").values()};
  control.points = static_cast<double>(control.low.size());
  for (std::size_t p = 0; p < control.low.size(); ++p)
    control.open += (control.low[p] == 0 || control.high[p] == kNoBound ? 1 : 0) / control.points;
  control.auroc = view(merged.data, "control_auroc").mean().mean;
  return control;
}

void add_checks(Results& merged, const Judged& judged, const Control& control) {
  constexpr double kLeastCovered = 0.06;  // 90 % intervals: 84 to 96 %
  const double window = view(merged.data, "window").first(), level = view(merged.data, "level").first();
  const double fewer = std::max(1.0, std::sqrt(4000 / view(merged.data, "training_stays").first()));
  const double chance = 2.576 * std::sqrt(level * (1 - level) / judged_count(judged, window));
  // Standard deviation of an AUROC without effect, half of the stays of either kind (Hanley & McNeil 1982): 1 / sqrt(3
  // n).
  const double null_auroc = 1 / std::sqrt(3 * view(merged.data, "held_out_stays").first() * control.points);
  merged.check({"error", "mean |trained half-life / true one - 1|, half-lives from an eighth of the window", kWhere, 0,
                judged_mean(judged, &JudgedHalfLife::error, window), absolute(0.05 * fewer)});
  merged.check({"mass", "attention on the variable that matters", kWhere, 1,
                judged_mean(judged, &JudgedHalfLife::mass, window), absolute(0.05 * fewer)});
  merged.check({"coverage", "share of the intervals that hold the true half-life", kWhere, level,
                judged_mean(judged, &JudgedHalfLife::covered, window), absolute(std::max(kLeastCovered, chance))});
  merged.check({"training", "mean |log (trained / most likely half-life)|", kWhere, 0,
                judged_mean(judged, &JudgedHalfLife::distance, window), absolute(0.05 * fewer)});
  merged.check({"control_auroc", "AUROC with shuffled labels", kWhere, 0.5, control.auroc, absolute(4 * null_auroc)});
  merged.check(
      {"control_open", "share of the control's intervals with an open end", kWhere, 1, control.open, absolute(0.25)});
}

/// A row of the figure of intervals.
struct Fit {
  std::string name, group;
  double likely, low, high, trained = kNan, free = kNan, truth = kNan;
  ValueInterval interval() const { return {likely, low == 0 ? -kNoBound : low, high}; }
};

std::vector<Fit> shown_fits(const Results& merged, const Judged& judged, const Control& control) {
  std::vector<Fit> shown;
  const auto likely = fits_of(merged, "likely"), low = fits_of(merged, "low"), high = fits_of(merged, "high"),
             trained = fits_of(merged, "trained"), free = fits_of(merged, "free");
  for (std::size_t h = 0; h < judged.all.size(); ++h) {
    const std::string truth = concat(plain_text(judged.all[h].half_life), " h");
    for (std::size_t p = 0; p < std::min(likely.size(), kShownFits); ++p)
      shown.push_back({concat(truth, ", made stays ", p + 1), "true half-life " + truth, likely[p][h], low[p][h],
                       high[p][h], trained[p][h], free[p][h], judged.all[h].half_life});
  }
  for (std::size_t p = 0; p < std::min(control.low.size(), kShownFits / 2); ++p)
    shown.push_back({concat("labels shuffled ", p + 1), "nothing to find", kNan, control.low[p], control.high[p]});
  return shown;
}

void add_intervals(Results& merged, const std::vector<Fit>& fits) {
  const std::string level = plain_text(100 * view(merged.data, "level").first());
  rows("fit", fits, &Fit::name, "simulated stays")
      .prefix("fit_")
      .interval("likely", &Fit::interval, "most likely half-life", "h")
      .end_names("low", "high")
      .ends(level + " % interval, from the profile likelihood")
      .number("trained", &Fit::trained, "trained by gradients", "h")
      .number("free", &Fit::free, "free function of time, the exponential that fits it best", "h")
      .number("true", &Fit::truth, "true half-life", "h")
      .text("group", &Fit::group, "what is true")
      .write(merged)
      .intervals(
          merged, "likely",
          {.name = "half_lives",
           .title = "Half-lives found in stays whose half-life is known",
           .caption = "Each row is one training on stays of its own. Open triangles: the truth. Where labels are "
                      "shuffled, the data bound the half-life by chance alone.",
           .variables = {"fit_trained", "fit_free"},
           .references = {"fit_true"},
           .log_y = true,
           .value_label = "half-life",
           .groups = "fit_group"});
}

void add_other_figures(Results& merged, const Judged& judged) {
  merged.figure({.kind = "lines",
                 .name = "weight_by_age",
                 .title = "Weight of an event by its age",
                 .caption =
                     "Learned as an exponential, learned as a free function of time (linear between the marked "
                     "ages), and true. Weights below a thousandth hardly move a risk, so they are not learned. The "
                     "slider chooses the true half-life.",
                 .variables = {"learned_weight", "free_weight"},
                 .references = {"true_weight"},
                 .x = "age",
                 .log_y = true,
                 .value_label = "weight"});
  merged.figure({.kind = "lines",
                 .name = "attention",
                 .title = "Attention on the variable that matters",
                 .caption = "One of four variables has an effect. Before training it gets a quarter.",
                 .variables = {"mass"},
                 .x = "half_life",
                 .log_x = true});
  rows("half_life", judged.all)
      .number("mean_error", &JudgedHalfLife::error, "mean relative error")
      .number("covered", &JudgedHalfLife::covered, "intervals that hold the truth")
      .number("mean_mass", &JudgedHalfLife::mass, "attention on the right variable")
      .number("mean_auroc", &JudgedHalfLife::auroc, "AUROC")
      .number("mean_true_auroc", &JudgedHalfLife::true_auroc, "AUROC of the true risks")
      .write(merged)
      .table(merged,
             {.name = "recovered", .title = "By half-life", .caption = "Means over all simulated stays.", .digits = 3});
}

}  // namespace

void conclude_known_decay(Results& merged) {
  const Judged judged = judged_of(merged);
  const Control control = control_of(merged);
  add_checks(merged, judged, control);
  add_intervals(merged, shown_fits(merged, judged, control));
  add_other_figures(merged, judged);
  const double window = view(merged.data, "window").first();
  const double error = 100 * judged_mean(judged, &JudgedHalfLife::error, window),
               covered = 100 * judged_mean(judged, &JudgedHalfLife::covered, window);
  merged.scalar("error_percent", error, "%", "mean error of the half-lives");
  merged.scalar("covered_percent", covered, "%", "intervals that hold the true half-life");
  merged.headline({.variable = "error_percent",
                   .label = "Mean error of a half-life",
                   .meaning = "Trained by gradients; half-lives of an eighth of the window and more."});
  merged.headline({.variable = "covered_percent",
                   .label = "Intervals that hold the truth",
                   .meaning = concat("Of ", judged_count(judged, window), " intervals of ",
                                     plain_text(100 * view(merged.data, "level").first()), " %.")});
  give_verdict(merged, "Half-lives of simulated stays are recovered, with intervals that hold them",
               concat(plain_text(error, 2), " %; ", plain_text(covered, 3), " % of the intervals hold the truth, ",
                      plain_text(100 * judged_mean(judged, &JudgedHalfLife::mass, window), 3),
                      " % of the attention is on the right variable, and with shuffled labels the AUROC is ",
                      plain_text(control.auroc, 2)));
}

}  // namespace fovea::ehr::decay
