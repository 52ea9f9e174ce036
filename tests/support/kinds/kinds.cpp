#include "fovea/tests/support/kinds/kinds.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

constexpr std::array kKinds{
    Kind{"daily_course", "hours: two shared harmonics of 24, even sets dated", Group::shared_course, &daily_course},
    Kind{"level_shift", "at one row all series step by 1 to 4 of either sign", Group::shared_course, &level_shift},
    Kind{"linear_trends", "each rises or falls by 1 to 6 from end to end", Group::shared_course, &linear_trends},
    Kind{"month_pattern", "months: 12 shared values, even sets dated", Group::shared_course, &month_pattern},
    Kind{"rare_events", "0 or 1, 2 % ones, independent", Group::shared_course, &rare_events},
    Kind{"sparse_rain", "90 % zeros, skewed amounts, independent", Group::shared_course, &sparse_rain},
    Kind{"weekday_pattern", "days: 7 shared values, even sets dated", Group::shared_course, &weekday_pattern},
    Kind{"yearly_course", "days: two shared harmonics of 365.25, even sets dated", Group::shared_course,
         &yearly_course},

    Kind{"cauchy", "AR(0 to .5) of Cauchy shocks", Group::hard_nature, &cauchy},
    Kind{"common_jumps", "in 1 % of the steps a shock hits all series", Group::hard_nature, &common_jumps},
    Kind{"common_volatility", "one AR(.95) of log variance, independent signs", Group::hard_nature, &common_volatility},
    Kind{"growing_deviation", "standard deviation 5-fold from half-way on", Group::hard_nature, &growing_deviation},
    Kind{"growing_variance", "variance 5-fold from half-way on", Group::hard_nature, &growing_variance},
    Kind{"held_values", "each value is repeated four times", Group::hard_nature, &held_values},
    Kind{"poisson", "counts of mean .1", Group::hard_nature, &poisson},
    Kind{"slow_factor", "a hidden AR(.98) within a step of all", Group::hard_nature, &slow_factor},

    Kind{"binary_chains", "0 or 1, stays with .6 to .9", Group::plain_nature, &binary_chains},
    Kind{"garch", "GARCH(1, 1) each by itself", Group::plain_nature, &garch},
    Kind{"missing_blocks", "up to three blocks of a series are missing", Group::plain_nature, &missing_blocks},
    Kind{"near_unit_roots", "AR(.97 to .995)", Group::plain_nature, &near_unit_roots},
    Kind{"plain_memory", "6 x 800, AR(.3 to .7)", Group::plain_nature, &plain_memory},
    Kind{"random_walks", "sums of normal shocks", Group::plain_nature, &random_walks},
    Kind{"rounded", "to halves of a standard deviation", Group::plain_nature, &rounded},
    Kind{"short_and_wide", "20 series of 60 steps", Group::plain_nature, &short_and_wide},
    Kind{"student_2", "shocks of Student's t with 2 degrees of freedom", Group::plain_nature, &student_2},

    Kind{"clipped_sensor", "clipped at +- 1, in ten levels", Group::kept_for_end, &clipped_sensor},
    Kind{"drifting_season", "period 50, phase and size of it drift", Group::kept_for_end, &drifting_season},
    Kind{"hours_of_week", "hours: 168 shared values, even sets dated", Group::kept_for_end, &hours_of_week},
    Kind{"long_memory", "fractional noise, d = .4", Group::kept_for_end, &long_memory},
    Kind{"seasonal_counts", "days: counts whose rate has a yearly course, most 0", Group::kept_for_end,
         &seasonal_counts},
    Kind{"shared_outages", "in 2 % of the steps all series read -4", Group::kept_for_end, &shared_outages},
    Kind{"two_cycles", "shared cycles of 10 sqrt 2 and 10 pi steps", Group::kept_for_end, &two_cycles},

    Kind{"driven_bent", "6 series: effects above a threshold", Group::linked, &driven_bent},
    Kind{"driven_flow", "lognormal flows, errors of 15 % of the flow", Group::linked, &driven_flow},
    Kind{"driven_heavy", "linear effects, shocks of Student's t of 3", Group::linked, &driven_heavy},
    Kind{"driven_linear", "linear effects, normal shocks", Group::linked, &driven_linear},
    Kind{"driven_noisy", "the same behind an error of measurement", Group::linked, &driven_noisy},
    Kind{"driven_product", "half of the effects are of products of two causes", Group::linked, &driven_product},
    Kind{"driven_season", "linear effects and a shared season of 12 steps", Group::linked, &driven_season},
    Kind{"driven_sparse", "rain in 12 % of the steps drives three series", Group::linked, &driven_sparse},
    Kind{"driven_uneven", "linear effects, one course of the shocks' size", Group::linked, &driven_uneven},
    Kind{"haemodynamic", "50 nodes behind blood flow, sampled each 3 s", Group::linked, &haemodynamic},
    Kind{"product_effect", "6 x 800: y by x(t-1) z(t-2)", Group::linked, &product_effect},
    Kind{"rivers", "8 to 12 series: sparse rain drives gauges, gauges those downstream", Group::linked, &rivers},
    Kind{"sign_by_third", "6 x 800: y by x(t-1), with the sign of z(t-1)", Group::linked, &sign_by_third},
    Kind{"sign_flip", "6 x 800: y by x(t-1), of the other sign from half-way on", Group::linked, &sign_flip},
    Kind{"sine_effect", "6 x 800: y by sin 3 x(t-1)", Group::linked, &sine_effect},
    Kind{"slow_sign", "6 x 800: y by x(t-1) times a slow sine", Group::linked, &slow_sign},
    Kind{"variance_effect", "6 x 800: the variance of y by x(t-1)", Group::linked, &variance_effect},
    Kind{"within_step", "y = .5 x(t) + noise; even sets have two series, odd ones 4 to 6", Group::linked, &within_step},
};

}  // namespace

std::span<const Kind> all_kinds() { return kKinds; }

const Kind& kind_of(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.name == name; });
  if (found != kKinds.end()) return *found;
  std::string names;
  for (const Kind& kind : kKinds) names += concat(names.empty() ? "" : ", ", kind.name);
  throw ArgumentError(concat("kinds: there is no kind '", name, "'; the kinds are ", names, '.'));
}

KnownTable draw_table(std::string_view kind, Index set, const Random& random) {
  require(set >= 0, "kinds: the set is ", set, "; sets are counted from 0.");
  return kind_of(kind).make(set, random.stream(concat(kind, " ", set)));
}

std::string date_of_row(Calendar calendar, Index row) {
  const double first_day = *datasets::series::date_of("1995-03-01");
  if (calendar == Calendar::hours) return datasets::series::date_text(first_day + static_cast<double>(row) / 24);
  if (calendar == Calendar::days) return datasets::series::date_text(first_day + static_cast<double>(row));
  if (calendar == Calendar::none) return "";
  const Index month = row % 12 + 1;
  return concat(1901 + row / 12, month < 10 ? "-0" : "-", month, "-01");
}

}  // namespace fovea::support::kinds
