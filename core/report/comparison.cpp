#include "fovea/core/report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/report/page_text.hpp"

namespace fovea {
namespace {

constexpr const char* kRunAxis = "run";
constexpr double kTimesTheError = 2;

std::string document_named(const Results& results, const std::string& name) {
  const auto found = results.data.documents.find(name);
  return found == results.data.documents.end() ? "" : found->second;
}

std::vector<std::string> names_of(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) names.push_back(run.name);
  return names;
}

std::vector<std::string> arrays_of(const Figure& figure) {
  std::vector<std::string> names;
  for (const auto* list : {&figure.variables, &figure.references, &figure.marks})
    names.insert(names.end(), list->begin(), list->end());
  for (const std::string& name : {figure.band_low, figure.band_high, figure.labels, figure.failed, figure.groups})
    if (!name.empty()) names.push_back(name);
  return names;
}

const Figure* figure_named(const Results& results, const std::string& name) {
  for (const Figure& figure : results.figures())
    if (figure.name == name) return &figure;
  return nullptr;
}

/// Whether both have the array, over the same places.
bool same_places(const Dataset& a, const Dataset& b, const std::string& name) {
  if (!a.has(name) || !b.has(name)) return false;
  const Variable &x = a.at(name), &y = b.at(name);
  if (x.dimensions != y.dimensions || x.values.index() != y.values.index() || a.shape(x) != b.shape(y)) return false;
  return std::all_of(x.dimensions.begin(), x.dimensions.end(), [&](const std::string& dimension) {
    return a.has(dimension) == b.has(dimension) &&
           (!a.has(dimension) || a.at(dimension).values == b.at(dimension).values);
  });
}

bool can_be_shown_together(const Figure& figure, const std::vector<ComparedRun>& runs) {
  if (figure.kind != "lines" && figure.kind != "histogram" && figure.kind != "heatmap") return false;
  const std::vector<std::string> arrays = arrays_of(figure);
  return std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
    const Figure* own = figure_named(run.results, figure.name);
    return own != nullptr && own->kind == figure.kind && arrays_of(*own) == arrays &&
           std::all_of(arrays.begin(), arrays.end(), [&](const std::string& name) {
             return same_places(runs[0].results.data, run.results.data, name);
           });
  });
}

/// The arrays of one run that the figures draw, and where they lie.
Results drawn_part(const Results& results, const std::vector<Figure>& figures) {
  Results part;
  std::set<std::string> taken;
  const auto take = [&](const std::string& name) {
    if (results.data.has(name) && taken.insert(name).second) part.data.add(results.data.at(name));
  };
  for (const Figure& figure : figures)
    for (const std::string& name : arrays_of(figure)) {
      for (const std::string& dimension : results.data.at(name).dimensions) {
        part.data.dimension(dimension, results.data.size_of(dimension));
        take(dimension);
      }
      take(name);
      const auto& attributes = results.data.at(name).attributes;
      if (const auto errors = attributes.find("ancillary_variables"); errors != attributes.end()) take(errors->second);
    }
  return part;
}

/// Each run's line for each value of the hue as one dimension, since a figure has one hue.
void add_curve_dimension(Results& merged, Figure& figure, const std::vector<ComparedRun>& runs) {
  const std::string curves = "run_and_" + figure.hue;
  const Variable hue = merged.data.at(figure.hue);
  if (!merged.data.has(curves)) {
    std::vector<std::string> words;
    for (const ComparedRun& run : runs)
      std::visit(
          [&](const auto& values) {
            for (const auto& value : values) words.push_back(run.name + ": " + exact_text(value));
          },
          hue.values);
    merged.coordinate(curves, words, "", "run and " + (hue.long_name.empty() ? figure.hue : hue.long_name));
  }
  const auto as_curves = [&](std::string& name) {
    if (name.empty()) return;
    Variable variable = merged.data.at(name);
    const auto at = std::find(variable.dimensions.begin(), variable.dimensions.end(), figure.hue);
    if (at == variable.dimensions.end()) return;
    const std::vector<std::size_t> shape = merged.data.shape(variable);
    const auto axis = static_cast<std::size_t>(at - variable.dimensions.begin());
    std::size_t inner = 1, between = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    for (std::size_t i = 1; i < axis; ++i) between *= shape[i];
    std::visit(
        [&](auto& values) {
          auto moved = values;
          std::size_t next = 0;
          for (std::size_t r = 0; r < shape[0]; ++r)
            for (std::size_t h = 0; h < shape[axis]; ++h)
              for (std::size_t b = 0; b < between; ++b)
                for (std::size_t i = 0; i < inner; ++i)
                  moved[next++] = values[((r * between + b) * shape[axis] + h) * inner + i];
          values = std::move(moved);
        },
        variable.values);
    variable.dimensions.erase(at);
    variable.dimensions.front() = curves;
    variable.name = name + "_by_run";
    variable.attributes.erase("ancillary_variables");
    name = variable.name;
    if (!merged.data.has(name)) merged.data.add(std::move(variable));
  };
  for (auto* list : {&figure.variables, &figure.references, &figure.marks})
    for (std::string& name : *list) as_curves(name);
  for (std::string* name : {&figure.band_low, &figure.band_high, &figure.failed}) as_curves(*name);
  figure.hue = curves;
}

