#include <fstream>

#include "fovea/core/study/study.hpp"
#include "fovea/datasets/cases/table_survey.hpp"
#include "fovea/domains/study/findings.hpp"
#include "fovea/domains/study/table/plan.hpp"
#include "fovea/tests/support/refusals.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study::table {

namespace {

using support::TemporaryFolder;

void write_table(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A table of 40 rows: x and word tell y; further columns as the case wants.
std::string rows_of(const std::string& header, const std::function<std::string(int)>& row) {
  std::string text = header + "\n";
  for (int i = 0; i < 40; ++i) text += row(i) + "\n";
  return text;
}

TableSettings planned_of(const TemporaryFolder& folder, const std::string& text, TableSettings settings) {
  settings.file = folder.file("t.csv");
  write_table(settings.file, text);
  return planned(settings);
}

std::string binary_rows(const std::string& zero, const std::string& one) {
  return rows_of("x,y", [&](int i) { return concat(i * 7 % 11, ".5,", i % 2 == 0 ? zero : one); });
}

TableSettings asking(const std::string& target) {
  TableSettings settings;
  settings.target = target;
  return settings;
}

/// The cases that a table becomes.
Cases cases_in(const TableSettings& settings) {
  return read_all(*datasets::cases::read_case_table(settings.file, case_columns(settings)));
}

}  // namespace

TEST_CASE("a target is of two classes, several, a number or a time, as its column says", "[study]") {
  struct Case {
    const char* name;
    std::string text;
    TableSettings asked;
    Question kind;
    std::vector<std::string> classes;
  };
  TableSettings positive = asking("y"), one_of_three = asking("y"), time = asking("y");
  positive.positive = "Alive", one_of_three.positive = "b", time.event = "how";
  const auto three = rows_of("x,y", [](int i) { return concat(i * 7 % 11, ".5,", std::string(1, "abc"[i % 3])); });
  const std::vector<Case> cases{
      {"0 and 1", binary_rows("0", "1"), asking("y"), Question::binary, {"0", "1"}},
      {"yes and no", binary_rows("Yes", "No"), asking("y"), Question::binary, {"No", "Yes"}},
      {"words with a positive one", binary_rows("Alive", "Expired"), positive, Question::binary, {"Expired", "Alive"}},
      {"one against the others", three, one_of_three, Question::binary, {"not b", "b"}},
      {"words", three, asking("y"), Question::classes, {"a", "b", "c"}},
      {"none is a name",
       binary_rows("none", "mild"),
       [&] {
         auto s = asking("y");
         s.positive = "mild";
         return s;
       }(),
       Question::binary,
       {"none", "mild"}},
      {"numbers",
       rows_of("x,y [t]", [](int i) { return concat(i, ".5,", i * i, ".25"); }),
       asking("y"),
       Question::number,
       {}},
      {"a time",
       rows_of("x,y,how", [](int i) { return concat(i * 7 % 11, ".5,", 1 + i, ",", i % 3); }),
       time,
       Question::time,
       {"1", "2"}}};
  for (const Case& one : cases) DYNAMIC_SECTION(one.name) {
      const TemporaryFolder folder;
      const TableSettings found = planned_of(folder, one.text, one.asked);
      CHECK(found.kind == one.kind);
      CHECK(found.classes == one.classes);
      CHECK(cases_in(found).count() == 40);
    }
}

TEST_CASE("what a table leaves open is refused with the way out", "[study]") {
  struct Case {
    const char* name;
    std::string text;
    TableSettings asked;
    const char* says;
  };
  const auto with = [](const std::string& target, const std::function<void(TableSettings&)>& change) {
    TableSettings settings = asking(target);
    change(settings);
    return settings;
  };
  const std::vector<Case> cases{
      {"no such target", binary_rows("0", "1"), asking("z"),
       "t.csv: has no column 'z', which data.target names; there are: 'x', 'y'."},
      {"two words", binary_rows("Alive", "Expired"), asking("y"),
       "t.csv: the target 'y' is 'Alive' (20), 'Expired' (20); say which of them is predicted: --set "
       "data.positive=Expired"},
      {"1 and 2", binary_rows("1", "2"), asking("y"),
       "t.csv: the target 'y' is '1' (20), '2' (20); say which of them is predicted: --set data.positive=2"},
      {"one class", binary_rows("0", "0"), asking("y"),
       "t.csv: the target 'y' is '0' (40) in all rows where it is known; a question needs two classes."},
      {"a positive that is not there", binary_rows("Alive", "Expired"),
       with("y", [](auto& s) { s.positive = "Expird"; }),
       "t.csv: the target 'y' has no 'Expird', which data.positive names; did you mean 'Expired'?"},
      {"no censoring", rows_of("x,y,how", [](int i) { return concat(i % 7, ".5,", 1 + i, ",1"); }),
       with("y", [](auto& s) { s.event = "how"; }),
       "t.csv: the column 'how' of data.event has no 0, so no case is censored: '1' (40); if one of them means that no "
       "end was seen, name the other: --set data.positive=NAME"},
      {"subjects", rows_of("subject,x,y", [](int i) { return concat("s", i / 2, ",", i % 7, ".5,", i % 2); }),
       asking("y"),
       "t.csv: 'subject' has 20 names in 40 rows, and rows of one name in training and test would make a result look "
       "better than it is. Say what a row is: --set data.id=subject (the rows of a name are one case), --set "
       "data.group=subject (each row is a case, and those of a name stay together) or --set "
       "'data.leave_out=[\"subject\"]' (they have nothing in common); if the names are a property to learn from: --set "
       "'data.categories=[\"subject\"]'"},
      {"one number", rows_of("x,y", [](int i) { return concat(i, ".5,", i % 3 == 0 ? "7" : ""); }),
       with("y", [](auto& s) { s.kind = Question::number; }),
       "t.csv: the target 'y' is '7' (14) in all rows where it is known; nothing can be learned from it."},
      {"three of two", rows_of("x,y", [](int i) { return concat(i, ".5,", std::string(1, "abc"[i % 3])); }),
       with("y", [](auto& s) { s.kind = Question::binary; }),
       "t.csv: the target 'y' has 3 different values, 'a' (14), 'b' (13), 'c' (13), but data.kind=binary needs two; to "
       "predict one of them against the others: --set data.positive=NAME"},
      {"a mark of missing values",
       rows_of("x,y", [](int i) { return concat(i % 5 == 0 ? "-999" : concat(i % 7, ".5"), ",", i % 2); }), asking("y"),
       "t.csv: column 'x' holds -999 8 times, far from its other values (0.5 to 6.5); if it marks missing values: "
       "--set 'data.missing=[\"-999\"]', else --set data.missing=none"},
      {"a word among numbers",
       rows_of("x,y", [](int i) { return concat(i == 8 ? "clotted" : concat(i, ".5"), ",", i % 2); }), asking("y"),
       "t.csv:row 10, column 'x': 'clotted' is a word in a column of 39 numbers; if it means that nothing is known: "
       "--set 'data.missing=[\"clotted\"]', to leave out its row: --set data.bad='leave out', else --set "
       "'data.leave_out=[\"x\"]'."},
      {"a row that is cut", binary_rows("0", "1") + "3.5\n", asking("y"),
       "t.csv:row 42: has 1 field, but the first row has 2; each row needs as many. To leave out such rows: --set "
       "data.bad='leave out'."},
      {"answers that differ in capitals",
       rows_of("x,y", [](int i) { return concat(i, ".5,",
                                                i % 3 == 0   ? "yes"
                                                : i % 3 == 1 ? "Yes"
                                                             : "no"); }),
       asking("y"),
       "t.csv: the target 'y' has 'Yes' and 'yes', which differ in capitals alone; write them alike, or name the "
       "classes: --set data.classes=..."},
      {"quoted thousands", rows_of("x,y", [](int i) { return concat("\"", 10 + i, ",500\",", i % 2); }), asking("y"),
       "t.csv:row 2, column 'x': '10,500' has a comma, decimal or between thousands, but commas separate the columns; "
       "write decimal points and nothing between thousands, or semicolons between the columns."},
      {"quoted decimal commas", rows_of("x,y", [](int i) { return concat("\"", i, ",", i % 10, "\",", i % 2); }),
       asking("y"),
       "t.csv:row 2, column 'x': '0,0' has a decimal comma, but commas separate the columns; write decimal points, or "
       "semicolons between the columns."},
      {"two roles", binary_rows("0", "1"), with("y", [](auto& s) { s.group = "y"; }),
       "t.csv: column 'y' is named by data.group and by another key; a column is one thing."},
      {"nothing to learn from", rows_of("x,y", [](int i) { return concat("7,", i % 2); }), asking("y"),
       "t.csv: has no column to learn from; x: constant in the training table."}};
  for (const Case& one : cases) DYNAMIC_SECTION(one.name) {
      const TemporaryFolder folder;
      CHECK(support::refusal_in<DataError>(folder, [&] { planned_of(folder, one.text, one.asked); }) == one.says);
    }
}

TEST_CASE("a table is the same whoever wrote it", "[study]") {
  const TemporaryFolder folder;
  const auto table = [](char separator, char point, const std::string& end, const std::string& front,
                        const char* nothing) {
    std::string text = front + concat("when", separator, "x [mg]", separator, "\"word\"", separator, "y", end);
    for (int i = 0; i < 40; ++i)
      text += concat("2020-01-", i % 28 < 9 ? "0" : "", i % 28 + 1, separator,
                     i % 5 == 0 ? nothing : concat(i * 7 % 11, point, 5), separator, "\"", i % 3 == 0 ? "a" : "b", "\"",
                     separator, i % 2, end);
    return text;
  };
  const auto read = [&](const std::string& text) { return cases_in(planned_of(folder, text, asking("y"))); };
  const Cases plain = read(table(',', '.', "\n", "", ""));
  REQUIRE(plain.features.size() == 3);
  CHECK(plain.features[1].unit == "mg");
  CHECK(plain.features[2].categories == std::vector<std::string>{"a", "b"});
  CHECK(plain.values(1, 0) == 18263.0F);  // 2020-01-02
  for (const std::string& other : {table(';', ',', "\r\n", "\xEF\xBB\xBF", "NA"), table('\t', '.', "\n", "", "."),
                                   table('|', '.', "\n", "# a comment\n", "?")}) {
    const Cases same = read(other);
    CHECK(same.features == plain.features);
    CHECK(same.targets == plain.targets);
    CHECK((same.values.array().isNaN() == plain.values.array().isNaN()).all());
    CHECK((same.values.array().isNaN() || same.values.array() == plain.values.array()).all());
  }
}

TEST_CASE("rows of one case are put together and in the order of their times", "[study]") {
  const TemporaryFolder folder;
  TableSettings asked = asking("y");
  asked.id = "stay", asked.time = "when";
  const std::string text =
      "stay,when,x,y\nb,2020-01-02,4,1\na,2020-01-03,2,0\nb,2020-01-01,3,1\na,2020-01-01,<1,0\na,2020-01-02,>9,0\n";
  const Cases cases = cases_in(planned_of(folder, text, asked));
  CHECK(cases.ids == std::vector<std::string>{"b", "a"});
  CHECK(cases.targets == std::vector<double>{1, 0});
  CHECK(cases.offsets == std::vector<Index>{0, 2, 5});
  CHECK(std::vector<float>(cases.values.data(), cases.values.data() + 5) == std::vector<float>{3, 4, 0.5F, 9, 2});
  CHECK(cases.times[0] + 1 == cases.times[1]);
  CHECK(cases.time_unit == "d");
  asked = asking("y"), asked.id = "stay";
  CHECK(support::refusal_in<DataError>(
            folder, [&] { cases_in(planned_of(folder, "stay,x,y\na,1,1\na,2,0\nb,1,0\n", asked)); }) ==
        "t.csv:row 3, column 'y': differs from the first row of case 'a'; it must be the same in all rows of a case. "
        "To leave out such rows: --set data.bad='leave out'.");
}

TEST_CASE("rows that cannot be read are left out and counted, where that is asked for", "[study]") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& changed, bool leave_out) {
    TableSettings asked = asking("y");
    asked.weight = "w", asked.leave_out_bad = leave_out;
    const std::string text =
        rows_of("x,w,y", [&](int i) { return i == 8 ? changed : concat(i * 7 % 23, ".5,1,", i % 2); });
    const TableSettings found = planned_of(folder, text, asked);
    const auto reader = datasets::cases::read_case_table(found.file, case_columns(found));
    const Cases cases = read_all(*reader);
    return std::pair(cases, reader->reading().left_out);
  };
  for (const char* bad : {"clotted,1,0", "3.5,1", "3.5,-1,0", "3.5,much,0"}) {
    CAPTURE(bad);
    CHECK(support::refusal_in<DataError>(folder, [&] { read(bad, false); }).find("t.csv:row 10") == 0);
    CHECK(support::refusal_in<DataError>(folder, [&] { read(bad, false); }).find("data.bad='leave out'") !=
          std::string::npos);
    const auto [cases, left_out] = read(bad, true);
    CHECK(cases.count() == 39);
    CHECK((cases.ids[7] == "8" && cases.ids[8] == "10"));  // the rows of the file
    REQUIRE(left_out.size() == 1);
    CHECK(left_out.front().count == 1);
    CHECK(left_out.front().places.front().ends_with("t.csv:row 10"));
  }
  CHECK(read("3.5,1,0", true).first.count() == 40);
  CHECK(read("3.5,1,0", true).second.empty());
}

