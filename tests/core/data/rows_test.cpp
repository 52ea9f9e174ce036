#include "fovea/core/data/rows.hpp"

#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/tests/support/datasets.hpp"
#include "fovea/tests/support/test.hpp"

using support::kInf;

namespace {

using Doubles = std::vector<double>;
using Texts = std::vector<std::string>;

struct Estimate {
  double estimate = 0, low = 0, high = 0;
};

struct Group {
  std::string name;
  std::int64_t cases = 0;
  ValueInterval auroc = {};
  bool kept = true;
  std::optional<double> age = {};
  bool enough() const { return cases >= 10; }
};

std::vector<Group> two_groups() {
  return {{"men, all", 12, {0.8, 0.7, 0.9}, true, 61.5}, {"women", 3, {0.6, 0.1, 1.0}, false, std::nullopt}};
}

Json first_of(const Columns& columns) { return columns.json().front(); }

/// The same bytes in a result file.
bool equal(const Results& one, const Results& other) { return content_hash(one.data) == content_hash(other.data); }

}  // namespace

TEST_CASE("rows: the arrays are those of columns written by hand", "[data][rows]") {
  const std::vector<Group> groups = two_groups();
  Results by_list, by_hand;
  rows("group", groups, &Group::name, "group of patients")
      .number("age", &Group::age, "age", "a")
      .integer("cases", &Group::cases, "cases")
      .number("kept", &Group::kept, "1 where kept")
      .text(
          "first", [](const Group& group) { return group.name.substr(0, 1); }, "first letter")
      .number(
          "place", [](const Group&, std::size_t place) { return place + 1; }, "place")
      .interval("auroc", &Group::auroc, "AUROC")
      .write(by_list);
  by_hand.coordinate("group", Texts{"men, all", "women"}, "", "group of patients");
  by_hand.add("age", {"group"}, Doubles{61.5, kNan}, "a", "age");
  by_hand.add("cases", {"group"}, std::vector<std::int64_t>{12, 3}, "1", "cases");
  by_hand.add("kept", {"group"}, Doubles{1, 0}, "1", "1 where kept");
  by_hand.add("first", {"group"}, Texts{"m", "w"}, "", "first letter");
  by_hand.add("place", {"group"}, Doubles{1, 2}, "1", "place");
  by_hand.add("auroc", {"group"}, Doubles{0.8, 0.6}, "1", "AUROC");
  by_hand.add("auroc_low", {"group"}, Doubles{0.7, 0.1}, "1", "95 % interval, of the AUROC");
  by_hand.add("auroc_high", {"group"}, Doubles{0.9, 1.0}, "1", "95 % interval, of the AUROC");
  CHECK(equal(by_list, by_hand));
}

TEST_CASE("rows: names, units and ends of an interval can be given", "[data][rows]") {
  const std::vector<Estimate> lags{{3, 2, 5}};
  Results by_list, by_hand;
  rows(
      "pair", lags, [](const Estimate&) { return 7; }, "number of the pair")
      .prefix("pair_")
      .interval("lag", std::identity(), "lag", "d")
      .ends("lower end", "upper end")
      .end_names("from", "to")
      .range("wide", std::identity(), "least", "most", "d")
      .write(by_list);
  by_hand.coordinate("pair", std::vector<std::int64_t>{7}, "1", "number of the pair");
  by_hand.add("pair_lag", {"pair"}, Doubles{3}, "d", "lag");
  by_hand.add("pair_from", {"pair"}, Doubles{2}, "d", "lower end");
  by_hand.add("pair_to", {"pair"}, Doubles{5}, "d", "upper end");
  by_hand.add("pair_wide_low", {"pair"}, Doubles{2}, "d", "least");
  by_hand.add("pair_wide_high", {"pair"}, Doubles{5}, "d", "most");
  CHECK(equal(by_list, by_hand));
}

