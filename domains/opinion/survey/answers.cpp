#include "fovea/domains/opinion/survey/answers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/marks.hpp"
#include "fovea/domains/opinion/survey/roles.hpp"
#include "fovea/domains/opinion/survey/wave_time.hpp"

namespace fovea::opinion::survey {

namespace {

using datasets::text::CsvReader;
using datasets::text::trimmed;

constexpr std::size_t kMostGroups = 2000;
constexpr Index kMostPeople = 10'000'000;  // of rows that are counts

std::optional<double> number_in_text(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Words that are the same but for a number at their end, as "Wave 2" and "Wave 10", by this number; others stay.
void sort_by_number_at_end(std::vector<std::string>& words) {
  const auto stem = [](const std::string& word) { return word.find_last_not_of("0123456789") + 1; };
  const auto number = [&](const std::string& word) {
    return number_in_text(std::string_view(word).substr(stem(word)));
  };
  for (const std::string& word : words)
    if (!number(word) || word.compare(0, stem(word), words[0], 0, stem(words[0])) != 0) return;
  std::stable_sort(words.begin(), words.end(), [&](const auto& a, const auto& b) { return *number(a) < *number(b); });
}

/// "2010.0", as programs write years beside missing ones: "2010".
std::string without_decimal_zero(std::string word) {
  const bool whole = word.size() > 2 && word.ends_with(".0") &&
                     word.find_first_not_of("0123456789", word[0] == '-' ? 1 : 0) == word.size() - 2;
  if (whole) word.resize(word.size() - 2);
  return word;
}

/// The words of the columns of data.by in each row that is kept.
using Words = std::vector<std::string>;

class Reading {
 public:
  Reading(const std::string& path, const AnswerColumns& wanted, Answers& answers)
      : wanted_(wanted),
        path_(path),
        dialect_(datasets::series::dialect_of(path_)),
        table_(path_, dialect_),
        answers_(answers) {
    answers_.notes = datasets::series::reading_notes(path_);
    roles_ = roles_of(path_, wanted_, table_, answers_.notes);
    answers_.value_name = roles_.value;
    answers_.wave_name = roles_.wave;
    answers_.side_name = roles_.side;
    answers_.unread = free_columns(table_.columns(), roles_);
    marks_ = MissingMarks(path_, wanted_.missing);
    if (!wanted_.scale.empty()) scale_ = scale_of(wanted_.scale);
  }

  void read() {
    while (table_.next()) read_row();
    unread_.refuse(path_, roles_.value, numbers_);
    off_scale_.refuse(path_, roles_.value, wanted_.scale);
    if (kept_.empty()) throw DataError(concat(path_, ": no row has an answer; at least one must."));
    if (!roles_.value.empty() && !scale_ && wanted_.levels.empty()) look_for_codes();
    make_groups();
    refuse_empty_group();
    say_what_is_left_out();
    if (!roles_.counts.empty()) count_people();
  }

 private:
  void look_for_codes() {
    if (wanted_.missing == std::vector<std::string>{"none"}) return;
    if (!marks_.named()) refuse_suspected_codes(path_, roles_.value, answers_.value);
    if (const std::string hint = hint_of_codes(answers_.value); !hint.empty()) answers_.notes.push_back(hint);
  }

  std::string word(const std::string& column) const { return std::string(trimmed(table_.text(table_.column(column)))); }

  /// Neither a number nor a word for nothing, and no number that is misspelt.
  static bool is_word(std::string_view cell) {
    return trimmed(cell).find_first_not_of("0123456789.,+-eE") != std::string_view::npos &&
           !datasets::series::number_in(cell, true) && !datasets::series::is_missing(cell);
  }

  /// NaN: without an answer.
  double answer() {
    const std::size_t column = table_.column(roles_.value);
    const std::string_view cell = table_.text(column);
    if (marks_.is_mark(cell)) return std::nan("");
    if (!wanted_.levels.empty()) return level_in(table_, column, wanted_);
    const auto labelled = is_word(cell) ? labelled_number(cell) : std::nullopt;
    if (is_word(cell) && !labelled) {
      unread_.add(trimmed(cell));
      return std::nan("");
    }
    const double value = labelled ? *labelled : datasets::series::number_of(table_, column, dialect_);
    if (std::isnan(value) || marks_.is_mark(value)) return std::nan("");
    numbers_ = true;
    if (labelled && label_.empty()) label_ = trimmed(cell);
    constexpr double kLargest = 1e50;  // as for opinions elsewhere
    if (!(std::abs(value) <= kLargest)) table_.refuse(column, "an opinion must be in [-1e50, 1e50].");
    if (scale_ && (value < scale_->low || value > scale_->high)) {
      off_scale_.add(value, table_.row());
      return std::nan("");
    }
    return value;
  }

  double weight() const {
    const std::size_t column = table_.column(roles_.weight);
    const double weight = datasets::series::number_of(table_, column, dialect_);
    if (weight < 0 || std::isinf(weight) || weight > 1e100)
      table_.refuse(column, concat("the weight is ", weight, "; it must be >= 0 and finite."));
    return weight;
  }

  Index people() const {
    const std::size_t column = table_.column(roles_.counts);
    const double count = datasets::series::number_of(table_, column, dialect_);
    if (!(count >= 0 && std::floor(count) == count && count <= static_cast<double>(kMostPeople)))
      table_.refuse(column, concat("the count is ", count, "; it must be a whole number in [0, ", kMostPeople,
                                   "]; other numbers are weights (--weight)."));
    return static_cast<Index>(count);
  }

  /// Each row as often as its count says.
  void count_people() {
    const Index all = std::accumulate(people_.begin(), people_.end(), Index{0});
    if (all > kMostPeople)
      throw DataError(concat(path_, ": column '", roles_.counts, "' counts ", all, " people, but at most ", kMostPeople,
                             " are read; divide the counts, or give them as weights (--weight)."));
    const auto repeat = [&](auto& list) {
      const auto once = std::exchange(list, {});
      for (std::size_t row = 0; row < once.size(); ++row) list.insert(list.end(), people_[row], once[row]);
    };
    repeat(answers_.value), repeat(answers_.weight), repeat(answers_.group), repeat(answers_.side);
    answers_.counts_name = roles_.counts;
    answers_.counted = std::ssize(people_);
  }

  void read_row() {
    const Index count = roles_.counts.empty() ? 1 : people();
    if (count == 0) return;
    const double value = roles_.value.empty() ? 0 : answer();
    const double weighs = roles_.weight.empty() ? 1 : weight();
    const bool network = !roles_.node.empty();
    if (std::isnan(value) && !network) return void(++unanswered_);
    if (!(weighs > 0)) return void(++weightless_);
    if (!roles_.value.empty()) answers_.value.push_back(value);
    if (!roles_.weight.empty()) answers_.weight.push_back(weighs);
    if (!roles_.respondent.empty()) add_respondent();
    if (!roles_.node.empty()) add_node();
    if (!roles_.side.empty()) add_side();
    Words words;
    for (const std::string& column : roles_.by)
      words.push_back(wanted_.in_time && column == roles_.wave ? time() : without_decimal_zero(word(column)));
    refuse_second(words);
    kept_.push_back(std::move(words));
    people_.push_back(count);
  }

  /// The wave as a number; that of a date are days.
  std::string time() {
    const std::size_t column = table_.column(roles_.wave);
    const WaveTime time = wave_time(table_, column, dialect_);
    if (kept_.empty()) answers_.dated = time.dated;
    if (time.dated != answers_.dated)
      table_.refuse(column, concat("this wave is ", time.dated ? "a date" : "a number", ", but those before are ",
                                   time.dated ? "numbers." : "dates."));
    return exact_text(time.at);
  }

  /// A node has one row in a group; in a wave a person answers once.
  void refuse_second(const Words& words) {
    if (roles_.node.empty() && !(wanted_.in_time && !roles_.respondent.empty())) return;
    const std::string& column = roles_.node.empty() ? roles_.respondent : roles_.node;
    const std::string& name = roles_.node.empty() ? units_.back() : answers_.node.back();
    Words key{name};
    key.insert(key.end(), words.begin(), words.end());
    if (seen_.insert(std::move(key)).second) return;
    if (roles_.node.empty())
      table_.refuse(table_.column(column), concat("'", name, "' has answered in ", name_of(words, true), " already."));
    table_.refuse(table_.column(column),
                  concat("this node is in the file twice", words.empty() ? "" : concat(" in ", name_of(words, true)),
                         "; keep one row",
                         words.empty() ? ", or name the column that tells the rows apart with data.by (--by)." : "."));
  }

  /// Who is not known is a unit of their own.
  void add_respondent() {
    units_.push_back(word(roles_.respondent));
    if (!says_nothing(units_.back())) return;
    if (wanted_.in_time)
      table_.refuse(table_.column(roles_.respondent),
                    "there is no respondent; leave data.respondent empty if answers are not of a panel.");
    units_.back() = concat('\n', table_.row());  // no name has a line break at its beginning
    ++unnamed_;
  }

  void add_side() {
    std::string side = word(roles_.side);
    const auto number = number_in_text(side);
    if (says_nothing(side) || marks_.is_mark(side) || (number && marks_.is_mark(*number))) side.clear();
    sideless_ += side.empty() ? 1 : 0;
    answers_.side.push_back(std::move(side));
  }

  void add_node() {
    const std::size_t column = table_.column(roles_.node);
    std::string name = word(roles_.node);
    if (name.empty()) table_.refuse(column, "the name of a node is missing.");
    answers_.node.push_back(std::move(name));
  }

  /// The place of each different word of a column: by number where all are numbers or end in one, dates as they are
  /// written, else in the order in which they come.
  std::map<std::string, std::size_t> order_of(std::size_t column) const {
    std::vector<std::string> words;
    std::set<std::string> seen;
    bool numbers = true, dates = true;
    for (const Words& row : kept_) {
      if (!seen.insert(row[column]).second) continue;
      words.push_back(row[column]);
      numbers = numbers && number_in_text(row[column]).has_value();
      dates = dates && row[column].size() == words[0].size() && row[column][0] >= '0' && row[column][0] <= '9';
    }
    if (numbers)
      std::stable_sort(words.begin(), words.end(),
                       [](const auto& a, const auto& b) { return *number_in_text(a) < *number_in_text(b); });
    else if (dates && !words[0].empty())
      std::sort(words.begin(), words.end());
    else
      sort_by_number_at_end(words);
    std::map<std::string, std::size_t> place;
    for (const std::string& name : words) place.emplace(name, place.size());
    return place;
  }

  std::string name_of(const Words& words, bool with_wave) const {
    std::string text;
    for (std::size_t c = 0; c < words.size(); ++c) {
      if (!with_wave && roles_.by[c] == roles_.wave) continue;
      const bool date = answers_.dated && roles_.by[c] == roles_.wave;
      const std::string shown = words[c].empty() ? "(empty)" : date ? wave_text({std::stod(words[c]), true}) : words[c];
      text += concat(text.empty() ? "" : ", ", number_in_text(shown) ? roles_.by[c] + ' ' : std::string(), shown);
    }
    return text;
  }

  void make_groups() {
    std::vector<std::map<std::string, std::size_t>> order;
    for (std::size_t c = 0; c < roles_.by.size(); ++c) order.push_back(order_of(c));
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> rows;  // the wave comes last
    for (std::size_t row = 0; row < kept_.size(); ++row) {
      std::vector<std::size_t> key;
      std::size_t wave = 0;
      for (std::size_t c = 0; c < roles_.by.size(); ++c)
        if (roles_.by[c] == roles_.wave)
          wave = order[c].at(kept_[row][c]);
        else
          key.push_back(order[c].at(kept_[row][c]));
      key.push_back(wave);
      rows[key].push_back(row);
    }
    if (rows.size() > kMostGroups)
      throw DataError(concat(path_, ": data.by makes ", rows.size(), " groups, but at most ", kMostGroups,
                             " are measured; name columns with fewer different values."));
    answers_.group.resize(kept_.size());
    for (const auto& [key, members] : rows) {
      const Words& words = kept_[members.front()];
      AnswerGroup group{roles_.by.empty() ? "all" : name_of(words, true), name_of(words, false), ""};
      for (std::size_t c = 0; c < roles_.by.size(); ++c)
        if (roles_.by[c] == roles_.wave) group.wave = words[c];
      for (const std::size_t row : members) answers_.group[row] = static_cast<Index>(answers_.groups.size());
      answers_.groups.push_back(std::move(group));
    }
    std::map<std::string, Index> number;
    for (const std::string& name : units_)
      answers_.unit.push_back(number.emplace(name, static_cast<Index>(number.size())).first->second);
    answers_.units = static_cast<Index>(number.size());
  }

  /// Nodes may lack an opinion, but not all of a group.
  void refuse_empty_group() const {
    if (answers_.value.empty()) return;
    std::vector<std::uint8_t> some(answers_.groups.size(), 0);
    for (std::size_t row = 0; row < answers_.value.size(); ++row)
      if (!std::isnan(answers_.value[row])) some[answers_.group[row]] = 1;
    const auto empty = std::find(some.begin(), some.end(), 0);
    if (empty == some.end()) return;
    const std::size_t group = empty - some.begin();
    throw DataError(concat(path_, ": column '", roles_.value, "' has no opinion",
                           some.size() == 1 ? "" : concat(" in ", answers_.groups[group].name),
                           "; leave those rows out, or name another column with data.value (--value)."));
  }

  void say_what_is_left_out() {
    const std::size_t rows = kept_.size() + unanswered_ + weightless_;
    if (!label_.empty())
      answers_.notes.push_back(concat("Answers with a label are read as the number before it: '",
                                      datasets::text::shown_text(label_), "' is one."));
    if (unanswered_ > 0)
      answers_.notes.push_back(concat(unanswered_, " of ", rows, unanswered_ == 1 ? " rows has" : " rows have",
                                      " no answer and ", unanswered_ == 1 ? "is" : "are", " left out."));
    if (weightless_ > 0)
      answers_.notes.push_back(concat(weightless_, " of ", rows, weightless_ == 1 ? " rows has" : " rows have",
                                      " no weight, or the weight 0, and ", weightless_ == 1 ? "is" : "are",
                                      " left out."));
    if (unnamed_ > 0)
      answers_.notes.push_back(concat(unnamed_, " of ", rows, unnamed_ == 1 ? " rows has" : " rows have",
                                      " no respondent: ", unnamed_ == 1 ? "it is" : "they are",
                                      " drawn by themselves for the intervals."));
    if (sideless_ > 0)
      answers_.notes.push_back(
          concat(sideless_, " of ", rows, sideless_ == 1 ? " rows has" : " rows have", " no side: ",
                 roles_.node.empty() ? "no part of what compares sides."
                 : sideless_ == 1    ? "this node is left out with its edges; random walks pass through."
                                     : "these nodes are left out with their edges; random walks pass through."));
  }

  const AnswerColumns& wanted_;
  const std::string& path_;
  datasets::text::CsvOptions dialect_;
  CsvReader table_;
  Answers& answers_;
  Roles roles_;
  MissingMarks marks_;
  UnreadWords unread_;
  OffScale off_scale_;
  bool numbers_ = false;
  std::string label_;  // an answer with one
  std::optional<Scale> scale_;
  std::vector<Words> kept_;
  std::vector<std::string> units_;
  std::set<Words> seen_;
  std::vector<Index> people_;  // of each row that is kept
  std::size_t unanswered_ = 0, weightless_ = 0, sideless_ = 0, unnamed_ = 0;
};

}  // namespace

Answers read_answers(const std::string& path, const AnswerColumns& columns) {
  Answers answers;
  Reading(path, columns, answers).read();
  return answers;
}

}  // namespace fovea::opinion::survey
