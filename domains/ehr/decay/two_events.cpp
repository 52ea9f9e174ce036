/// The experiment "ehr.two_events": when does freshness outweigh similarity?
///
/// The query is a patient's present state, the keys are two past events: one like it, one not. With scores
/// s = q . k / sqrt(d) and a half-life tau, a key of age a has the score s - ln 2 a / tau, so that
///
///   w_1 / w_2 = exp(s_1 - s_2) 2^(-(a_1 - a_2) / tau)
///
/// and the similar event falls behind once it is older than the other by tau (s_1 - s_2) / ln 2. The same event
/// yesterday and a year ago: 2^(364 / tau) to 1. All keys have the norm sqrt(d), so s is sqrt(d) times the cosine.
///
/// One point writes, over half_life and age: similar_weight and predicted_weight; over half_life: fresh_to_old and
/// overtaken_after with what is predicted; and the scalars largest_difference (of weights), and gradient_difference.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/lab/cost_meter.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/ehr/experiments.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr double kDay = 1, kYear = 365;
constexpr double kRounding = 1e-12;  ///< an exponent of up to some hundreds, known to 1e-16 of itself

double log_two() { return logarithm(2.0); }

/// A direction of unit length; one for each stream.
Vector<double> direction(Index dimension, const Random& random) {
  Vector<double> entries(dimension);
  for (Index c = 0; c < dimension; ++c) entries[c] = random.normal(0, static_cast<std::uint64_t>(c));
  return entries / entries.norm();
}

/// A vector of length sqrt(d) at this cosine to a unit vector.
Vector<double> at_cosine(const Vector<double>& unit, double cosine, const Random& random) {
  Vector<double> across = direction(unit.size(), random);
  across -= across.dot(unit) * unit;
  across /= across.norm();
  return std::sqrt(static_cast<double>(unit.size())) * (cosine * unit + std::sqrt(1 - cosine * cosine) * across);
}

/// The present state (1 x d) and two past events (2 x d), their ages in days.
struct Past {
  Matrix<double> state, events;
  Vector<double> ages = Vector<double>::Zero(2);
};

Past past_of(double cosine, double other_cosine, Index dimension, const Random& random) {
  const Vector<double> unit = direction(dimension, random.stream("state"));
  Past past{std::sqrt(static_cast<double>(dimension)) * unit.transpose(), Matrix<double>(2, dimension)};
  past.events.row(0) = at_cosine(unit, cosine, random.stream("similar"));
  past.events.row(1) = at_cosine(unit, other_cosine, random.stream("dissimilar"));
  return past;
}

AttentionSpec<double> decaying(const Vector<double>& ages, double half_life) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(), {}};
  spec.modifiers = {{time_decay<double>(Vector<double>::Zero(1), -ages, {.learned = DecayParameter::half_life}),
                     {logarithm(half_life)}}};
  return spec;
}

/// The weights of the two events: their values are the unit vectors.
Matrix<double> weights_of(const Past& past, double half_life) {
  return attend<double>(past.state, past.events, Matrix<double>::Identity(2, 2), decaying(past.ages, half_life))
      .outputs;
}

double similar_weight(Past past, double age, double other_age, double half_life) {
  past.ages << age, other_age;
  return weights_of(past, half_life)(0, 0);
}

/// d w_1 / d log tau by the engine: what a half-life is learned by.
double gradient_by_half_life(Past past, double age, double other_age, double half_life) {
  past.ages << age, other_age;
  const auto spec = decaying(past.ages, half_life);
  const Matrix<double> values = Matrix<double>::Identity(2, 2);
  Matrix<double> first(1, 2);
  first << 1, 0;
  const auto forward = attend<double>(past.state, past.events, values, spec);
  return attend_backward<double>(past.state, past.events, values, spec, forward, first).modifier_theta[0][0];
}

/// The age from which on the similar event has less weight than the other, by halving an interval.
double overtaken_after(const Past& past, double other_age, double half_life) {
  double low = other_age, high = other_age + half_life;
  if (similar_weight(past, low, other_age, half_life) < 0.5) return low;
  while (similar_weight(past, high, other_age, half_life) > 0.5) high += high - low;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (similar_weight(past, middle, other_age, half_life) > 0.5 ? low : high) = middle;
  }
}