TEST_CASE("a word among many numbers of a target is a slip, among few values a class", "[study]") {
  const TemporaryFolder folder;
  const auto kind_of = [&](int values, bool leave_out) {
    TableSettings asked = asking("y");
    asked.leave_out_bad = leave_out;
    std::string text = "x,y\n";
    for (int i = 0; i < 120; ++i) text += concat(i * 7 % 23, ".5,", i == 8 ? "on request" : concat(i % values), '\n');
    return planned_of(folder, text, asked).kind;
  };
  CHECK(support::refusal_in<DataError>(folder, [&] { kind_of(100, false); }) ==
        "t.csv: the target 'y' is to be a number, but 1 cell is none, the first 'on request' in row 10; to leave out "
        "such rows: --set data.bad='leave out'.");
  CHECK(kind_of(100, true) == Question::number);
  CHECK(kind_of(5, false) == Question::classes);
}

TEST_CASE("columns that name rows or say nothing are left out with their reasons", "[study]") {
  const TemporaryFolder folder;
  const TableSettings found = planned_of(folder,
                                         rows_of("nr,study_id,site,note,empty,plant,x,y",
                                                 [](int i) {
                                                   return concat(i + 1, ",S", i, ",Oslo,seen by nurse ", i * i, ",,pl",
                                                                 i % 25, ",", i * 7 % 11, ".5,", i % 2);
                                                 }),
                                         asking("y"));
  CHECK(found.columns == std::vector<std::string>{"x"});
  CHECK(found.id == "nr");
  CHECK(found.left == std::vector<std::string>{"study_id: an identifier", "site: constant in the training table",
                                               "note: an identifier", "empty: empty in the training table",
                                               "plant: 25 different texts in 40 rows"});
}

