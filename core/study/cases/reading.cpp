#include "fovea/core/study/cases/reading.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kShownVariables = 12;  // more make the first screen a list; result.h5 has them all

bool is_shown(const Reading& reading, Index count) { return count == 0 || count >= reading.smallest_cell; }

std::string count_of(const Reading& reading, Index count, const std::string& noun) {
  return is_shown(reading, count) ? counted(count, noun) : concat("fewer than ", reading.smallest_cell, ' ', noun, 's');
}

std::string list_text(const std::vector<std::string>& all, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), most); ++k) text += (k == 0 ? "" : ", ") + all[k];
  return all.size() > most ? concat(text, " and ", all.size() - most, " more") : text;
}

std::string what_there_is(const Reading& reading) {
  std::string text =
      reading.files.empty() ? "Read (simulated): " : concat("Read (", list_text(reading.files, 1), "): ");
  text += counted(reading.cases, reading.noun);
  if (reading.groups > 0 && reading.groups != reading.cases)
    text += concat(reading.group_is_column ? " in " : " of ", counted(reading.groups, reading.group_noun()),
                   reading.group_is_column ? concat(" of '", reading.group, '\'') : "");
  text += concat(", ", counted(reading.tokens, reading.token));
  const auto variables = std::count_if(reading.variables.begin(), reading.variables.end(),
                                       [](const ReadVariable& one) { return one.cases > 0; });
  if (variables > 0) text += concat(" of ", counted(variables, "variable"));
  if (std::isfinite(reading.first))
    text += concat(
        ", from ",
        has_origin(reading.time_unit) ? time_text(reading.first, reading.time_unit) : rounded_text(reading.first),
        " to ", time_text(reading.last, reading.time_unit), reading.smallest_cell > 1 ? " but for the extremes" : "");
  text += '.';
  if (reading.without_tokens > 0)
    text += concat(" Without any ", reading.token, ": ", count_of(reading, reading.without_tokens, reading.noun), '.');
  return text;
}

/// "died: no in 34 stays (89.5 %), yes in 4 stays (10.5 %), not known in 2 stays."; noun: of what has an outcome.
std::string outcome_text(const Reading& reading, const OutcomeCounts& counts, const std::string& noun) {
  std::string text = concat(reading.outcome, counts.part.empty() ? "" : concat(" (", counts.part, ")"), ": ");
  if (counts.known == 0) return text + "not known.";
  std::vector<std::string> all;
  for (const auto& [name, count] : counts.classes) {
    const double share = 100 * static_cast<double>(count) / static_cast<double>(counts.known);
    const bool shown = is_shown(reading, counts.known - count);
    const std::string in = is_shown(reading, count) && !shown ? "the others" : count_of(reading, count, noun);
    all.push_back(
        concat(name, " in ", in, shown && is_shown(reading, count) ? concat(" (", fixed_text(share, 1), " %)") : ""));
  }
  text += counts.classes.empty() ? concat(rounded_text(counts.low), " to ", rounded_text(counts.high), ", known in ",
                                          count_of(reading, counts.known, noun))
                                 : list_text(all, kShownVariables);
  if (counts.unknown > 0) text += ", not known in " + count_of(reading, counts.unknown, noun);
  return text + '.';
}

/// Variables with the same answer to how their unit is known stand together.
std::string units_text(const Reading& reading) {
  std::map<std::string, std::vector<std::string>> by_answer;
  for (const ReadVariable& one : reading.variables) {
    if (one.known_by.empty()) continue;
    by_answer[one.known_by].push_back(one.unit.empty() || one.unit == "1" ? one.name
                                                                          : concat(one.name, " [", one.unit, "]"));
  }
  std::string text;
  for (const auto& [answer, names] : by_answer)
    text += concat(text.empty() ? "Units: " : "; ", list_text(names, kShownVariables), " (", answer, ")");
  return text.empty() ? text : text + '.';
}

void count_outcomes(OutcomeCounts& counts, const Target& target, double value) {
  if (std::isnan(value)) {
    ++counts.unknown;
    return;
  }
  ++counts.known;
  if (counts.classes.empty()) {
    counts.low = std::fmin(counts.low, value), counts.high = std::fmax(counts.high, value);
    return;
  }
  const Index stratum = target.rule().stratum(target, static_cast<Index>(value));
  if (stratum >= 0 && stratum < static_cast<Index>(counts.classes.size())) ++counts.classes[stratum].second;
}

OutcomeCounts no_outcomes(const std::string& part, const Target& target) {
  OutcomeCounts counts;
  counts.part = part;
  if (target.rule().real()) return counts;
  const Index codes = target.rule().codes(target);
  const bool has_none = codes != static_cast<Index>(target.classes.size()) && !target.classes.empty();
  if (has_none) counts.classes.emplace_back("no end seen", 0);  // of hazards
  for (const std::string& name : target.classes) counts.classes.emplace_back(name, 0);
  for (Index code = 0; target.classes.empty() && code < codes; ++code) counts.classes.emplace_back(concat(code), 0);
  return counts;
}

