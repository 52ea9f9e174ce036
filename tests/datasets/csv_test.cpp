#include "fovea/datasets/text/csv.hpp"

#include <zlib.h>

#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(datasets::text::CsvReader& reader) {
  Rows rows;
  while (reader.next()) {
    rows.emplace_back();
    for (std::size_t i = 0; i < reader.columns().size(); ++i) rows.back().emplace_back(reader.text(i));
  }
  return rows;
}

Rows rows_of(const std::string& text, const datasets::text::CsvOptions& options = {}) {
  const TemporaryFolder folder;
  write_file(folder.file("x.csv"), text);
  datasets::text::CsvReader reader(folder.file("x.csv"), options);
  return rows_of(reader);
}

/// What is wrong with the text, without the folder's name.
template <typename Action>
std::string refusal(const std::string& text, const Action& action, const datasets::text::CsvOptions& options = {}) {
  const TemporaryFolder folder;
  write_file(folder.file("x.csv"), text);
  return support::refusal_in<DataError>(folder, [&] {
    datasets::text::CsvReader reader(folder.file("x.csv"), options);
    action(reader);
  });
}

std::string refusal(const std::string& text, const datasets::text::CsvOptions& options = {}) {
  return refusal(
      text, [](datasets::text::CsvReader& reader) { rows_of(reader); }, options);
}

void write_gz(const std::string& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

}  // namespace

TEST_CASE("rows come as their fields, whatever the line ends and quotes", "[csv]") {
  const Rows expected{{"1", "2"}, {"3", ""}};
  CHECK(rows_of("a,b\n1,2\n3,\n") == expected);
  CHECK(rows_of("a,b\r\n1,2\r\n3,\r\n") == expected);
  CHECK(rows_of("\xEF\xBB\xBF"
                "a,b\n\n1,2\n\n3,") == expected);
  CHECK(rows_of("a,b\n\"1\",2\n\"3\",\"\"") == expected);
  CHECK(rows_of("a,b\n\"x,\"\"y\"\"\r\nz\",2\n") == Rows{{"x,\"y\"\r\nz", "2"}});
  CHECK(rows_of("a\tb\n1,5\t2\n", {.separator = '\t'}) == Rows{{"1,5", "2"}});
  CHECK(rows_of("# \"open\na,b\n#1,2\n3,4\n# end", {.comment = '#'}) == Rows{{"3", "4"}});
  CHECK(rows_of("1,2\n3,4", {.header = false}) == Rows{{"1", "2"}, {"3", "4"}});
  CHECK(rows_of("a,b\n").empty());
}

