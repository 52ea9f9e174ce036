#include "fovea/core/lab/sweep/sweep_points.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr const char* kPoint = "sweep_point";

/// The dimensions of a sweep's points, seed last: those that the headlines have.
std::vector<std::string> point_dimensions(const Results& results) {
  for (const Headline& headline : results.headlines()) {
    if (!results.data.has(headline.variable)) continue;
    const std::vector<std::string>& own = results.data.at(headline.variable).dimensions;
    if (!own.empty() && own.back() == kReplicas) return own;
  }
  return {};
}

class PointTable {
 public:
  explicit PointTable(Results& results) : results_(results), all_(point_dimensions(results)) {
    for (const std::string& dimension : all_) {
      const std::size_t size = results.data.size_of(dimension);
      if (dimension == kReplicas)
        seeds_ = size;
      else if (size > 1)
        keys_.push_back(dimension), points_ *= size;
    }
    seeds_are_points_ = !all_.empty() && keys_.empty();
    if (seeds_are_points_) points_ = seeds_;
  }

  void add() {
    if (points_ < 2) return;
    std::vector<std::int64_t> numbers;
    for (std::size_t p = 0; p < points_; ++p) numbers.push_back(static_cast<std::int64_t>(p) + 1);
    results_.coordinate(kPoint, numbers, "1", "point");
    table_ = {.kind = "table", .name = "points", .title = "Points of the sweep", .x = kPoint};
    for (const std::string& key : keys_) add_key(key);
    if (seeds_are_points_)
      add_key(std::string(kReplicas));
    else
      add_seeds();
    for (const Headline& headline : results_.headlines()) add_headline(headline);
    add_states();
    table_.caption = caption();
    results_.figure(table_);
  }

 private:
  /// Where a point stands on the axes, seeds aside.
  Selection at(std::size_t point) const {
    Selection selection;
    if (seeds_are_points_) selection[std::string(kReplicas)] = point;
    for (std::size_t k = keys_.size(); k-- > 0;) {
      const std::size_t size = results_.data.size_of(keys_[k]);
      selection[keys_[k]] = point % size;
      point /= size;
    }
    return selection;
  }

  void add_column(const std::string& name, Values values, const std::string& units, const std::string& meaning) {
    results_.add(name, {kPoint}, std::move(values), units, meaning);
    table_.variables.push_back(name);
  }

  void add_key(const std::string& key) {
    const Averaged coordinate = coordinate_of(results_.data, key);
    std::vector<double> numbers;
    std::vector<std::string> words;
    for (std::size_t p = 0; p < points_; ++p) {
      const std::size_t index = at(p).at(key);
      if (coordinate.words.empty())
        numbers.push_back(coordinate.mean[index]);
      else
        words.push_back(coordinate.words[index]);
    }
    const Variable* own = results_.data.has(key) ? &results_.data.at(key) : nullptr;
    add_column("point_" + key, words.empty() ? Values(numbers) : Values(words), own == nullptr ? "1" : own->units,
               key == kReplicas ? "seed" : label_text(key, own == nullptr ? "" : own->long_name));
  }

  /// How many points of each row have no result.
  std::size_t failed(std::size_t point) const {
    if (!results_.data.has("sweep_failed")) return 0;
    const Variable& variable = results_.data.at("sweep_failed");
    const std::size_t from = seeds_are_points_ ? point : point * seeds_, count = seeds_are_points_ ? 1 : seeds_;
    std::size_t sum = 0;
    for (std::size_t i = from; i < from + count; ++i) sum += variable.reals()[i] > 0 ? 1 : 0;
    return sum;
  }

  void add_seeds() {
    std::vector<std::int64_t> finished;
    for (std::size_t p = 0; p < points_; ++p) finished.push_back(static_cast<std::int64_t>(seeds_ - failed(p)));
    add_column("point_seeds", finished, "1", "seeds");
  }

  void add_states() {
    std::vector<std::string> states;
    for (std::size_t p = 0; p < points_; ++p) {
      const std::size_t missing = failed(p), of = seeds_are_points_ ? 1 : seeds_;
      states.push_back(missing == 0 ? "finished" : missing == of ? "failed" : concat(missing, " of ", of, " failed"));
    }
    add_column("point_state", states, "", "state");
  }

  bool is_of_points(const std::string& variable) const {
    if (!results_.data.has(variable)) return false;
    const std::vector<std::string>& own = results_.data.at(variable).dimensions;
    return std::all_of(own.begin(), own.end(), [&](const std::string& dimension) {
      return std::find(all_.begin(), all_.end(), dimension) != all_.end();
    });
  }

  Averaged values_of(const std::string& variable) const {
    return seeds_are_points_ ? all_replicas(results_.data, variable) : averaged(results_.data, variable);
  }

  void add_headline(const Headline& headline) {
    if (!is_of_points(headline.variable)) return;
    const Averaged array = values_of(headline.variable);
    const bool bracketed = is_of_points(headline.half_width);
    const Averaged half = bracketed ? values_of(headline.half_width) : Averaged{};
    equal_ = equal_ && (seeds_are_points_ || seeds_ < 2 || !differs_between_replicas(results_.data, headline.variable));
    std::vector<double> values, errors;
    for (std::size_t p = 0; p < points_ && !array.mean.empty(); ++p) {
      const Selection place = at(p);
      values.push_back(array.mean[array.position(place)]);
      const double spread = array.error.empty() ? kNan : array.error[array.position(place)];
      const double width = half.mean.empty() ? kNan : half.mean[half.position(place)];
      errors.push_back(std::isnan(spread) ? width : std::isnan(width) ? spread : std::max(spread, width));
    }
    if (values.empty()) return;
    any_error_ = any_error_ || std::any_of(errors.begin(), errors.end(), [](double e) { return e > 0; });
    const std::string name = "point_" + headline.variable;
    results_.add(name + "_error", {kPoint}, errors, "1", "error of " + headline.label);
    add_column(name, values, results_.data.at(headline.variable).units, headline.label);
    results_.data.at(name).attributes["ancillary_variables"] = name + "_error";
  }

  std::string caption() const {
    std::string text;
    if (!seeds_are_points_ && seeds_ > 1)
      text = equal_ ? concat("The ", seeds_, " seeds of each point gave the same values. ")
                    : concat("Means over those of the ", seeds_, " seeds that gave a value. ");
    if (!any_error_) return text;
    const bool spread = !seeds_are_points_ && seeds_ > 1 && !equal_;
    return text + (spread
                       ? "Errors: the larger of the standard error over the seeds and the half width of the interval."
                       : "Errors: the half width of the interval.");
  }

  Results& results_;
  std::vector<std::string> all_, keys_;
  std::size_t seeds_ = 1, points_ = 1;
  bool seeds_are_points_ = false, equal_ = true, any_error_ = false;
  Figure table_;
};

}  // namespace

Results with_sweep_points(Results results) {
  results.data = with_names(std::move(results.data));
  PointTable(results).add();
  return results;
}

Dataset without_sweep_points(Dataset data) {
  Dataset kept;
  kept.attributes = std::move(data.attributes);
  kept.documents = std::move(data.documents);
  for (const Dimension& dimension : data.dimensions())
    if (dimension.name != kPoint) kept.dimension(dimension.name, dimension.size);
  for (const Variable& variable : data.variables())
    if (variable.dimensions != std::vector<std::string>{kPoint}) kept.add(std::move(data.at(variable.name)));
  return kept;
}

}  // namespace fovea