void count_targets(Reading& reading, const Cases& cases, const Target& target) {
  reading.outcomes.clear();
  for (Index b = 0; b < cases.count(); ++b) {
    const std::string part = cases.parts.empty() ? "" : cases.parts[b];
    auto counts = std::find_if(reading.outcomes.begin(), reading.outcomes.end(),
                               [&](const OutcomeCounts& one) { return one.part == part; });
    if (counts == reading.outcomes.end())
      counts = reading.outcomes.insert(reading.outcomes.end(), no_outcomes(part, target));
    const bool per_case = target.level == TargetLevel::per_case;
    const Index first = per_case ? b : cases.offsets[b], end = per_case ? b + 1 : cases.offsets[b + 1];
    for (Index i = first; i < end; ++i)
      count_outcomes(*counts, target, cases.targets.empty() ? kNan : cases.targets[i]);
  }
}

/// The first and the last time; of private cases those before and behind which some cases lie.
void count_span(Reading& reading, const Cases& cases) {
  std::vector<double> starts, lasts;
  for (Index b = 0; b < cases.count() && !cases.times.empty(); ++b) {
    if (cases.size(b) == 0) continue;
    const auto first = cases.times.begin() + cases.offsets[b], end = cases.times.begin() + cases.offsets[b + 1];
    starts.push_back(*std::min_element(first, end)), lasts.push_back(*std::max_element(first, end));
  }
  const auto beyond = static_cast<std::size_t>(std::max<Index>(1, reading.smallest_cell)) - 1;
  if (starts.size() < 2 * beyond + 1) return;
  std::sort(starts.begin(), starts.end());
  std::sort(lasts.begin(), lasts.end());
  reading.first = starts[beyond], reading.last = lasts[lasts.size() - 1 - beyond];
}

void count_variables(Reading& reading, const Cases& cases) {
  const auto variable = [&](const std::string& name) {
    const auto known = std::find_if(reading.variables.begin(), reading.variables.end(),
                                    [&](const ReadVariable& one) { return one.name == name; });
    if (known != reading.variables.end()) return static_cast<std::size_t>(known - reading.variables.begin());
    reading.variables.push_back({.name = name, .unit = {}, .known_by = {}});
    return reading.variables.size() - 1;
  };
  std::vector<std::size_t> places;
  for (const std::string& name : cases.classes) places.push_back(variable(name));
  for (const Feature& feature : cases.features) {
    if (!cases.classes.empty()) continue;
    places.push_back(variable(feature.name));
    if (reading.variables.back().unit.empty()) reading.variables.back().unit = feature.unit;
  }
  std::vector<Index> last(places.size(), -1);
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      for (std::size_t k = cases.classes.empty() ? 0 : cases.kinds[i]; k < places.size(); ++k) {
        const bool has = !cases.classes.empty() || !std::isnan(cases.values(i, static_cast<Index>(k)));
        if (has && last[k] != b) last[k] = b, ++reading.variables[places[k]].cases;
        if (!cases.classes.empty()) break;
      }
}

}  // namespace

std::string left_out_text(const Reading& reading, const LeftOut& one) {
  const bool of_cases = one.what == reading.noun || one.what == reading.token;  // not rows and columns of a file
  std::string places, file;
  for (const std::string& place : one.places) {
    if (!places.empty()) places += "; ";
    const std::size_t row = place.find(":row ") + 1;  // 0: no place in a file
    const bool same = row > 0 && place.substr(0, row) == file;
    file = place.substr(0, row);
    places += place.substr(same ? row : 0, place.find_last_not_of('.') + 1 - (same ? row : 0));
  }
  const bool more = one.count > static_cast<Index>(kShownPlaces);
  return concat(of_cases ? count_of(reading, one.count, one.what) : counted(one.count, one.what), ": ", one.reason,
                places.empty() ? "" : concat(" (", places, more ? "; ..." : "", ")"));
}

void Reading::leave_out(const std::string& what, const std::string& reason, const std::string& place) {
  auto found = std::find_if(left_out.begin(), left_out.end(),
                            [&](const LeftOut& one) { return one.what == what && one.reason == reason; });
  if (found == left_out.end()) found = left_out.insert(found, LeftOut{what, 0, reason});
  ++found->count;
  if (!place.empty() && found->places.size() < kShownPlaces) found->places.push_back(place);
}