TEST_CASE("rows that straddle the buffer come whole, packed or not", "[csv]") {
  const TemporaryFolder folder;
  std::string text = "number,text\n";
  Rows expected;
  for (int i = 0; i < 40'000; ++i) {
    const std::string body(i * 7 % 61, 'x');
    text += std::to_string(i) + ",\"" + body + "\n,\"\n";
    expected.push_back({std::to_string(i), body + "\n,"});
  }
  REQUIRE(text.size() > 1'000'000);  // several buffers
  write_file(folder.file("x.csv"), text);
  write_gz(folder.file("x.csv.gz"), text);
  for (const char* name : {"x.csv", "x.csv.gz"}) {
    datasets::text::CsvReader reader(folder.file(name));
    CHECK((rows_of(reader) == expected));
    CHECK(reader.row() > 79'998);  // two lines a row
  }
}

TEST_CASE("fields are read as numbers, to the last bit", "[csv]") {
  const TemporaryFolder folder;
  write_file(folder.file("x.csv"), "x,y,z\n 0.1 ,+2, -7\n1e-320,nan,9223372036854775807\n,NA,0\n");
  datasets::text::CsvReader reader(folder.file("x.csv"));
  REQUIRE(reader.next());
  CHECK(reader.number(0) == 0.1);
  CHECK(reader.number(1) == 2);
  CHECK(reader.whole(2) == -7);
  CHECK(reader.row() == 2);
  REQUIRE(reader.next());
  CHECK(reader.number(0) == 1e-320);
  CHECK(std::isnan(reader.number(1)));
  CHECK(reader.whole(2) == 9223372036854775807LL);
  REQUIRE(reader.next());
  CHECK(reader.empty(0));
  CHECK(std::isnan(reader.number_or_nan(0)));
  CHECK(std::isnan(reader.number_or_nan(1)));
  CHECK(reader.number_or_nan(2) == 0);
  CHECK_FALSE(reader.next());
  CHECK(reader.column("z") == 2);
  CHECK(reader.has("y"));
  CHECK_FALSE(reader.has("Y"));
}

TEST_CASE("mistakes are told with file, row and column", "[csv][fault]") {
  const auto number = [](datasets::text::CsvReader& reader) {
    while (reader.next()) reader.number(reader.column("x"));
  };
  const auto whole = [](datasets::text::CsvReader& reader) {
    while (reader.next()) reader.whole(0);
  };
  CHECK(refusal("x,y\n1,2\nabc,3\n", number) ==
        "x.csv:row 3, column 'x': 'abc' is not a number; use digits and a decimal point.");
  CHECK(refusal("x,y\n\"1\n2\",3\n,4\n", number) ==
        "x.csv:row 2, column 'x': '1?2' is not a number; use digits and a decimal point.");
  CHECK(refusal("x\n1e999\n", number).find("'1e999' is too large or too small") != std::string::npos);
  CHECK(refusal("x\n1.5\n", whole) == "x.csv:row 2, column 'x': '1.5' is not a whole number; use digits only.");
  CHECK(refusal("y,z\n1,2\n", number) == "x.csv: has no column 'x'; there are: 'y', 'z'.");
  CHECK(refusal("x,y\n1,2\n3\n") == "x.csv:row 3: has 1 field, but the first row has 2; each row needs as many.");
  CHECK(refusal("x,y\n1,2,3\n") == "x.csv:row 2: has 3 fields, but the first row has 2; each row needs as many.");
  CHECK(refusal("x,x\n") == "x.csv:row 1: has two columns 'x'; rename one.");
  CHECK(refusal("") == "x.csv: is empty; it needs a header and rows.");
  CHECK(refusal("\xFF\xFEx") == "x.csv: is damaged UTF-16 text, half of a letter is missing; save it as UTF-8.");
  CHECK(refusal("\xFF\xFE" + std::string("\0\xDC", 2)).find("is damaged UTF-16 text") != std::string::npos);
  CHECK(refusal("x,y\n1,2\n\"3,4\n5,6\n") ==
        "x.csv:row 3: has a quote that is never closed; close it, or double it if it belongs to the text.");
  CHECK(refusal("x,y\n\"1\"2,3\n") ==
        "x.csv:row 2: has text behind a closing quote; double the quotes that belong to the text.");
  CHECK(refusal("x\n" + std::string(2'000'000, '1'), {.longest_row = 1'000'000})
            .find("x.csv:row 2: is longer than 1000000 bytes") == 0);
}

TEST_CASE("a cut or damaged .gz is an error and never a short table", "[csv][fault]") {
  const TemporaryFolder folder;
  std::string text = "x\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 100'003) + "\n";
  write_gz(folder.file("x.csv.gz"), text);
  const std::string bytes = read_file(folder.file("x.csv.gz"));
  const auto message = [&](const std::string& changed) -> std::string {
    write_file(folder.file("y.csv.gz"), changed);
    return support::refusal_of<DataError>([&] {
      datasets::text::CsvReader reader(folder.file("y.csv.gz"));
      rows_of(reader);
    });
  };
  CHECK(message(bytes).empty());
  CHECK(message(bytes.substr(0, bytes.size() / 2)).find("ends in the middle; it was cut") != std::string::npos);
  CHECK(message(bytes.substr(0, bytes.size() - 1)).find("ends in the middle; it was cut") != std::string::npos);
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 0x55);
  CHECK(message(damaged).find("is damaged") != std::string::npos);
  CHECK(message("x\n1\n").find("is no gzip file though it ends in .gz") != std::string::npos);
  CHECK_THROWS_AS(datasets::text::CsvReader(folder.file("no.csv")), DataError);
  CHECK_THROWS_AS(datasets::text::CsvReader(folder.path()), DataError);
}

TEST_CASE("any bytes end in rows or in a DataError", "[csv][property]") {
  const std::string letters = "a,\"\n\r1#\xEF";
  std::uint64_t state = 1;
  const TemporaryFolder folder;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      text += letters[(state >> 33) % letters.size()];
    }
    // A new file each time: write_file(), and some file systems where a file is overwritten, would wait for the disk.
    const std::string path = folder.file(std::to_string(round) + ".csv");
    std::ofstream(path, std::ios::binary) << text;
    try {
      datasets::text::CsvReader reader(path, {.comment = round % 2 == 0 ? '#' : '\0'});
      for (const auto& row : rows_of(reader)) CHECK(row.size() == reader.columns().size());
    } catch (const DataError& error) {
      CHECK(std::string(error.what()).rfind(path + ":", 0) == 0);
    }
  }
}

TEST_CASE("lists of names end with how many more there are", "[csv]") {
  using namespace datasets::text;
  const std::vector<std::string> names{"a", "b\n", "c"};
  CHECK(listed(names, {}, 3) == "a, b\n, c");
  CHECK(listed(names, &quoted, 2) == "'a', 'b?' and 1 more");
  CHECK(listed(std::vector<std::string>{}).empty());
  CHECK(listed(std::vector<int>{1, 2}, [](int n) { return n * n; }) == "1, 4");
  CHECK(lower_case("Wörter ABC-\xC3\x84") == "wörter abc-\xC3\x84");
}