void add_headline_table(const std::vector<ComparedRun>& runs, Results& results) {
  const std::vector<ComparedHeadline> headlines = compared_headlines(runs);
  if (headlines.empty()) return;
  Figure table{.kind = "table", .name = "compared_headlines", .title = "Headlines", .x = "compared_headline"};
  std::vector<std::string> labels;
  for (const ComparedHeadline& one : headlines)
    labels.push_back(one.label + (one.units.empty() || one.units == "1" ? "" : " (" + one.units + ")"));
  results.coordinate("compared_headline", labels, "", "headline");
  const auto column = [&](const std::string& name, const std::string& meaning, const auto& value, const auto& error) {
    std::vector<double> values, errors;
    for (const ComparedHeadline& one : headlines) values.push_back(value(one)), errors.push_back(error(one));
    results.add(name, {"compared_headline"}, values, "1", meaning);
    results.add(name + "_error", {"compared_headline"}, errors, "1", "error of " + meaning);
    results.data.at(name).attributes["ancillary_variables"] = name + "_error";
    table.variables.push_back(name);
  };
  for (std::size_t r = 0; r < runs.size(); ++r)
    column(
        "value_" + std::to_string(r), runs[r].name, [&](const auto& one) { return one.values[r].value; },
        [&](const auto& one) { return one.values[r].error; });
  for (std::size_t r = 1; r < runs.size(); ++r) {
    column(
        "difference_" + std::to_string(r), runs[r].name + " \xE2\x88\x92 " + runs[0].name,
        [&](const auto& one) { return one.difference(r); }, [&](const auto& one) { return one.error(r); });
    std::vector<std::string> words;
    for (const ComparedHeadline& one : headlines) words.push_back(one.judged(r));
    results.add("judged_" + std::to_string(r), {"compared_headline"}, words, "", "difference and errors");
    table.variables.push_back("judged_" + std::to_string(r));
  }
  table.caption =
      "Values with their errors: the larger of the standard error over seeds and the half width of the "
      "interval. The error of a difference is the root of the sum of both squares.";
  results.figure(table);
}

void add_key_table(const std::vector<ComparedRun>& runs, Results& results) {
  const std::vector<ComparedKey> keys = differing_keys(runs);
  if (keys.empty()) return;
  Figure table{.kind = "table", .name = "compared_keys", .title = "Keys that differ", .x = "compared_key"};
  std::vector<std::string> names;
  for (const ComparedKey& key : keys) names.push_back(key.key);
  results.coordinate("compared_key", names, "", "key");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::vector<std::string> values;
    for (const ComparedKey& key : keys) values.push_back(key.values[r].empty() ? "\xE2\x80\x93" : key.values[r]);
    results.add("key_" + std::to_string(r), {"compared_key"}, values, "", runs[r].name);
    table.variables.push_back("key_" + std::to_string(r));
  }
  table.caption = "All other keys have the same value in all runs.";
  results.figure(table);
}

void add_shared_figures(const std::vector<ComparedRun>& runs, Results& results) {
  std::vector<Figure> shared;
  std::string left_out;
  for (const Figure& figure : runs[0].results.figures()) {
    if (can_be_shown_together(figure, runs))
      shared.push_back(figure);
    else if (figure.kind != "table")
      left_out += (left_out.empty() ? "" : ", ") + figure.title;
  }
  if (!left_out.empty())
    results.note("Not drawn together, since the runs do not have the same figure over the same places: " + left_out +
                 ".");
  std::vector<Results> parts;
  for (const ComparedRun& run : runs) parts.push_back(drawn_part(run.results, shared));
  std::vector<const Results*> points;
  for (const Results& part : parts) points.push_back(&part);
  Results merged = merge_results({{kRunAxis, names_of(runs), "", "run"}}, points);
  for (Figure& figure : shared) {
    if (figure.kind != "heatmap" && figure.hue.empty())
      figure.hue = kRunAxis;
    else if (figure.kind != "heatmap")
      add_curve_dimension(merged, figure, runs);
  }
  for (const Dimension& dimension : merged.data.dimensions()) results.data.dimension(dimension.name, dimension.size);
  for (const Variable& variable : merged.data.variables()) results.data.add(variable);
  for (Figure& figure : shared) results.figure(std::move(figure));
}