void Reading::without_folders() {
  std::vector<std::pair<std::string, std::string>> names;  // longest first: one path may begin another
  for (const std::string& file : files)
    if (!file.empty()) names.emplace_back(file, std::filesystem::path(file).filename().string());
  const std::size_t given = names.size();
  for (std::size_t f = 0; f < given; ++f)  // notes name what a list names, too, which lies beside it
    if (const std::filesystem::path folder = std::filesystem::path(names[f].first).parent_path(); folder.has_filename())
      names.emplace_back(folder.string() + '/', "");
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  const auto shorten = [&](std::string& text) {
    for (const auto& [path, name] : names)
      for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size()))
        if (name.empty() && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0)
          at += path.size();  // the end of another folder
        else
          text.replace(at, path.size(), name);
  };
  const auto shorten_all = [&](std::vector<std::string>& texts) { std::for_each(texts.begin(), texts.end(), shorten); };
  for (LeftOut& one : left_out) shorten(one.reason), shorten_all(one.places);
  for (Finding& finding : findings) {
    shorten(finding.sentence);
    for (auto& [name, word] : finding.words) shorten(word);
  }
  shorten_all(notes), shorten_all(files);
}

void count_cases(Reading& reading, const Cases& cases, const Target& target) {
  reading.cases = cases.count();
  reading.tokens = cases.tokens();
  reading.smallest_cell = cases.smallest_cell;
  reading.time_unit = cases.time_unit;
  reading.outcome = target.name;
  reading.groups = 0;
  for (const Index group : group_numbers(cases)) reading.groups = std::max(reading.groups, group + 1);
  const std::vector<Index> sizes = cases.sizes();
  reading.without_tokens = std::count(sizes.begin(), sizes.end(), 0);
  count_span(reading, cases);
  count_targets(reading, cases, target);
  count_variables(reading, cases);
}

std::vector<std::string> sentences_of(const Reading& reading) {
  std::vector<std::string> all{what_there_is(reading)};
  Index with_outcome = 0;
  for (const OutcomeCounts& counts : reading.outcomes) with_outcome += counts.known + counts.unknown;
  const std::string& noun = with_outcome == reading.cases ? reading.noun : reading.token;
  for (const OutcomeCounts& counts : reading.outcomes) all.push_back(outcome_text(reading, counts, noun));
  if (std::string units = units_text(reading); !units.empty()) all.push_back(std::move(units));
  std::string left;
  for (const LeftOut& one : reading.left_out)
    if (one.count > 0) left += (left.empty() ? "Left out: " : "; ") + left_out_text(reading, one);
  if (!left.empty()) all.push_back(left + '.');
  all.insert(all.end(), reading.notes.begin(), reading.notes.end());
  return all;
}

std::string reading_json(const Reading& reading) {
  const auto count = [&](Index cases) { return is_shown(reading, cases) ? json(cases) : Json{"null"}; };
  const auto number = [](double value) { return std::isfinite(value) ? json(value) : Json{"null"}; };
  std::vector<Json> outcomes, variables, left_out;
  for (const OutcomeCounts& one : reading.outcomes) {
    JsonObject classes, object;
    for (const auto& [name, cases] : one.classes)
      classes.add(name, is_shown(reading, one.known - cases) ? count(cases) : Json{"null"});
    object.add("part", one.part).add("classes", classes.done()).add("known", count(one.known));
    object.add("unknown", count(one.unknown)).add("low", number(one.low)).add("high", number(one.high));
    outcomes.push_back(object.done());
  }
  for (const ReadVariable& one : reading.variables) {
    JsonObject object;
    object.add("name", one.name).add("unit", one.unit).add("known_by", one.known_by).add("cases", count(one.cases));
    variables.push_back(object.done());
  }
  for (const LeftOut& one : reading.left_out) {
    JsonObject object;
    const bool small = one.what == reading.noun || one.what == reading.token;  // others count no cases
    object.add("what", one.what).add("count", small ? count(one.count) : json(one.count)).add("reason", one.reason);
    left_out.push_back(object.add("places", json_texts(one.places)).done());
  }
  JsonObject object;
  object.add("files", json_texts(reading.files)).add("noun", reading.noun).add("token", reading.token);
  object.add("cases", reading.cases).add("groups", reading.groups).add("tokens", reading.tokens);
  object.add("without_tokens", count(reading.without_tokens)).add("first", number(reading.first));
  object.add("last", number(reading.last)).add("time_unit", reading.time_unit).add("outcome", reading.outcome);
  object.add("outcomes", json_list(outcomes)).add("variables", json_list(variables));
  object.add("left_out", json_list(left_out)).add("notes", json_texts(reading.notes));
  object.add("findings", Json{findings_json(reading.findings)}).add("sentences", json_texts(sentences_of(reading)));
  return object.done().text;
}

std::vector<std::string> sentences_in(const std::string& source, const std::string& document) {
  try {
    return nlohmann::json::parse(document).at("sentences").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    throw DataError(concat(source, ": what it says of its data is damaged; train the model again."));
  }
}

}  // namespace fovea::study