/// The weight of the fresh of two equal events over that of the old.
double fresh_to_old(Past past, double half_life) {
  past.events.row(1) = past.events.row(0);
  past.ages << kDay, kYear;
  const Matrix<double> weights = weights_of(past, half_life);
  return weights(0, 0) / weights(0, 1);
}

double relative_error(double measured, double predicted) { return std::abs(measured / predicted - 1); }

void add_figures_of_two_events(Results& merged) {
  merged.figure({.kind = "lines",
                 .name = "similar_weight",
                 .title = "When freshness outweighs similarity",
                 .caption = "Weight of an event like the present state against its age. The other event is unlike it "
                            "and fresh. Below 0.5 freshness has won. Dashed: predicted, under the lines.",
                 .variables = {"similar_weight"},
                 .references = {"predicted_weight"},
                 .x = "age",
                 .hue = "half_life",
                 .log_x = true});
  merged.figure({.kind = "lines",
                 .name = "overtaken_after",
                 .title = "Age at which the similar event falls behind",
                 .caption = "It is proportional to the half-life, and to the difference of the two scores. Dashed: "
                            "predicted, under the line.",
                 .variables = {"overtaken_after"},
                 .references = {"predicted_overtaken"},
                 .x = "half_life",
                 .log_x = true,
                 .log_y = true});
}

struct TwoEventsSettings {
  Index dimension = 16;
  double similar = 0.9, dissimilar = 0.1, fresh_age = 1.0;
  std::vector<double> half_lives{7, 30, 90, 365};
  std::vector<double> ages{1, 2, 4, 7, 14, 30, 60, 90, 182, 365, 730, 1461, 2922};
};

const Keys<TwoEventsSettings>& two_events_keys() {
  using S = TwoEventsSettings;
  static const auto keys =
      Keys<S>()
          .key(kDimension.within(Range::between(2, 4096)), &S::dimension, "d: dimension of the state and of the events")
          .key("similar", &S::similar, Range::between(-0.99, 0.99), "", "cosine of the state and the similar event")
          .key("dissimilar", &S::dissimilar, Range::between(-0.99, 0.99), "", "cosine of the state and the other event")
          .key("fresh_age", &S::fresh_age, Range::between(0, 1e4), "days", "age of the dissimilar event")
          .key("half_lives", &S::half_lives, Range::between(1, 1e5), "days", "half-lives of the decay, ascending")
          .key("ages", &S::ages, Range::between(0.001, 1e5), "days", "ages of the similar event, ascending");
  return keys;
}

class TwoEvents : public KeyedExperiment<TwoEventsSettings, two_events_keys> {
 public:
  std::string_view name() const override { return "ehr.two_events"; }
  std::string_view summary() const override {
    return "a similar old event against a dissimilar fresh one: the age at which freshness outweighs similarity";
  }
  int result_version() const override { return 1; }

  void check_settings(const TwoEventsSettings& settings, const Complain& complain) const override {
    const auto refuse_unless_ascending = [&](const char* key, const std::vector<double>& values) {
      if (values.empty() || !std::is_sorted(values.begin(), values.end(), std::less_equal<>()))
        complain(key, concat(key, " must have at least one value, ascending."));
    };
    refuse_unless_ascending("half_lives", settings.half_lives);
    refuse_unless_ascending("ages", settings.ages);
    if (settings.similar <= settings.dissimilar)
      complain("similar", concat("similar = ", settings.similar, ", but must be above dissimilar = ",
                                 settings.dissimilar, ": the question is when the other event catches up."));
  }

