#include "fovea/core/study/cases/preparation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/cases/token_classes.hpp"

namespace fovea::study {

namespace {

/// Mean, deviation and range of one feature over the tokens of these cases, in their order.
FeatureScale scale_of(const Cases& cases, Index feature, const std::vector<Index>& items) {
  double sum = 0, count = 0;
  FeatureScale scale;
  scale.low = scale.high = kNan;
  const auto each = [&](const auto& visit) {
    for (const Index item : items)
      for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i)
        visit(static_cast<double>(cases.values(i, feature)));
  };
  each([&](double x) {
    if (std::isnan(x)) {
      scale.marked = true;
      return;
    }
    sum += x;
    ++count;
    if (!(scale.low <= x)) scale.low = x;
    if (!(scale.high >= x)) scale.high = x;
  });
  if (count == 0) return scale;
  scale.mean = sum / count;
  double squares = 0;
  each([&](double x) {
    if (!std::isnan(x)) squares += (x - scale.mean) * (x - scale.mean);
  });
  const double deviation = std::sqrt(squares / count);
  scale.deviation = deviation > 0 && std::isfinite(deviation) ? deviation : 1;
  if (cases.features[feature].ready) scale.mean = 0, scale.deviation = 1;
  return scale;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void scale_target(const Cases& cases, const std::vector<Index>& training, const Target& target, Preparation& made) {
  if (!target.rule().real()) return;
  const Cases learned = selected(cases, training);
  double sum = 0, count = 0, squares = 0;
  for (const double y : learned.targets)
    if (!std::isnan(y)) sum += y, ++count;
  if (count == 0) return;
  made.target_mean = sum / count;
  for (const double y : learned.targets)
    if (!std::isnan(y)) squares += (y - made.target_mean) * (y - made.target_mean);
  const double deviation = std::sqrt(squares / count);
  if (deviation > 0) made.target_deviation = deviation;
}

std::string type_of(const Feature& feature) {
  return feature.categories.empty() ? "a number" : concat("one of ", feature.categories.size(), " categories");
}

void check_match(const std::string& source, const Feature& wanted, const Feature& found) {
  if (wanted.categories != found.categories)
    throw DataError(concat(source, ": feature '", wanted.name, "' is ", type_of(found),
                           ", but the model was trained on ", type_of(wanted),
                           wanted.categories.empty() ? "" : " of the names that `fovea inspect` shows", "."));
  if (wanted.unit != found.unit)
    throw DataError(concat(source, ": feature '", wanted.name, "' is in '", found.unit,
                           "', but the model was trained on '", wanted.unit, "'; convert it."));
}

}  // namespace

bool operator==(const FeatureScale& a, const FeatureScale& b) {
  return same(a.mean, b.mean) && same(a.deviation, b.deviation) && same(a.low, b.low) && same(a.high, b.high) &&
         a.marked == b.marked && a.quantiles == b.quantiles;
}

Index Preparation::inputs() const {
  Index inputs = 0;
  for (std::size_t f = 0; f < features.size(); ++f) inputs += width(f);
  return inputs;
}

Index Preparation::width(std::size_t feature) const {
  if (!features[feature].categories.empty()) return static_cast<Index>(features[feature].categories.size());
  return !classes.empty() || scales[feature].marked ? 2 : 1;
}

std::string Preparation::scale_name(std::size_t scale) const {
  const std::string& feature = features[scale % features.size()].name;
  if (classes.empty()) return feature;
  const std::string& kind = classes[scale / features.size()];
  return features.size() == 1 ? kind : kind + ", " + feature;
}

Preparation prepare(const Cases& cases, const std::vector<Index>& training, const Target& target) {
  Preparation made;
  made.features = cases.features;
  made.time_unit = cases.time_unit;
  made.coordinates = cases.coordinates.rows() > 0 ? cases.coordinates.cols() : 0;
  Index tokens = 0;
  for (const Index item : training) tokens += cases.size(item);
  if (tokens == 0) throw DataError("no case of the training part has a token; at least one is needed.");
  made.classes = cases.classes;
  if (made.classes.empty())
    for (Index f = 0; f < cases.values.cols(); ++f) made.scales.push_back(scale_of(cases, f, training));
  else
    made.scales = scales_of_classes(cases, training);
  scale_target(cases, training, target, made);
  return made;
}

Matrix<float> prepared(const Preparation& preparation, const Cases& cases) {
  Matrix<float> inputs = Matrix<float>::Zero(cases.tokens(), preparation.inputs());
  const std::size_t features = preparation.features.size();
  Index column = 0;
  for (std::size_t f = 0; f < features; ++f) {
    const bool categories = !preparation.features[f].categories.empty(), classed = !preparation.classes.empty();
    for (Index i = 0; i < inputs.rows(); ++i) {
      const FeatureScale& scale = preparation.scales[classed ? cases.kinds[i] * features + f : f];
      const float x = cases.values(i, static_cast<Index>(f));
      const bool missing = std::isnan(x) || (classed && !categories && std::isnan(scale.low));
      if (missing) {
        if (!categories && (classed || scale.marked)) inputs(i, column + 1) = 1;
      } else if (categories) {
        inputs(i, column + static_cast<Index>(x)) = 1;
      } else {
        const auto value = static_cast<double>(x);
        inputs(i, column) = static_cast<float>(preparation.features[f].ready ? value
                                               : classed                     ? normal_score(scale.quantiles, value)
                                                                             : (value - scale.mean) / scale.deviation);
      }
    }
    column += preparation.width(f);
  }
  return inputs;
}

Cases matched(const std::string& source, const Preparation& preparation, Cases cases, Difference& difference) {
  const std::size_t count = preparation.features.size();
  difference.outside.resize(preparation.scales.size());
  difference.missing.resize(preparation.scales.size());
  cases = matched_classes(source, preparation, std::move(cases), difference);
  Matrix<float> values(cases.values.rows(), static_cast<Index>(count));
  for (std::size_t f = 0; f < count; ++f) {
    const Feature& wanted = preparation.features[f];
    const auto found = std::find_if(cases.features.begin(), cases.features.end(),
                                    [&](const Feature& feature) { return feature.name == wanted.name; });
    if (found == cases.features.end())
      throw DataError(concat(source, ": has no feature '", wanted.name, "' (", wanted.unit,
                             "), which the model needs; `fovea inspect` shows the features of the model."));
    check_match(source, wanted, *found);
    values.col(static_cast<Index>(f)) = cases.values.col(found - cases.features.begin());
    for (Index i = 0; i < values.rows(); ++i) {
      const std::size_t s = cases.kinds.empty() ? f : cases.kinds[i] * count + f;
      const FeatureScale& scale = preparation.scales[s];
      const auto x = static_cast<double>(values(i, static_cast<Index>(f)));
      if (std::isnan(x))
        difference.missing[s] += scale.marked ? 0 : 1;
      else if (wanted.categories.empty() && !(x >= scale.low && x <= scale.high))
        ++difference.outside[s];
    }
  }
  if (preparation.time_unit != cases.time_unit && !(cases.time_unit.empty() && cases.tokens() == 0))
    throw DataError(concat(source, ": its times are ",
                           cases.time_unit.empty() ? std::string("missing") : concat("in '", cases.time_unit, "'"),
                           ", but the model was trained ",
                           preparation.time_unit.empty() ? std::string("without times")
                                                         : concat("with times in '", preparation.time_unit, "'"),
                           "."));
  if (cases.tokens() > 0 && preparation.coordinates != (cases.coordinates.rows() > 0 ? cases.coordinates.cols() : 0))
    throw DataError(concat(source, ": has ", cases.coordinates.rows() > 0 ? cases.coordinates.cols() : 0,
                           " coordinates a token, but the model was trained on ", preparation.coordinates, "."));
  cases.features = preparation.features;
  cases.values = std::move(values);
  return cases;
}

}  // namespace fovea::study