TEST_CASE("a table of one's own is learned from, and says what it read", "[study]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("mine.csv");
  write_table(file, rows_of("id,x,word,y", [](int i) {
                return concat("c", i, ",", i % 2 == 0 ? i : -i, ".5,", "ab"[i % 2], ",", i % 2);
              }));
  const Results results = support::run_of("study.table", {"data.file=" + file, "data.target=y", "training.epochs=2",
                                                          "ensemble.members=1", "trees.rounds=5", "split.folds=3"});
  CHECK(results.data.at("test_cases").reals().front() == 40);
  CHECK(results.data.documents.at("reading").find("1 column") == std::string::npos);
  CHECK(results.data.documents.at("reading").find("mine.csv") != std::string::npos);
}

TEST_CASE("a time that is asked for by name is one, with trees like any other", "[study]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("mine.csv");
  write_table(file, rows_of("x,days,how", [](int i) { return concat(i * 7 % 11, ".5,", 1 + i, ",", i % 2); }));
  const Results results =
      support::run_of("study.table", {"data.file=" + file, "data.target=days", "data.event=how", "data.kind=time",
                                      "training.epochs=1", "ensemble.members=1", "split.folds=2", "trees.rounds=5"});
  CHECK(results.data.at("concordance").reals().size() == 1);
  CHECK(results.data.has("scores_of_boosted_trees_alone"));
  CHECK(results.data.has("scores_of_random_forest_alone"));
}