TEST_CASE("rows: coordinates are texts, whole numbers or doubles", "[data][rows]") {
  Results results;
  rows("name", Texts{"a"}, std::identity(), "name").write(results);
  rows("place", std::vector<int>{4}, std::identity(), "place", "steps").write(results);
  rows("time", Doubles{0.5}, std::identity(), "time", "h").write(results);
  CHECK(results.data.at("name").units.empty());
  CHECK(std::get<std::vector<std::int64_t>>(results.data.at("place").values) == std::vector<std::int64_t>{4});
  CHECK(results.data.at("place").units == "steps");
  CHECK(results.data.at("time").reals() == Doubles{0.5});
}

TEST_CASE("rows: a column is empty where its condition does not hold", "[data][rows]") {
  const std::vector<Group> groups = two_groups();
  Results results;
  rows("group", groups, &Group::name, "group")
      .number("cases", &Group::cases, "cases")
      .interval("auroc", &Group::auroc, "AUROC")
      .when(&Group::enough)
      .text("word", &Group::name, "word")
      .when([](const Group&, std::size_t place) { return place == 1; })
      .write(results);
  CHECK(results.data.at("cases").reals() == Doubles{12, 3});
  for (const char* name : {"auroc", "auroc_low", "auroc_high"}) {
    CHECK(results.data.at(name).reals()[0] > 0);
    CHECK(std::isnan(results.data.at(name).reals()[1]));
  }
  CHECK(std::get<Texts>(results.data.at("word").values) == Texts{"", "women"});
  CHECK_THROWS_AS(rows("group", groups).integer("cases", &Group::cases, "cases").when(&Group::enough), ArgumentError);
  CHECK_THROWS_AS(rows("group", groups, &Group::name, "group").when(&Group::enough), ArgumentError);
}

TEST_CASE("rows: an empty list gives empty arrays of the same types", "[data][rows]") {
  const std::vector<Group> none;
  Results results;
  const auto table = rows("group", none, &Group::name, "group")
                         .integer("cases", &Group::cases, "cases")
                         .interval("auroc", &Group::auroc, "AUROC")
                         .when(&Group::enough);
  table.write(results);
  CHECK(results.data.size_of("group") == 0);
  CHECK(std::get<std::vector<std::int64_t>>(results.data.at("cases").values).empty());
  CHECK(results.data.at("auroc_high").reals().empty());
  CHECK(table.csv() == "group,cases,auroc,auroc_low,auroc_high\n");
  CHECK(table.json().empty());
}

TEST_CASE("rows: a flat list over two dimensions", "[data][rows]") {
  Results results;
  results.coordinate("tagger", Texts{"a", "b"}, "", "tagger");
  results.coordinate("share", Doubles{0.1, 0.2, 0.3}, "1", "share");
  const Doubles changes{1, 2, 3, 4, 5, 6};
  rows({"tagger", "share"}, changes).number("change", std::identity(), "change").write(results);
  CHECK(results.data.at("change").dimensions == Texts{"tagger", "share"});
  CHECK(results.data.at("change").reals() == changes);
  CHECK_THROWS_AS(rows({"tagger", "share"}, Doubles{1, 2}).number("few", std::identity(), "few").write(results),
                  ArgumentError);
  CHECK_THROWS_AS(rows("unknown", changes).number("change", std::identity(), "change").write(results), ArgumentError);
}

TEST_CASE("rows: two arrays of one name, and ends of what has none, are refused", "[data][rows]") {
  Results results;
  const Doubles values{1};
  CHECK_THROWS_WITH(rows("x", values, std::identity(), "x")
                        .number("same", std::identity(), "one")
                        .number("same", std::identity(), "other")
                        .write(results),
                    "rows: there are two columns 'same'; give one of them another name.");
  CHECK_THROWS_WITH(rows("x", values).number("plain", std::identity(), "plain").ends("low", "high"),
                    "rows: column 'plain' has no interval; ends are those of interval() and range().");
}

