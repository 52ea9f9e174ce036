#include "fovea/core/learning/layers/class_heads.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

/// Each of `rows` rows f(start), start by start.
template <typename Real, typename F>
Matrix<Real> rows_of(const std::vector<double>& starts, Index rows, F f) {
  Matrix<Real> all(rows, static_cast<Index>(starts.size()));
  for (Index k = 0; k < all.cols(); ++k) all.col(k).setConstant(static_cast<Real>(f(starts[k])));
  return all;
}

void check_starts(const std::string& name, const char* what, const std::vector<double>& starts, std::size_t heads,
                  bool infinite) {
  require(starts.size() == heads, name, ": there are ", starts.size(), " ", what, " for ", heads,
          " heads; each needs one.");
  for (const double start : starts)
    require(start > 0 && (infinite || std::isfinite(start)), name, ": one of the ", what, " is ", start,
            infinite ? ", but must be > 0." : ", but must be > 0 and finite.");
}

void check_settings(const std::string& name, const ClassHeadsSettings& settings) {
  const std::size_t heads = settings.sharpness.size();
  require(settings.classes >= 1, name, ": there are ", settings.classes, " classes, but must be at least 1.");
  check_starts(name, "half-lives", settings.half_lives, heads, settings.exponents.empty());
  check_starts(name, "half-lives of masses", settings.mass_half_lives, settings.mass_half_lives.size(), true);
  if (!settings.exponents.empty()) check_starts(name, "exponents", settings.exponents, heads, false);
  require(settings.time_rate > 0 && std::isfinite(settings.time_rate), name, ": the rate of times is ",
          settings.time_rate, ", but must be > 0.");
}

}  // namespace

template <typename Real>
ClassHeads<Real>::ClassHeads(Parameters<Real>& parameters, const std::string& name, const ClassHeadsSettings& settings)
    : power_law_(!settings.exponents.empty()), time_rate_(settings.time_rate) {
  check_settings(name, settings);
  const Index rows = settings.shared_times ? 1 : settings.classes;
  const auto stored = [&](double start) {
    return (std::isinf(start) ? kNoDecay : std::log(start)) / settings.time_rate;
  };
  const auto add = [&](const char* what, const std::vector<double>& starts, bool learns) {
    return parameters.add(name + what, rows_of<Real>(starts, rows, stored), Decay::no, learns);
  };
  sharpness_ = parameters.add(name + ".sharpness",
                              rows_of<Real>(settings.sharpness, settings.classes, [](double start) { return start; }),
                              Decay::no, settings.learn_sharpness);
  time_ = add(power_law_ ? ".log_scale" : ".log_half_life", settings.half_lives, settings.learn_times);
  if (power_law_) exponent_ = add(".log_exponent", settings.exponents, settings.learn_times);
  mass_ = add(".log_mass_half_life", settings.mass_half_lives, settings.learn_times);
  row_of_class_.assign(settings.classes, 0);
}

template <typename Real>
Variable<Real> ClassHeads<Real>::of_classes(Tape<Real>& tape, const ParameterPlace& place) const {
  Variable<Real> logs = tape.parameter(place);
  if (time_rate_ != 1) logs = scale(logs, static_cast<Real>(time_rate_));
  return place.rows == sharpness_.rows ? logs : gather_rows(logs, std::span<const Index>(row_of_class_));
}

template <typename Real>
Variable<Real> ClassHeads<Real>::operator()(Variable<Real> values, const ClassEvents& events,
                                            const TimedQueries& queries) const {
  Tape<Real>& tape = values.tape();
  const Variable<Real> sharpness = tape.parameter(sharpness_), time = of_classes(tape, time_),
                       mass = of_classes(tape, mass_);
  if (!power_law_) return class_pooling(values, DecayHeads<Real>{sharpness, time, mass}, events, queries);
  return class_pooling(values, PowerLawHeads<Real>{sharpness, of_classes(tape, exponent_), time, mass}, events,
                       queries);
}

template <typename Real>
Variable<Real> ClassHeads<Real>::with_squares(Variable<Real> values, const ClassHeads& squares,
                                              const ClassEvents& events, const TimedQueries& queries) const {
  Tape<Real>& tape = values.tape();
  if (power_law_ || squares.power_law_) {
    const std::array<Variable<Real>, 2> parts{(*this)(values, events, queries),
                                              squares(multiply(values, values), events, queries)};
    return join_columns<Real>(parts);
  }
  const auto heads = [&](const ClassHeads& some) {
    return DecayHeads<Real>{tape.parameter(some.sharpness_), some.of_classes(tape, some.time_),
                            some.of_classes(tape, some.mass_)};
  };
  return class_pooling_with_squares(values, heads(*this), heads(squares), events, queries);
}

template <typename Real>
Matrix<double> ClassHeads<Real>::half_lives(const Parameters<Real>& parameters) const {
  const Matrix<double> logs = time_rate_ * parameters.matrix(time_).template cast<double>();
  Matrix<double> times(sharpness_.rows, logs.cols());
  for (Index c = 0; c < times.rows(); ++c)
    for (Index h = 0; h < times.cols(); ++h) times(c, h) = std::exp(logs(logs.rows() == 1 ? 0 : c, h));
  return times;
}

namespace {

/// Events of two classes by turns, asked at the last time of their set.
struct ClassHeadsExample {
  GroupedEvents events;
  std::vector<Index> query_offsets;
  std::vector<double> query_times;
};

ClassHeadsExample class_heads_example(const Tokens& tokens) {
  std::vector<Index> classes;
  for (Index i = 0; i < tokens.count(); ++i) classes.push_back(i % 2);
  ClassHeadsExample example{group_by_class(tokens.offsets, tokens.times, classes, 2), {0}, {}};
  for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b) {
    const Index last = tokens.offsets[b + 1];
    if (last > tokens.offsets[b]) example.query_times.push_back(tokens.times[last - 1] + 1);
    example.query_offsets.push_back(static_cast<Index>(example.query_times.size()));
  }
  return example;
}

/// A layer of one column for the table.
template <typename Real>
LayerFunction<Real> tried_class_heads(Parameters<Real>& parameters, const ClassHeadsSettings& settings) {
  return [layer = ClassHeads<Real>(parameters, "heads", settings)](Variable<Real> x, const Tokens& tokens) {
    const auto& example = x.tape().template kept<ClassHeadsExample>() = class_heads_example(tokens);
    return layer(gather_rows(x, std::span<const Index>(example.events.order)), example.events.view(),
                 {example.query_offsets, example.query_times});
  };
}

}  // namespace

template <typename Real>
LayerEntry<Real> class_heads_layer_entry() {
  return {"class_heads", "class_pooling with a half-life for each class and head", "Che et al. 2018", 1,
          [](Parameters<Real>& parameters, const Random&) {
            return tried_class_heads(parameters, {2, {0.3, 2, INFINITY}, {0, 1, -0.5}, {}, {1}, true, true, false, 3});
          }};
}

template <typename Real>
LayerEntry<Real> class_heads_power_law_layer_entry() {
  return {"class_heads_power_law", "class_pooling with a power law for each head, shared by the classes",
          "Hegazy et al. 2026", 1, [](Parameters<Real>& parameters, const Random&) {
            return tried_class_heads(parameters, {2, {0.3, 2}, {0, 1}, {1, 0.5}, {1}, true, true, true, 1});
          }};
}

template class ClassHeads<float>;
template class ClassHeads<double>;
FOVEA_LAYER_ENTRY(class_heads_layer)
FOVEA_LAYER_ENTRY(class_heads_power_law_layer)

}  // namespace fovea::learning
