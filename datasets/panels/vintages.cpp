#include "fovea/datasets/panels/vintages.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/panels/month_rows.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::panels {

namespace {

constexpr std::size_t kNamedAtOnce = 5;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Digits from `at` on, at most `most` of them.
std::string_view digits_at(std::string_view text, std::size_t at, std::size_t most) {
  std::size_t count = 0;
  while (at + count < text.size() && count < most && is_digit(text[at + count])) ++count;
  return text.substr(std::min(at, text.size()), count);
}

/// Of "2016-07.csv", "2016-07-md.csv.gz", "FRED-MD_2016m7.csv"; nothing for other names.
std::optional<Index> month_in_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  if (!name.ends_with(".csv")) return std::nullopt;
  for (std::size_t at = 0; at + 5 < name.size(); ++at) {
    const std::string_view year = digits_at(name, at, 5);
    if (year.size() != 4 || (at > 0 && is_digit(name[at - 1]))) continue;
    if (std::string_view("-_mM").find(name[at + 4]) == std::string_view::npos) continue;
    const std::string_view digits = digits_at(name, at + 5, 3);
    if (digits.empty() || digits.size() > 2) continue;
    const int month = std::stoi(std::string(digits));
    if (month >= 1 && month <= 12) return 12 * std::stoi(std::string(year)) + month - 1;
  }
  return std::nullopt;
}

/// Names of series in one list and not in the other.
std::vector<std::string> only_in(const std::set<std::string>& some, const std::set<std::string>& others) {
  std::vector<std::string> names;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(names));
  return names;
}

std::set<std::string> names_of(const std::string& path) {
  const MonthRows rows(path);
  std::set<std::string> names;
  for (const std::size_t column : rows.values()) names.insert(rows.reader().columns()[column]);
  return names;
}

void note_names(Vintages& found) {
  std::set<std::string> before = names_of(found.files.front().path);
  for (std::size_t i = 1; i < found.files.size(); ++i) {
    std::set<std::string> now = names_of(found.files[i].path);
    const auto gone = only_in(before, now), come = only_in(now, before);
    const auto list = [](const std::vector<std::string>& names) {
      return datasets::text::listed(names, {}, kNamedAtOnce);
    };
    if (!gone.empty() || !come.empty())
      found.notes.push_back(concat(file_name(found.files[i].path),
                                   ": the names of series change:", gone.empty() ? "" : concat(" without ", list(gone)),
                                   gone.empty() || come.empty() ? "" : ",",
                                   come.empty() ? "" : concat(" with ", list(come)), "."));
    before = std::move(now);
  }
}

void note_gaps(Vintages& found) {
  for (std::size_t i = 1; i < found.files.size(); ++i)
    if (const Index lacking = found.files[i].month - found.files[i - 1].month - 1; lacking > 0)
      found.notes.push_back(concat(file_name(found.files[i].path), ": ", counted(lacking, "month"), " before it ",
                                   lacking == 1 ? "has" : "have", " no vintage; the one of ",
                                   month_text(found.files[i - 1].month), " stands for ",
                                   lacking == 1 ? "it." : "them."));
}

}  // namespace

const Vintage* Vintages::known_at(Index month) const {
  const auto behind = std::upper_bound(files.begin(), files.end(), month,
                                       [](Index asked, const Vintage& file) { return asked < file.month; });
  return behind == files.begin() ? nullptr : &*(behind - 1);
}

Vintages find_vintages(const std::string& folder) {
  std::error_code failed;
  Vintages found{folder, {}, {}};
  std::vector<std::string> others;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (const auto month = month_in_name(name))
      found.files.push_back({*month, entry->path().string()});
    else
      others.push_back(name);
  }
  if (failed) throw DataError(concat(folder, ": cannot be read as a folder of vintages (", failed.message(), ")."));
  if (found.files.empty())
    throw DataError(concat(folder, ": has no vintage; name each file by its month, such as 2016-07.csv."));
  const auto earlier = [](const Vintage& a, const Vintage& b) {
    return std::tie(a.month, a.path) < std::tie(b.month, b.path);
  };
  std::sort(found.files.begin(), found.files.end(), earlier);
  for (std::size_t i = 1; i < found.files.size(); ++i)
    if (found.files[i].month == found.files[i - 1].month)
      throw DataError(concat(folder, ": has two vintages of ", month_text(found.files[i].month), ", ",
                             file_name(found.files[i - 1].path), " and ", file_name(found.files[i].path),
                             "; keep one."));
  std::sort(others.begin(), others.end());
  if (!others.empty())
    found.notes.push_back(others.size() == 1
                              ? concat(others.front(), " is left out, as its name has no month.")
                              : concat(others.front(), " and ", counted(std::ssize(others) - 1, "more file"),
                                       " are left out, as their names have no month."));
  note_gaps(found);
  note_names(found);
  return found;
}

MonthlyPanel read_vintage(const Vintage& vintage, const Codes& codes, const Codes& usual) {
  MonthlyPanel panel = read_panel(vintage.path, codes, usual);
  if (panel.last_month() > vintage.month)
    throw DataError(concat(vintage.path, ": ends with ", month_text(panel.last_month()),
                           ", but its name says that it was published in ", month_text(vintage.month),
                           "; name it by the month of its publication."));
  return panel;
}

}  // namespace fovea::datasets::panels