  void measure(const TwoEventsSettings& settings, const Random& random, Results& results, Workbench&) const override {
    const double fresh = settings.fresh_age, cosine = settings.similar;
    const Index dimension = settings.dimension;
    const Past past = past_of(cosine, settings.dissimilar, dimension, random);
    const double gap = std::sqrt(static_cast<double>(dimension)) * (cosine - settings.dissimilar);
    struct Weight {
      double measured, predicted;
    };
    struct HalfLife {
      double half_life, ratio, predicted_ratio, overtaken, predicted_overtaken;
    };
    std::vector<Weight> weights;
    std::vector<HalfLife> half_lives;
    double difference = 0, gradient = 0;
    for (const double tau : settings.half_lives) {
      for (const double age : settings.ages) {
        const double other = exponential(log_two() * (age - fresh) / tau - gap);  // w_2 / w_1
        const Weight weight{similar_weight(past, age, fresh, tau), 1 / (1 + other)};
        difference = std::max(difference, std::abs(weight.measured - weight.predicted));
        const double slope = weight.predicted * (other / (1 + other)) * log_two() * (age - fresh) / tau;
        gradient = std::max(gradient, std::abs(gradient_by_half_life(past, age, fresh, tau) - slope));
        weights.push_back(weight);
      }
      half_lives.push_back({tau, fresh_to_old(past, tau), exponential(log_two() * (kYear - kDay) / tau),
                            overtaken_after(past, fresh, tau), fresh + tau * gap / log_two()});
    }
    rows("half_life", half_lives, &HalfLife::half_life, "half-life", "days")
        .number("fresh_to_old", &HalfLife::ratio, "weight of an event of yesterday over that of a year ago")
        .number("predicted_fresh_to_old", &HalfLife::predicted_ratio, "predicted ratio")
        .number("overtaken_after", &HalfLife::overtaken, "age at which the similar event falls behind", "days")
        .number("predicted_overtaken", &HalfLife::predicted_overtaken, "predicted age", "days")
        .write(results);
    results.coordinate("age", settings.ages, "days", "age of the similar event");
    rows({"half_life", "age"}, weights)
        .number("similar_weight", &Weight::measured, "weight of the similar event")
        .number("predicted_weight", &Weight::predicted, "predicted weight")
        .write(results);
    results.scalar("largest_difference", difference, "1", "weight against its closed form");
    results.scalar("gradient_difference", gradient, "1", "gradient by log half-life against its closed form");
  }

  void conclude(Results& merged) const override {
    const std::string source = "derived in domains/ehr/README.md";
    const double weights = view(merged.data, "largest_difference").largest();
    merged.check(
        {"weights", "largest difference of a weight and its closed form", source, 0.0, weights, absolute(kRounding)});
    merged.check({"same_event", "largest relative error of yesterday's weight over that of a year ago", source, 0.0,
                  worst(merged, "fresh_to_old", "predicted_fresh_to_old"), absolute(kRounding)});
    merged.check({"overtaken", "largest relative error of the age at which freshness outweighs similarity", source, 0.0,
                  worst(merged, "overtaken_after", "predicted_overtaken"), absolute(kRounding)});
    merged.check({"gradient", "largest difference of the gradient by log half-life and its closed form", source, 0.0,
                  view(merged.data, "gradient_difference").largest(), absolute(kRounding)});
    merged.scalar("difference_of_all", weights, "1", "weight against its closed form, all seeds");
    merged.headline({.variable = "difference_of_all",
                     .label = "Weights against their closed form: largest difference",
                     .meaning = "All ages, half-lives and seeds."});
    add_figures_of_two_events(merged);
    give_verdict(merged, "An event counts half as much for every half-life of its age", reached(merged));
  }

 private:
  static double worst(const Results& merged, const char* measured, const char* predicted) {
    const std::vector<double> left = view(merged.data, measured).values(),
                              right = view(merged.data, predicted).values();
    double error = 0;
    for (std::size_t k = 0; k < left.size(); ++k) error = std::max(error, relative_error(left[k], right[k]));
    return error;
  }

  /// "1e-12: with a half-life of 30 days the similar event falls behind after 138 days, ..."
  static std::string reached(const Results& merged) {
    const std::vector<double> half_lives = view(merged.data, "half_life").values();
    const std::size_t k = half_lives.size() / 2;
    const auto at = [&](const char* name) { return view(merged.data, name).at({{"half_life", k}}).mean().mean; };
    return concat(plain_text(kRounding), ": with a half-life of ", plain_text(half_lives[k]),
                  " days the similar event falls behind the fresh one after ", plain_text(at("overtaken_after"), 4),
                  " days, and an event of yesterday weighs ", plain_text(at("fresh_to_old"), 3),
                  " times the same of a year ago");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_two_events() { return std::make_unique<TwoEvents>(); }

}  // namespace fovea::ehr::decay