std::string comparison_verdict(const std::vector<ComparedRun>& runs) {
  const std::size_t keys = differing_keys(runs).size();
  std::size_t compared = 0, beyond = 0;
  for (const ComparedHeadline& headline : compared_headlines(runs))
    for (std::size_t r = 1; r < runs.size(); ++r) {
      compared += std::isnan(headline.error(r)) || std::isnan(headline.difference(r)) ? 0 : 1;
      beyond += headline.exceeds(r) ? 1 : 0;
    }
  std::string text = keys == 0
                         ? "No key differs."
                         : counted(static_cast<std::int64_t>(keys), "key") + (keys == 1 ? " differs." : " differ.");
  if (compared > 0)
    text += concat(" ", beyond, " of ", compared, " headline differences ", beyond == 1 ? "exceeds" : "exceed",
                   " twice the error.");
  return text;
}

}  // namespace

std::string compared_name(std::size_t index) {
  constexpr std::size_t kLetters = 26;
  return index < kLetters ? std::string(1, static_cast<char>('A' + index)) : concat("run ", index + 1);
}

std::vector<ComparedKey> differing_keys(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedKey> keys;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const ConfigLine& line : config_lines(document_named(runs[r].results, "resolved_toml"), "")) {
      auto place = std::find_if(keys.begin(), keys.end(), [&](const ComparedKey& key) { return key.key == line.key; });
      if (place == keys.end()) place = keys.insert(keys.end(), {line.key, std::vector<std::string>(runs.size())});
      place->values[r] = line.value;
    }
  std::erase_if(keys, [](const ComparedKey& key) {
    return std::all_of(key.values.begin(), key.values.end(), [&](const auto& value) { return value == key.values[0]; });
  });
  return keys;
}

double ComparedHeadline::difference(std::size_t run) const { return values[run].value - values[0].value; }

double ComparedHeadline::error(std::size_t run) const {
  const double a = values[0].error, b = values[run].error;
  if (std::isnan(a) && std::isnan(b)) return kNan;
  return std::hypot(std::isnan(a) ? 0 : a, std::isnan(b) ? 0 : b);
}

bool ComparedHeadline::exceeds(std::size_t run) const {
  return std::abs(difference(run)) > kTimesTheError * error(run);
}

std::string ComparedHeadline::judged(std::size_t run) const {
  if (std::isnan(difference(run))) return "";
  if (difference(run) == 0) return "equal";
  if (std::isnan(error(run))) return "no error is known";
  return exceeds(run) ? "more than twice the error" : "within twice the error";
}

std::vector<ComparedHeadline> compared_headlines(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedHeadline> all;
  const HeadlineValue none{"", kNan, kNan, kNan};
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const Headline& headline : runs[r].results.headlines()) {
      const Dataset& data = runs[r].results.data;
      for (const HeadlineValue& value : headline_values(data, headline)) {
        const std::string label = headline.label + (value.place.empty() ? "" : " (" + value.place + ")");
        auto place = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.label == label; });
        if (place == all.end())
          place = all.insert(all.end(), {label, data.at(headline.variable).units, std::vector(runs.size(), none)});
        place->values[r] = value;
      }
    }
  return all;
}

Results comparison(const std::vector<ComparedRun>& runs) {
  Results results;
  std::string names;
  for (const ComparedRun& run : runs) names += (names.empty() ? "" : &run == &runs.back() ? " and " : ", ") + run.name;
  results.data.attributes["title"] = names + " compared";
  for (const ComparedRun& run : runs) {
    const auto title = run.results.data.attributes.find("title");
    results.read(run.name + ": " + run.path + (title == run.results.data.attributes.end() ? "" : ", " + title->second));
  }
  results.verdict(comparison_verdict(runs));
  add_headline_table(runs, results);
  add_key_table(runs, results);
  add_shared_figures(runs, results);
  return results;
}

}  // namespace fovea