TEST_CASE("ends that are numbers are called by their column, ends with names as the table has them", "[study]") {
  const auto ends_of = [](const std::vector<std::string>& classes) {
    TableSettings settings = asking("days");
    settings.kind = Question::time, settings.event = "status", settings.classes = classes;
    return target_of(settings).classes;
  };
  CHECK(ends_of({"1", "2"}) == std::vector<std::string>{"status=1", "status=2"});
  CHECK(ends_of({"relapse", "2nd relapse"}) == std::vector<std::string>{"relapse", "2nd relapse"});
}

TEST_CASE("ends of intervals are numbers of two digits to the last bit", "[study]") {
  const TemporaryFolder folder;
  TableSettings asked = asking("days");
  asked.event = "how";
  for (const double scale : {0.01, 1.0, 1000.0}) {
    const std::string rows = rows_of("x,days,how", [&](int i) {
      return concat(i * 7 % 11, ".5,", exact_text(scale * (0.113 + i / 9.0)), ",", i % 2);
    });
    for (const double end : planned_of(folder, rows, asked).times) CHECK(exact_text(end).size() <= 6);
  }
}

TEST_CASE("one value against all its others is said where there are others", "[study]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("mine.csv");
  const auto others_of = [&](const char* letters, int count) {
    write_table(file,
                rows_of("x,y", [&](int i) { return concat(i * 7 % 11, ".5,", std::string(1, letters[i % count])); }));
    return support::run_of("study.table", {"data.file=" + file, "data.target=y", "data.positive=b", "training.epochs=1",
                                           "ensemble.members=1", "trees.rounds=0", "trees.forest=0", "split.folds=2"})
        .found<OthersTogether>();
  };
  REQUIRE(others_of("abc", 3));
  CHECK(others_of("abc", 3)->sentence() == "The target y is b against its 2 other values, which are one class here.");
  CHECK_FALSE(others_of("ab", 2));
}

