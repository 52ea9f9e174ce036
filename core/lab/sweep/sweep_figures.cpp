#include "fovea/core/lab/sweep/sweep_figures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostLines = 6;  ///< of a second key; more are a map

/// A swept key as a dimension of the merged results.
struct SweptAxis {
  std::string name;
  std::vector<double> values;  ///< empty: words or flags
  std::size_t size = 0;
};

std::string dimension_of(const std::string& key, const Dataset& data) {
  std::string name = key;
  std::replace(name.begin(), name.end(), '.', '_');
  return data.has("sweep_" + name) ? "sweep_" + name : name;
}

std::vector<double> numbers_of(const SweepAxis& axis) {
  std::vector<double> numbers;
  for (const ConfigValue& value : axis.values) {
    if (const auto* real = std::get_if<double>(&value)) numbers.push_back(*real);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) numbers.push_back(static_cast<double>(*whole));
  }
  return numbers.size() == axis.values.size() ? numbers : std::vector<double>();
}

std::vector<SweptAxis> axes_of(const Sweep& sweep, const Dataset& data) {
  std::vector<SweptAxis> axes;
  for (const SweepAxis& axis : sweep.axes())
    if (axis.key != "seed" && axis.values.size() > 1)
      axes.push_back({dimension_of(axis.key, data), numbers_of(axis), axis.values.size()});
  return axes;
}

/// The largest of the gaps between neighbours, relative to the least.
double unevenness(const std::vector<double>& sorted) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    least = std::min(least, sorted[k] - sorted[k - 1]);
    most = std::max(most, sorted[k] - sorted[k - 1]);
  }
  return most / least;
}

