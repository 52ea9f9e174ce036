#pragma once
/// A table declared once: each column is a name, a member or function of a row, and a meaning. Its arrays, figures,
/// CSV and JSON come from the same list (columns.hpp).
///
///   rows("subgroup", groups, &Subgroup::name, "subgroup")
///       .prefix("subgroup_")
///       .number("cases", &Subgroup::cases, "cases")
///       .interval("auroc", &Subgroup::auroc, "AUROC").when(&Subgroup::enough)
///       .write(results)
///       .intervals(results, "auroc", {.title = "AUROC by subgroup"})
///       .table(results, {.name = "subgroups", .title = "Subgroups"});
///
/// A getter is a data member, a member function, or a callable of the row or of (row, its number from 0); it is called
/// once a row. An empty list of rows gives empty arrays.

#include <concepts>
#include <iterator>
#include <optional>
#include <utility>

#include "fovea/core/data/columns.hpp"
#include "fovea/core/data/getter.hpp"

namespace fovea {

/// Made by rows(). Range: a reference to the rows, or, of a temporary list, the rows.
template <typename Range>
class RowTable : public Columns {
 public:
  RowTable(Over over, Range&& rows) : Columns(std::move(over), std::size(rows)), rows_(std::forward<Range>(rows)) {}

  /// Stands before the names of the arrays declared from here on; CSV and JSON go without.
  RowTable& prefix(std::string text) { return prefix_ = std::move(text), *this; }

  /// Doubles, of any arithmetic type or an optional one: true is 1, nothing NaN.
  template <typename Get>
  RowTable& number(const std::string& name, Get get, const std::string& long_name, const std::string& units = "1") {
    return add_column(name, list_of<double>(get, as_double), units, long_name), *this;
  }
  /// The same of a bool; true and false in JSON.
  template <typename Get>
  RowTable& flag(const std::string& name, Get get, const std::string& long_name) {
    return add_column(name, list_of<double>(get, as_double), "1", long_name, Column::Cells::flags), *this;
  }
  /// 64-bit integers.
  template <typename Get>
  RowTable& integer(const std::string& name, Get get, const std::string& long_name, const std::string& units = "1") {
    return add_column(name, list_of<std::int64_t>(get, as_integer), units, long_name), *this;
  }
  template <typename Get>
  RowTable& text(const std::string& name, Get get, const std::string& long_name) {
    return add_column(name, list_of<std::string>(get, as_text), "", long_name), *this;
  }
  /// A field of JSON alone. get: gives a Json.
  template <typename Get>
  RowTable& json_field(const std::string& name, Get get) {
    add_column(name, list_of<std::string>(get, [](const Json& json) { return json.text; }), "", "",
               Column::Cells::json);
    return shown({.array = false, .table = false, .csv = false});
  }
  /// NAME, NAME_low and NAME_high, of what has a value (or estimate), low and high.
  template <typename Get>
  RowTable& interval(const std::string& name, Get get, const std::string& long_name, const std::string& units = "1") {
    std::vector<double> value, low, high;
    each(get,
         [&](const auto& one) { value.push_back(point_of(one)), low.push_back(one.low), high.push_back(one.high); });
    add_column(name, std::move(value), units, long_name);
    const std::string meaning = "95 % interval, of the " + long_name;
    add_ends(name, std::move(low), std::move(high), units, meaning, meaning);
    return tie_ends(), *this;
  }
  /// NAME_low and NAME_high alone.
  template <typename Get>
  RowTable& range(const std::string& name, Get get, const std::string& low_name, const std::string& high_name,
                  const std::string& units = "1") {
    std::vector<double> low, high;
    each(get, [&](const auto& one) { low.push_back(one.low), high.push_back(one.high); });
    return add_ends(name, std::move(low), std::move(high), units, low_name, high_name), *this;
  }

  // Each of these is about the column declared just before, with the ends of its interval.

  /// NaN or an empty text in rows where it does not hold. Throws ArgumentError for integers and coordinates.
  template <typename Holds>
  RowTable& when(Holds holds) {
    std::vector<bool> left_out;
    each(holds, [&](bool held) { left_out.push_back(!held); });
    return empty_where(left_out), *this;
  }
  /// Long names of the ends of its interval; both the same if one is given.
  RowTable& ends(const std::string& low, const std::string& high) { return mean_ends(low, high), *this; }
  RowTable& ends(const std::string& both) { return ends(both, both); }
  /// Names of the arrays of its ends, without the prefix, where they are not NAME_low and NAME_high.
  RowTable& end_names(const std::string& low, const std::string& high) { return name_ends(low, high), *this; }
  RowTable& with_ends() { return show_ends(), *this; }  ///< tables show the ends as well
  /// Its name in CSV and JSON, where it is not that of the array without prefix.
  RowTable& as(const std::string& key) { return rename_key(key), *this; }
  RowTable& shown(Shown forms) { return show(forms), *this; }  ///< .shown({.table = false}): in no table

  /// See rows().
  template <typename Get>
  RowTable& coordinates(Get get, const std::string& long_name, const std::optional<std::string>& units) {
    using Value = decltype(gotten(get, *std::begin(rows_), 0));
    if constexpr (std::constructible_from<std::string, Value>)
      coordinate(list_of<std::string>(get, as_text), units.value_or(""), long_name);
    else if constexpr (std::floating_point<std::remove_cvref_t<Value>>)
      coordinate(list_of<double>(get, as_double), units.value_or("1"), long_name);
    else
      coordinate(list_of<std::int64_t>(get, as_integer), units.value_or("1"), long_name);
    return *this;
  }

 private:
  template <typename Get, typename Take>
  void each(Get& get, const Take& take) {
    std::size_t place = 0;
    for (const auto& row : rows_) take(gotten(get, row, place++));
  }
  template <typename Item, typename Get, typename As>
  std::vector<Item> list_of(Get& get, const As& as) {
    std::vector<Item> items;
    each(get, [&](const auto& value) { items.push_back(as(value)); });
    return items;
  }

  Range rows_;
};

/// Rows over dimensions that results have already; of several, the last runs fastest.
template <typename Range>
RowTable<Range> rows(Over over, Range&& list) {
  return {std::move(over), std::forward<Range>(list)};
}

/// Rows over a dimension whose coordinate is a column of theirs: a text, whole numbers or doubles, as the getter gives.
/// It is the first column, in no table. units: "1", of texts none, unless given.
template <typename Range, typename Get>
RowTable<Range> rows(const std::string& dimension, Range&& list, Get get, const std::string& long_name,
                     const std::optional<std::string>& units = std::nullopt) {
  RowTable<Range> table(dimension, std::forward<Range>(list));
  table.coordinates(get, long_name, units);
  return table;
}

}  // namespace fovea