TEST_CASE("thirds of dates are dates, numbers stay numbers, and groups of a column take no plural of it", "[study]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("mine.csv");
  write_table(file, rows_of("visit,age,Klinik,y", [](int i) {
                return concat("2020-", i % 9 < 4 ? "03" : "11", "-", 10 + i % 19, ",", 20 + i, ",K", i % 4, ",", i % 2);
              }));
  const Results results =
      support::run_of("study.table", {"data.file=" + file, "data.target=y", "data.group=Klinik", "training.epochs=1",
                                      "ensemble.members=1", "trees.rounds=0", "trees.forest=0", "split.folds=2"});
  const auto& groups = std::get<std::vector<std::string>>(results.data.at("subgroup").values);
  const auto has = [&](const std::string& start) {
    return std::any_of(groups.begin(), groups.end(), [&](const std::string& one) { return one.starts_with(start); });
  };
  CHECK(has("visit below 2020-"));
  CHECK_FALSE(has("visit below 1"));  // days since 1970
  CHECK(has("age below 33"));
  CHECK_FALSE(has("age below 1970"));
  const std::string& reading = results.data.documents.at("reading");
  CHECK(reading.find("40 cases in 4 groups of 'Klinik', 40 rows") != std::string::npos);
  CHECK(reading.find("Kliniks") == std::string::npos);
  const auto& figures = results.figures();
  const auto reliability =
      std::find_if(figures.begin(), figures.end(), [](const Figure& one) { return one.name == "reliability"; });
  REQUIRE(reliability != figures.end());
  CHECK(reliability->caption.find("tenths of the cases by predicted") != std::string::npos);
}

}  // namespace fovea::study::table
