#include "fovea/domains/lag/door/json_output.hpp"

#include <cmath>
#include <map>

#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/domains/lag/door/file_facts.hpp"
#include "fovea/domains/lag/door/pair_rows.hpp"
#include "fovea/domains/lag/door/promise.hpp"

namespace fovea::lag::door {

namespace {

Json number_or_null(double value) { return std::isfinite(value) ? json(value) : Json{"null"}; }

Json text_or_null(const std::string& text) { return text.empty() ? Json{"null"} : json(text); }

/// By name; a series that is not a target, or has no cause, has none.
std::map<std::string, double> skills_of(const Dataset& data) {
  std::map<std::string, double> skills;
  if (!data.has("forecast_skill")) return skills;
  const std::vector<double>& skill = data.at("forecast_skill").reals();
  for (std::size_t i = 0; i < skill.size(); ++i) skills[words(data, "effect")[i]] = skill[i];
  return skills;
}

/// By name: why links into a series are not promised.
std::map<std::string, std::vector<Json>> doubts_of(const Dataset& data) {
  std::map<std::string, std::vector<Json>> doubts;
  if (!data.has("doubt_series")) return doubts;
  const std::vector<std::string>& series = words(data, "doubt_series");
  for (std::size_t i = 0; i < series.size(); ++i) {
    JsonObject doubt;
    for (const std::string name : {"kind", "reason", "remedy"}) doubt.add(name, words(data, "doubt_" + name)[i]);
    doubts[series[i]].push_back(doubt.done());
  }
  return doubts;
}

Json json_of(const SeriesFacts& series, const std::map<std::string, double>& skills,
             const std::map<std::string, std::vector<Json>>& doubts) {
  JsonObject object;
  object.add("name", series.name).add("group", text_or_null(series.group)).add("unit", text_or_null(series.unit));
  object.add("rows", series.rows).add("missing", series.missing);
  object.add("min", number_or_null(series.least)).add("max", number_or_null(series.most));
  const auto skill = skills.find(series.name);
  object.add("skill", skill == skills.end() ? Json{"null"} : number_or_null(skill->second));
  const auto doubt = doubts.find(series.name);
  return object.add("doubts", json_list(doubt == doubts.end() ? std::vector<Json>{} : doubt->second)).done();
}

/// What is in front of the lists of links and pairs.
struct Heading {
  Json lags;
  double level = 0;
  std::string method, promise;
};

JsonObject document(const RunSummary& summary, const Asked& asked, const Heading& heading) {
  const FileFacts facts = *asked.request.seen.as<FileFacts>();
  std::vector<Json> series;
  const std::map<std::string, double> skills = skills_of(summary.results.data);
  const std::map<std::string, std::vector<Json>> doubts = doubts_of(summary.results.data);
  for (const SeriesFacts& one : facts.series) series.push_back(json_of(one, skills, doubts));
  JsonObject object;
  object.add("version", build().version).add("file", asked.arguments.positional[0]).add("rows", facts.rows);
  object.add("recordings", facts.recordings).add("step", facts.step > 0 ? json(facts.step) : Json{"null"});
  object.add("unit", text_or_null(facts.unit)).add("lags", heading.lags).add("level", heading.level);
  object.add("method", heading.method).add("verdict", summary.results.verdict()).add("promise", heading.promise);
  object.add("findings", Json{findings_json(summary.results.findings())});
  object.add("notes", json_texts(summary.results.notes())).add("series", json_list(series));
  return object;
}

Json lags_of_links(const Dataset& data) {
  const std::vector<std::int64_t> lags = tested_lags(data);
  std::vector<Json> tested;
  for (const std::int64_t lag : lags) tested.push_back(json(lag));
  JsonObject object;
  object.add("from", tested.empty() ? Json{"null"} : tested.front());
  object.add("to", tested.empty() ? Json{"null"} : tested.back());
  return object.add("unit", "steps").add("tested", json_list(tested)).done();
}

Json lags_of_pairs(const Dataset& data, const std::string& unit) {
  const std::vector<double>& lags = data.at("lag_profile").reals();
  JsonObject object;
  object.add("from", lags.front()).add("to", lags.back()).add("unit", text_or_null(unit));
  return object.add("tested", Json{"null"}).done();
}

}  // namespace

std::string links_json(const RunSummary& summary, const Asked& asked, const std::vector<LinkRow>& rows) {
  const discover::DiscoverSettings settings = discover::discover_keys().read(asked.config);
  const Heading heading{lags_of_links(summary.results.data), settings.level, settings.method,
                        promise_of_links(summary.results, settings)};
  JsonObject object = document(summary, asked, heading);
  return object.add("links", json_list(discover::link_columns(rows).json())).add("pairs", json_list({})).done().text +
         '\n';
}

std::string pairs_json(const RunSummary& summary, const Asked& asked) {
  const Dataset& data = summary.results.data;
  const pair::PairAsked settings = pair::pair_keys().read(asked.config);
  const Heading heading{lags_of_pairs(data, asked.request.seen.as<FileFacts>()->unit), settings.level,
                        "damped_random_walk", promise_of_pairs(summary.results, settings)};
  JsonObject object = document(summary, asked, heading);
  return object.add("links", json_list({}))
             .add("pairs", json_list(pair_columns(pair_rows(summary.results)).json()))
             .done()
             .text +
         '\n';
}

}  // namespace fovea::lag::door