/// Whether factors, rather than steps, lead from value to value.
bool is_logarithmic(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  if (values.size() < 3 || !(values.front() > 0) || values.back() < 5 * values.front()) return false;
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return unevenness(logarithms) < unevenness(values);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

class SweepFigures {
 public:
  SweepFigures(const Sweep& sweep, const std::vector<char>& finished, const std::vector<SweptCheck>& checks,
               Results& merged)
      : sweep_(sweep), finished_(finished), checks_(checks), merged_(merged), axes_(axes_of(sweep, merged.data)) {
    for (const SweepAxis& axis : sweep.axes()) all_.push_back(dimension_of(axis.key, merged.data));
    for (const SweptAxis& axis : axes_)
      if (!axis.values.empty()) keys_.push_back(axis);
    std::stable_sort(keys_.begin(), keys_.end(),
                     [](const SweptAxis& a, const SweptAxis& b) { return a.size > b.size; });
  }

  void add() {
    if (keys_.empty()) return add_table();
    const bool drawn = experiment_draws_them();
    add_failed();
    std::vector<Figure> figures;
    const std::vector<Headline> headlines = merged_.headlines();
    for (const Headline& headline : headlines)
      if (std::optional<Figure> figure = figure_of(headline)) figures.push_back(std::move(*figure));
    note_failed(!figures.empty());
    if (!drawn) return merged_.lead(std::move(figures));
    for (Figure& figure : figures) merged_.figure(std::move(figure));
  }

  /// Words have no curve; more of them than a few cards can show are rows.
  void add_table() {
    constexpr std::size_t kFew = 3;
    const auto most = std::max_element(axes_.begin(), axes_.end(),
                                       [](const SweptAxis& a, const SweptAxis& b) { return a.size < b.size; });
    if (most == axes_.end() || most->size <= kFew) return;
    Figure figure{.kind = "table", .name = "headlines_over_sweep", .x = most->name};
    for (const Headline& headline : merged_.headlines())
      if (is_of_points(headline.variable) && varies_over(headline.variable, most->name))
        figure.variables.push_back(headline.variable);
    if (figure.variables.empty()) return;
    figure.title = "Results for each " + label_of(most->name);
    const std::size_t seeds = sweep_.axes().back().values.size();
    figure.caption = seeds > 1 ? concat("Mean of ", seeds, " seeds with its standard error.") : "One seed.";
    merged_.lead({std::move(figure)});
  }

 private:
  bool experiment_draws_them() const {
    return std::any_of(merged_.figures().begin(), merged_.figures().end(), [&](const Figure& figure) {
      return std::any_of(keys_.begin(), keys_.end(), [&](const SweptAxis& key) {
        return figure.x == key.name || figure.y == key.name || figure.hue == key.name;
      });
    });
  }

  void add_failed() {
    std::vector<double> failed;
    for (const char done : finished_) failed.push_back(done != 0 ? 0 : 1);
    const auto count = std::count(finished_.begin(), finished_.end(), char{0});
    if (count == 0) return;
    merged_.add("sweep_failed", all_, std::move(failed), "1", "1: the point failed");
  }

  void note_failed(bool drawn) {
    const auto count = std::count(finished_.begin(), finished_.end(), char{0});
    if (count == 0) return;
    merged_.note(concat(count, " of the ", finished_.size(), count == 1 ? " points has" : " points have", " no result",
                        drawn ? "; a cross stands where one is missing." : "."));
  }

  bool varies_over(const std::string& variable, const std::string& dimension) const {
    const std::vector<std::string>& own = merged_.data.at(variable).dimensions;
    return std::find(own.begin(), own.end(), dimension) != own.end();
  }

  /// A number for each point, and nothing else along which it varies.
  bool is_of_points(const std::string& variable) const {
    if (!merged_.data.has(variable)) return false;
    const Variable& own = merged_.data.at(variable);
    return std::all_of(own.dimensions.begin(), own.dimensions.end(), [&](const std::string& dimension) {
      return std::find(all_.begin(), all_.end(), dimension) != all_.end();
    });
  }

  std::string prediction_of(const Headline& headline) {
    if (is_of_points(headline.predicted)) return headline.predicted;
    const Variable& own = merged_.data.at(headline.variable);
    if (own.dimensions != all_ || !std::holds_alternative<std::vector<double>>(own.values)) return {};
    const std::vector<double> values = own.reals();
    for (const SweptCheck& check : checks_) {
      bool same = true;
      for (std::size_t p = 0; p < values.size() && same; ++p)
        same = finished_[p] == 0 || same_bits(values[p], check.measured[p]);
      if (!same) continue;
      const std::string name = headline.variable + "_by_check";
      merged_.add(name, all_, check.predicted, own.units, concat("predicted: check ", check.name));
      return name;
    }
    return {};
  }

  std::string label_of(const std::string& name) const { return label_text(name, merged_.data.at(name).long_name); }

  std::optional<Figure> figure_of(const Headline& headline) {
    if (!is_of_points(headline.variable)) return std::nullopt;
    std::vector<SweptAxis> keys;
    for (const SweptAxis& key : keys_)
      if (varies_over(headline.variable, key.name)) keys.push_back(key);
    if (keys.empty()) return std::nullopt;
    Figure figure{.name = headline.variable + "_over_sweep", .variables = {headline.variable}, .x = keys[0].name};
    figure.log_x = is_logarithmic(keys[0].values);
    if (merged_.data.has("sweep_failed")) figure.failed = "sweep_failed";
    if (const std::string predicted = prediction_of(headline); !predicted.empty()) figure.references = {predicted};
    figure.title = headline.label + " against " + label_of(keys[0].name);
    if (keys.size() > 1) figure.title += " and " + label_of(keys[1].name);
    if (keys.size() > 1 && keys[1].size > kMostLines) {
      figure.kind = "heatmap";
      figure.y = keys[1].name;
    } else if (keys.size() > 1) {
      figure.hue = keys[1].name;
    } else {
      for (const SweptAxis& axis : axes_)
        if (axis.values.empty() && figure.hue.empty() && varies_over(headline.variable, axis.name))
          figure.hue = axis.name;
    }
    figure.caption = caption_of(headline, figure);
    return figure;
  }

  std::string caption_of(const Headline& headline, const Figure& figure) const {
    const bool map = figure.kind == "heatmap";
    const std::size_t seeds = sweep_.axes().back().values.size();
    std::string text = headline.meaning;
    if (!text.empty()) text += ' ';
    if (seeds > 1 && !differs_between_replicas(merged_.data, headline.variable))
      text += concat(seeds, " seeds, all with the same values", map ? "." : "; hence no band.");
    else if (seeds > 1)
      text += concat("Mean of ", seeds, " seeds", map ? "." : "; the band is its standard error.");
    if (seeds == 1) text += map ? "One seed." : "One seed, hence no band.";
    if (!figure.references.empty())
      text += map ? " Lines: where the prediction has the values written on them." : " Dashed: predicted.";
    if (!figure.failed.empty()) text += " Crosses: points that failed.";
    return text;
  }

  const Sweep& sweep_;
  const std::vector<char>& finished_;
  const std::vector<SweptCheck>& checks_;
  Results& merged_;
  std::vector<SweptAxis> axes_, keys_;  ///< with several values; of them those of numbers, most values first
  std::vector<std::string> all_;        ///< dimensions of the points, seed last
};

}  // namespace

void add_checks(std::vector<SweptCheck>& checks, const Results& results, std::size_t point, std::size_t points) {
  for (const Check& check : results.checks()) {
    auto place = std::find_if(checks.begin(), checks.end(), [&](const auto& c) { return c.name == check.name; });
    if (place == checks.end()) {
      const std::vector<double> missing(points, std::numeric_limits<double>::quiet_NaN());
      place = checks.insert(checks.end(), {check.name, missing, missing});
    }
    place->predicted[point] = check.predicted;
    place->measured[point] = check.measured;
  }
}

void add_sweep_figures(const Sweep& sweep, const std::vector<char>& finished, const std::vector<SweptCheck>& checks,
                       Results& merged) {
  SweepFigures(sweep, finished, checks, merged).add();
}

}  // namespace fovea
