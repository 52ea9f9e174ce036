#include "fovea/core/data/columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"

namespace fovea {
namespace {

using Doubles = std::vector<double>;
using TextList = std::vector<std::string>;

bool is_coordinate(const Column& column) { return column.array.dimensions.front() == column.array.name; }

Json json_cell(const Column& column, std::size_t row) {
  if (const auto* texts = std::get_if<TextList>(&column.array.values)) {
    const std::string& text = (*texts)[row];
    if (text.empty()) return {"null"};
    return column.cells == Column::Cells::json ? Json{text} : json(text);
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&column.array.values))
    return json((*integers)[row]);
  const double value = column.array.reals()[row];
  return column.cells == Column::Cells::flags && !std::isnan(value) ? json(value != 0) : json(value);
}

}  // namespace

Columns::Columns(Over over, std::size_t count) : over_(std::move(over.names)), count_(count) {
  require(!over_.empty(), "rows: there is no dimension; name at least one.");
}

void Columns::coordinate(Values values, const std::string& units, const std::string& long_name) {
  const std::string& name = over_.front();
  list_.push_back({{name, over_, std::move(values), units, long_name, {}}, name});
  list_.back().shown.table = false;
}

void Columns::add_column(const std::string& name, Values values, const std::string& units, const std::string& long_name,
                         Column::Cells cells) {
  last_ = list_.size();
  list_.push_back({{prefix_ + name, over_, std::move(values), units, long_name, {}}, name, cells});
}

void Columns::add_ends(const std::string& name, Doubles low, Doubles high, const std::string& units,
                       const std::string& meaning_low, const std::string& meaning_high) {
  const std::size_t first = list_.size();
  add_column(name + "_low", std::move(low), units, meaning_low);
  add_column(name + "_high", std::move(high), units, meaning_high);
  last_ = first;
  for (std::size_t k = first; k < list_.size(); ++k) list_[k].is_end = true, list_[k].shown.table = false;
}

void Columns::tie_ends() {
  last_ = list_.size() - 3;
  list_[last_].low = list_[last_ + 1].array.name;
  list_[last_].high = list_[last_ + 2].array.name;
}

void Columns::empty_where(const std::vector<bool>& left_out) {
  for (std::size_t k = last_; k < list_.size(); ++k) {
    Variable& array = list_[k].array;
    auto* numbers = std::get_if<Doubles>(&array.values);
    auto* texts = std::get_if<TextList>(&array.values);
    require(!is_coordinate(list_[k]) && (numbers || texts), "rows: column '", array.name, "' ",
            numbers || texts ? "is a coordinate" : "holds integers",
            ", which cannot be empty; when() needs a number, an interval or a text.");
    for (std::size_t row = 0; row < left_out.size(); ++row) {
      if (left_out[row] && numbers) (*numbers)[row] = kNan;
      if (left_out[row] && texts) (*texts)[row].clear();
    }
  }
}

void Columns::rename_key(const std::string& key) {
  for (std::size_t k = last_; k < list_.size(); ++k) {
    Column& column = list_[k];
    column.key = column.is_end ? key + column.key.substr(column.key.rfind('_')) : key;
  }
}

void Columns::mean_ends(const std::string& low, const std::string& high) {
  const auto [first, second] = ends();
  first->array.long_name = low;
  second->array.long_name = high;
}

void Columns::name_ends(const std::string& low, const std::string& high) {
  const auto [first, second] = ends();
  first->array.name = prefix_ + low, first->key = low;
  second->array.name = prefix_ + high, second->key = high;
  if (!list_[last_].is_end) tie_ends();
}

void Columns::show(Shown shown) {
  for (std::size_t k = last_; k < list_.size(); ++k) {
    list_[k].shown = shown;
    if (list_[k].is_end || is_coordinate(list_[k])) list_[k].shown.table = false;
  }
}

void Columns::show_ends() {
  const auto [first, second] = ends();
  first->shown.table = second->shown.table = true;
}

std::pair<Column*, Column*> Columns::ends() {
  require(list_.size() > last_ + 1, "rows: column '", list_.empty() ? "" : list_[last_].array.name,
          "' has no interval; ends are those of interval() and range().");
  return {&list_[list_.size() - 2], &list_.back()};
}

const Columns& Columns::write(Dataset& data) const {
  std::set<std::string> names;
  for (const Column& column : list_) {
    if (!column.shown.array) continue;
    require(names.insert(column.array.name).second, "rows: there are two columns '", column.array.name,
            "'; give one of them another name.");
    data.add(column.array);
  }
  return *this;
}

const Columns& Columns::write(Results& results) const { return write(results.data); }

Figure Columns::table(Figure options) const {
  options.kind = "table";
  if (options.x.empty()) options.x = over_.back();
  if (!options.variables.empty()) return options;
  for (const Column& column : list_)
    if (column.shown.array && column.shown.table) options.variables.push_back(column.array.name);
  return options;
}

Figure Columns::drawn(const char* kind, const std::string& name, Figure options) const {
  auto found = std::find_if(list_.begin(), list_.end(), [&](const Column& one) { return one.array.name == name; });
  if (found == list_.end())
    found = std::find_if(list_.begin(), list_.end(), [&](const Column& one) { return one.key == name; });
  require(found != list_.end(), "rows: there is no column '", name, "' for a figure; declare it first.");
  const auto choose = [](std::string& option, const std::string& otherwise) {
    if (option.empty()) option = otherwise;
  };
  options.kind = kind;
  options.variables.insert(options.variables.begin(), found->array.name);
  choose(options.name, found->array.name);
  choose(options.x, over_.back());
  if (options.kind == "intervals") choose(options.value_label, found->array.long_name);
  choose(options.band_low, found->low);
  choose(options.band_high, found->high);
  return options;
}

Figure Columns::intervals(const std::string& column, Figure options) const {
  return drawn("intervals", column, std::move(options));
}

Figure Columns::lines(const std::string& column, Figure options) const {
  return drawn("lines", column, std::move(options));
}

const Columns& Columns::table(Results& results, Figure options) const {
  results.figure(table(std::move(options)));
  return *this;
}

const Columns& Columns::intervals(Results& results, const std::string& column, Figure options) const {
  results.figure(intervals(column, std::move(options)));
  return *this;
}

const Columns& Columns::lines(Results& results, const std::string& column, Figure options) const {
  results.figure(lines(column, std::move(options)));
  return *this;
}

std::string Columns::cell(const Column& column, std::size_t row) const {
  return std::visit(
      [&](const auto& items) {
        if constexpr (std::is_same_v<std::decay_t<decltype(items)>, Doubles>)
          if (std::isnan(items[row])) return std::string();
        return exact_text(items[row]);
      },
      column.array.values);
}

std::string Columns::csv() const {
  std::string text;
  const auto line = [&](const auto& cell_of) {
    bool first = true;
    for (const Column& column : list_) {
      if (!column.shown.csv) continue;
      if (!first) text += ',';
      text += csv_text(cell_of(column));
      first = false;
    }
    text += '\n';
  };
  line([](const Column& column) { return column.key; });
  for (std::size_t row = 0; row < count_; ++row) line([&](const Column& column) { return cell(column, row); });
  return text;
}

std::vector<Json> Columns::json() const {
  std::vector<Json> objects;
  for (std::size_t row = 0; row < count_; ++row) {
    JsonObject object;
    for (const Column& column : list_)
      if (column.shown.json) object.add(column.key, json_cell(column, row));
    objects.push_back(object.done());
  }
  return objects;
}

}  // namespace fovea
