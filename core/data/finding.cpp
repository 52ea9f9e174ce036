#include "fovea/core/data/finding.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"

namespace fovea {

namespace {

template <typename Value>
const Value& named(const std::vector<std::pair<std::string, Value>>& values, const std::string& name,
                   const std::string& kind) {
  for (const auto& [own, value] : values)
    if (own == name) return value;
  throw ArgumentError(concat("finding '", kind, "': has no '", name, "'; another version may have written it."));
}

}  // namespace

std::string_view to_text(FindingRole role) {
  constexpr std::array<std::string_view, 5> kNames{"verdict", "note", "promise", "fact", "warning"};
  return kNames.at(static_cast<std::size_t>(role));
}

bool Finding::says_the_same_as(const Finding& other) const {
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && (a.second == b.second || (std::isnan(a.second) && std::isnan(b.second)));
  };
  return kind == other.kind && role == other.role && sentence == other.sentence && words == other.words &&
         std::equal(numbers.begin(), numbers.end(), other.numbers.begin(), other.numbers.end(), same);
}

std::string findings_json(const std::vector<Finding>& findings) {
  std::vector<Json> items;
  for (const Finding& finding : findings) {
    JsonObject object, numbers, words;
    for (const auto& [name, number] : finding.numbers) numbers.add(name, number);
    for (const auto& [name, word] : finding.words) words.add(name, word);
    object.add("kind", finding.kind).add("role", to_text(finding.role)).add("numbers", numbers.done());
    object.add("words", words.done()).add("sentence", finding.sentence);
    if (!finding.points.empty()) object.add("points", json_texts(finding.points));
    items.push_back(object.done());
  }
  return json_list(items).text;
}

std::string FindingMembers::next_name() {
  const std::size_t end = std::min(names_.find(','), names_.size());
  const std::string name(names_.substr(0, end));
  names_.remove_prefix(std::min(names_.size(), end + 2));
  return name;
}

void FindingMembers::put(const std::string& word) { finding_.words.emplace_back(next_name(), word); }
void FindingMembers::put(double number) { finding_.numbers.emplace_back(next_name(), number); }

void FindingMembers::put(const NamedNumbers& numbers) {
  const std::string prefix = next_name() + '.';
  for (const auto& [name, number] : numbers) finding_.numbers.emplace_back(prefix + name, number);
}

void FindingMembers::take(std::string& word) { word = named(finding_.words, next_name(), finding_.kind); }
void FindingMembers::take(double& number) { number = named(finding_.numbers, next_name(), finding_.kind); }

void FindingMembers::take(NamedNumbers& numbers) {
  const std::string prefix = next_name() + '.';
  for (const auto& [name, number] : finding_.numbers)
    if (name.starts_with(prefix)) numbers.emplace_back(name.substr(prefix.size()), number);
}

}  // namespace fovea
