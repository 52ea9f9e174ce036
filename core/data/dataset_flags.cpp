#include "fovea/core/data/dataset_flags.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostFlags = 255;

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

bool is_one_word(const std::string& text) { return words(text).size() == 1 && words(text).front() == text; }

/// The names of a flagged coordinate's values, or none if they are not flags 0, 1, ... with a name each.
std::vector<std::string> names_of(const Variable& variable) {
  const auto* flags = std::get_if<std::vector<std::uint8_t>>(&variable.values);
  const auto meanings = variable.attributes.find("flag_meanings");
  if (flags == nullptr || meanings == variable.attributes.end()) return {};
  const std::vector<std::string> known = words(meanings->second);
  std::vector<std::string> names;
  for (const std::uint8_t flag : *flags) {
    if (flag >= known.size()) return {};
    names.push_back(known[flag]);
  }
  return names;
}

}  // namespace

void name_to_flags(Dataset& data, const std::string& coordinate) {
  if (!data.has(coordinate) || !data.is_coordinate(data.at(coordinate))) return;
  Variable variable = data.at(coordinate);
  const auto* names = std::get_if<std::vector<std::string>>(&variable.values);
  if (names == nullptr || names->size() > kMostFlags || !std::all_of(names->begin(), names->end(), is_one_word)) return;
  std::vector<std::uint8_t> flags;
  std::string values, meanings;
  for (std::size_t i = 0; i < names->size(); ++i) {
    flags.push_back(static_cast<std::uint8_t>(i));
    values += (i == 0 ? "" : ", ") + std::to_string(i);
    meanings += (i == 0 ? "" : " ") + (*names)[i];
  }
  variable.values = std::move(flags);
  variable.attributes["flag_values"] = values;
  variable.attributes["flag_meanings"] = meanings;
  data.add(std::move(variable));
}

Dataset with_names(Dataset data) {
  std::vector<Variable> named;
  for (const Variable& variable : data.variables()) {
    if (!data.is_coordinate(variable)) continue;
    std::vector<std::string> names = names_of(variable);
    if (names.empty()) continue;
    named.push_back(variable);
    named.back().values = std::move(names);
    named.back().attributes.erase("flag_values");
    named.back().attributes.erase("flag_meanings");
  }
  for (Variable& text : named) data.add(std::move(text));
  return data;
}

Dataset with_words(const Dataset& data) {
  Dataset named = data;
  for (const Variable& variable : data.variables()) {
    const auto meanings = variable.attributes.find("flag_meanings");
    if (meanings == variable.attributes.end() || std::holds_alternative<std::vector<std::string>>(variable.values))
      continue;
    const auto listed = variable.attributes.find("flag_values");
    std::string flags = listed == variable.attributes.end() ? "" : listed->second;
    std::replace(flags.begin(), flags.end(), ',', ' ');
    const std::vector<std::string> known = words(meanings->second), values = words(flags);
    std::map<std::string, std::string> names;
    for (std::size_t k = 0; k < known.size(); ++k) names[k < values.size() ? values[k] : std::to_string(k)] = known[k];
    std::vector<std::string> texts;
    std::visit(
        [&](const auto& numbers) {
          for (const auto& number : numbers) {
            const std::string text = exact_text(number);
            texts.push_back(names.contains(text) ? names[text] : text);
          }
        },
        variable.values);
    Variable text = variable;
    text.values = std::move(texts);
    text.units.clear();
    for (const char* name : {"flag_values", "flag_meanings", "flag_colors"}) text.attributes.erase(name);
    named.add(std::move(text));
  }
  return named;
}

}  // namespace fovea
