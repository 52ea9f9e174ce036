#include "fovea/domains/opinion/measure/attributes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/marks.hpp"
#include "fovea/domains/opinion/survey/roles.hpp"

namespace fovea::opinion::measure {

namespace {

using datasets::network::Network;

/// How many different sides there are; more than `most` are not told apart.
std::size_t different(const std::vector<std::string>& words, std::size_t most) {
  std::set<std::string> seen;
  for (const std::string& word : words)
    if (!survey::says_nothing(word) && seen.size() <= most) seen.insert(word);
  return seen.size();
}

/// The values of an attribute that must be there.
const std::vector<std::string>& values_of(const NetworkPlan& plan, const Network& network, const std::string& name) {
  if (const auto found = network.labels.find(name); found != network.labels.end()) return found->second;
  const std::string there = survey::listed(attributes_of(network));
  throw DataError(concat(plan.edges, ": its nodes have no attribute '", datasets::text::shown_text(name), "'; there ",
                         there.empty() ? "is none: give a table of nodes." : concat("are: ", there, ".")));
}

/// NaN: not known.
std::vector<double> numbers_of(const NetworkPlan& plan, const std::string& name,
                               const std::vector<std::string>& texts) {
  const std::string& path = plan.edges;
  const survey::MissingMarks marks(path, plan.missing);
  survey::UnreadWords unread;
  std::vector<double> values;
  for (const std::string& text : texts) {
    const auto number = datasets::series::number_in(text, false);
    const bool none = datasets::series::is_missing(text) || marks.is_mark(text) || (number && marks.is_mark(*number));
    if (!none && !number) unread.add(text);
    values.push_back(none || !number ? kNan : *number);
  }
  unread.refuse(path, name, std::any_of(values.begin(), values.end(), [](double x) { return !std::isnan(x); }));
  if (std::all_of(values.begin(), values.end(), [](double x) { return std::isnan(x); }))
    throw DataError(
        concat(path, ": the attribute '", name, "' has no opinion; name another with data.value (--value)."));
  constexpr double kLargest = 1e50;  // as for opinions elsewhere
  for (const double value : values)
    if (std::abs(value) > kLargest)
      throw DataError(concat(path, ": the attribute '", name, "' holds ", value, ", but must be in [-1e50, 1e50]."));
  return values;
}

}  // namespace

std::vector<std::string> attributes_of(const Network& network) {
  std::vector<std::string> columns;
  for (const auto& [column, words] : network.labels) columns.push_back(column);
  return columns;
}

std::vector<std::string> sides_of_attributes(const NetworkPlan& plan, const Network& network,
                                             const std::string& opinion, std::vector<std::string>& notes,
                                             std::vector<std::string>& unread) {
  constexpr std::size_t kMostSides = 10;
  const std::string& wanted = plan.side;
  std::vector<std::string> columns, few;
  for (const auto& [column, words] : network.labels) {
    if (column == opinion) continue;
    columns.push_back(column);
    if (const std::size_t values = different(words, kMostSides); values >= 2 && values <= kMostSides)
      few.push_back(column);
  }
  unread = columns;
  if (wanted == "none") return {};
  std::string chosen = wanted.empty() ? survey::side_among(columns) : wanted;
  if (chosen.empty() && few.size() == 1) chosen = few[0];
  if (chosen.empty()) return {};
  std::vector<std::string> sides = values_of(plan, network, chosen);
  std::erase(unread, chosen);
  if (wanted.empty()) notes.push_back(concat("Sides are read from the attribute ", chosen, " of the nodes."));
  std::size_t none = 0;
  for (std::string& side : sides) {
    if (!survey::says_nothing(side)) continue;
    side.clear();
    ++none;
  }
  if (none > 0)
    notes.push_back(concat(counted(static_cast<Index>(none), "node"), none == 1 ? " has" : " have", " no side and ",
                           none == 1 ? "is" : "are", " left out with ", none == 1 ? "its" : "their",
                           " edges; random walks pass through."));
  return sides;
}

std::optional<survey::Answers> answers_of_attributes(const NetworkPlan& plan, const Network& network) {
  std::string name = plan.value;
  if (name.empty() && network.labels.count("opinion") > 0) name = "opinion";
  if (name.empty()) return std::nullopt;
  survey::Answers answers;
  answers.value = numbers_of(plan, name, values_of(plan, network, name));
  answers.value_name = name;
  answers.node = network.names;
  answers.group.assign(answers.value.size(), 0);
  answers.groups.push_back({"all", "", ""});
  if (plan.value.empty()) answers.notes.push_back("Opinions are read from the attribute opinion of the nodes.");
  if (const auto missing =
          std::count_if(answers.value.begin(), answers.value.end(), [](double x) { return std::isnan(x); });
      missing > 0)
    answers.notes.push_back(concat(counted(missing, "node"), missing == 1 ? " has" : " have", " no opinion."));
  answers.side = sides_of_attributes(plan, network, name, answers.notes, answers.unread);
  return answers;
}

}  // namespace fovea::opinion::measure
