#include "fovea/datasets/events/outcome_column.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::string_view kOutcomeNames[] = {
    "in_hospital_death", "hospital_expire_flag", "death",       "died", "mortality", "outcome", "label",
    "boolean_value",     "sepsislabel",          "sepsis_label"};

std::optional<double> truth_of(std::string_view cell) {
  const std::string word = plain_name(std::string(text::trimmed(cell)));
  if (word == "true" || word == "yes") return 1.0;
  if (word == "false" || word == "no") return 0.0;
  return number_of(cell, false);
}

bool is_word(std::string_view cell, const std::string& word) {
  const auto number = number_of(cell, false), wanted = number_of(word, false);
  if (number && wanted) return *number == *wanted;
  return plain_name(std::string(text::trimmed(cell))) == plain_name(word);
}

/// Of two words either may be the outcome; which one, only who asks knows.
[[noreturn]] void refuse_words(const CandidateColumn& one, const std::string& path, const EventOptions& options) {
  const std::string place =
      concat(path, ":row ", one.first_other, ", column '", text::shown_text(one.column.name), "': the outcome is ");
  if (one.words.size() == 2)
    throw DataError(concat(place, "'", *one.words.begin(), "' or '", *one.words.rbegin(),
                           "'; say which of them counts as 1, such as ",
                           option_text(options, "positive", concat('\'', *one.words.rbegin(), '\'')), "."));
  throw DataError(concat(place, "'", one.other,
                         "', but must be 0 or 1, or empty if it is not known. To count one word as 1: ",
                         option_text(options, "positive", "WORD"), "."));
}

}  // namespace

bool is_outcome_name(const std::string& column) {
  return std::find(std::begin(kOutcomeNames), std::end(kOutcomeNames), plain_name(column)) != std::end(kOutcomeNames);
}

void CandidateColumn::see(const text::CsvReader& reader, std::ptrdiff_t item, const std::string& positive) {
  constexpr std::size_t kMostWords = 5;
  const std::string_view cell = reader.text(place);
  const auto value = truth_of(cell);
  const bool is_nothing = !value && series::is_missing(cell);
  if (!value && !is_nothing) is_number = false;
  if (!is_nothing && words.size() < kMostWords) words.insert(text::shown_text(text::trimmed(cell)));
  if (!is_nothing && first_other == 0 && !(value && (*value == 0 || *value == 1))) {
    is_binary = false;
    first_other = reader.row();
    other = text::shown_text(cell);
  }
  has_any = has_any || value.has_value();
  const bool is_positive = !positive.empty() && !is_nothing && is_word(cell, positive);
  has_positive = has_positive || is_positive;
  if (item < 0) return;
  const auto at = static_cast<std::size_t>(item);
  if (column.values.size() <= at) column.values.resize(at + 1, kNan);
  if (value) column.values[at] = *value;
  if (positive.empty()) return;
  by_word.resize(column.values.size(), kNan);
  if (!is_nothing) by_word[at] = is_positive ? 1 : 0;
}

std::ptrdiff_t chosen_outcome(const std::vector<CandidateColumn>& all, const std::string& path,
                              const text::CsvReader& reader, const EventOptions& options, bool is_needed) {
  const bool by_word = !options.positive.empty();
  const auto could_be = [&](const CandidateColumn& one) {
    return by_word ? one.has_positive : one.is_binary && one.has_any;
  };
  const auto checked = [&](std::ptrdiff_t k) {
    const CandidateColumn& one = all[static_cast<std::size_t>(k)];
    if (!by_word && !one.is_binary) refuse_words(one, path, options);
    if (by_word && !one.has_positive && !one.words.empty())
      throw DataError(concat(path, ": no row of '", text::shown_text(one.column.name), "' is '",
                             text::shown_text(options.positive),
                             "', which counts as 1; there are: ", quoted_list({one.words.begin(), one.words.end()}),
                             ". Name one with ", option_text(options, "positive"), "."));
    return k;
  };
  const auto named = [&](std::string_view name, bool plain) -> std::ptrdiff_t {
    for (std::size_t k = 0; k < all.size(); ++k)
      if ((plain ? plain_name(all[k].column.name) : all[k].column.name) == name) return static_cast<std::ptrdiff_t>(k);
    return -1;
  };
  if (!options.outcome.empty()) {
    reader.column(options.outcome);
    if (const std::ptrdiff_t k = named(options.outcome, false); k >= 0) return checked(k);
    throw DataError(
        concat(path, ": column '", text::shown_text(options.outcome), "' holds the stays; the outcome is another."));
  }
  for (const std::string_view name : kOutcomeNames)
    if (const std::ptrdiff_t k = named(name, true); k >= 0) return checked(k);
  if (all.size() == 1 && is_needed && !all.front().is_number) return checked(0);
  std::vector<std::string> binary;
  std::ptrdiff_t last = -1;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (could_be(all[k])) {
      binary.push_back(all[k].column.name);
      last = static_cast<std::ptrdiff_t>(k);
    }
  if (binary.size() == 1 || (binary.empty() && !is_needed)) return last;
  const std::string what = by_word ? concat("'", text::shown_text(options.positive), "'") : "0 and 1";
  if (binary.empty()) {
    const auto two = [](const CandidateColumn& one) {  // numbers may be anything, but for 1 and 2
      return one.words.size() == 2 && (!one.is_number || one.words == std::set<std::string>{"1", "2"});
    };
    if (!by_word && std::count_if(all.begin(), all.end(), two) == 1)
      refuse_words(*std::find_if(all.begin(), all.end(), two), path, options);
    throw DataError(concat(path, ": which column is the outcome? None is ", what, "; there are: ",
                           quoted_list(reader.columns()), ". Name one with ", option_text(options, "outcome"), "."));
  }
  throw DataError(concat(path, ": which column is the outcome? ", quoted_list(binary), by_word ? " hold " : " are ",
                         what, ". Name one with ", option_text(options, "outcome"), "."));
}

}  // namespace fovea::datasets::events