TEST_CASE("rows: figures take their columns from the list", "[data][rows]") {
  const std::vector<Group> groups = two_groups();
  Results results;
  rows("group", groups, &Group::name, "group")
      .prefix("group_")
      .number("cases", &Group::cases, "cases")
      .interval("auroc", &Group::auroc, "AUROC")
      .interval("again", &Group::auroc, "AUROC, again")
      .with_ends()
      .text("of", &Group::name, "told apart by")
      .shown({.table = false})
      .write(results)
      .intervals(results, "auroc", {.title = "By group", .variables = {"group_again"}, .groups = "group_of"})
      .table(results, {.name = "groups", .digits = 3})
      .lines(results, "group_cases", {.name = "line", .value_label = "count"});
  const Figure &intervals = results.figures()[0], &table = results.figures()[1], &lines = results.figures()[2];
  CHECK(intervals.kind == "intervals");
  CHECK(intervals.name == "group_auroc");
  CHECK(intervals.x == "group");
  CHECK(intervals.variables == Texts{"group_auroc", "group_again"});
  CHECK(intervals.band_low == "group_auroc_low");
  CHECK(intervals.band_high == "group_auroc_high");
  CHECK(intervals.value_label == "AUROC");
  CHECK(table.variables == Texts{"group_cases", "group_auroc", "group_again", "group_again_low", "group_again_high"});
  CHECK(table.digits == 3);
  CHECK(lines.name == "line");
  CHECK(lines.band_low.empty());
  CHECK_THROWS_WITH(rows("group", groups).intervals("auroc", {}),
                    "rows: there is no column 'auroc' for a figure; declare it first.");
}

TEST_CASE("rows: CSV has a line of names and a line a row", "[data][rows]") {
  const std::vector<Group> groups = two_groups();
  const auto table = rows("group", groups, &Group::name, "group")
                         .prefix("group_")
                         .number("age", &Group::age, "age")
                         .flag("kept", &Group::kept, "kept")
                         .interval("auroc", &Group::auroc, "AUROC")
                         .as("area")
                         .number(
                             "endless", [](const Group&) { return -kInf; }, "endless")
                         .number("hidden", &Group::cases, "cases")
                         .shown({.csv = false, .json = false});
  CHECK(table.csv() ==
        "group,age,kept,area,area_low,area_high,endless\n"
        "\"men, all\",61.5,1,0.8,0.7,0.9,-inf\n"
        "women,,0,0.6,0.1,1,-inf\n");
}

TEST_CASE("rows: JSON of a row has null for NaN and for an empty text", "[data][rows]") {
  const std::vector<Group> groups{{"", 3, {kNan, -kInf, 0.5}, true, std::nullopt}};
  const auto table = rows("group", groups)
                         .text("name", &Group::name, "name")
                         .integer("cases", &Group::cases, "cases")
                         .flag("kept", &Group::kept, "kept")
                         .flag("known", &Group::kept, "known")
                         .when(&Group::enough)
                         .interval("auroc", &Group::auroc, "AUROC")
                         .json_field("both", [](const Group&) {
                           return json_list({json(1), json(2)});
                         });
  CHECK(first_of(table).text ==
        "{\"name\": null, \"cases\": 3, \"kept\": true, \"known\": null, \"auroc\": null, \"auroc_low\": \"-inf\", "
        "\"auroc_high\": 0.5, \"both\": [1, 2]}");
  Results results;
  results.data.dimension("group", 1);
  table.write(results);
  CHECK_FALSE(results.data.has("both"));
}

TEST_CASE("a field of CSV is quoted where it has a comma, a quote or a line break", "[data][rows]") {
  CHECK(csv_text("plain words") == "plain words");
  CHECK(csv_text("") == "");
  CHECK(csv_text("a,b") == "\"a,b\"");
  CHECK(csv_text("say \"yes\"") == "\"say \"\"yes\"\"\"");
  CHECK(csv_text("two\nlines") == "\"two\nlines\"");
  CHECK(csv_text("carriage\r") == "\"carriage\r\"");
}
