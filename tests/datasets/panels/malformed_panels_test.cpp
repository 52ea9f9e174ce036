#include "fovea/datasets/panels/panel.hpp"
#include "fovea/datasets/panels/recessions.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets;

namespace {

struct MalformedPanel {
  const char* what;
  std::string text;
  std::string message;  ///< all of it, without the folder
  panels::Codes codes = {};
};

const std::string kHead = "sasdate,A,B\nTransform:,1,5\n1/1/1959,1,2\n";

const MalformedPanel kMalformedPanels[] = {
    {"nothing", "", "p.csv: is empty; it needs a header and rows."},
    {"no names", "1/1/1959,1,2\n2/1/1959,1,2\n",
     "p.csv: has no names in its first row; name the date and each series there."},
    {"no data rows", "sasdate,A,B\nTransform:,1,5\n", "p.csv: has no row with a date; it needs one a month."},
    {"no series", "sasdate\nTransform:\n1/1/1959\n",
     "p.csv: has no column but the date; it needs at least one series."},
    {"a month missing", kHead + "3/1/1959,1,2\n4/1/1959,1,2\n",
     "p.csv:row 4, column 'sasdate': '3/1/1959' follows 1959-01, so 1959-02 is missing; give each month a row, with "
     "empty cells where nothing is known."},
    {"a month twice", kHead + "1/1/1959,3,4\n",
     "p.csv:row 4, column 'sasdate': '1/1/1959' is the month of row 3 again; keep one of the two."},
    {"out of order", kHead + "2/1/1959,1,2\n1/1/1959,1,2\n",
     "p.csv:row 5, column 'sasdate': '1/1/1959' is before row 4 (1959-02); sort the rows by date."},
    {"newest first", "date,A\nTransform:,1\n1959-03,1\n1959-02,1\n1959-01,1\n",
     "p.csv:row 4, column 'date': '1959-02' is before row 3 (1959-03); sort the rows by date."},
    {"weeks", "date,A\nTransform:,1\n1959-01-03,1\n1959-01-10,2\n1959-01-17,3\n",
     "p.csv:row 4, column 'date': '1959-01-10' is 7 days behind row 3; a panel has one row a month: take a mean or the "
     "last value of each."},
    {"days", "date,A\nTransform:,1\n1959-01-03,1\n1959-01-04,2\n",
     "p.csv:row 4, column 'date': '1959-01-04' is 1 day behind row 3; a panel has one row a month: take a mean or the "
     "last value of each."},
    {"quarters as dates", "date,A\nTransform:,1\n1959-01-01,1\n1959-04-01,2\n1959-07-01,2\n",
     "p.csv:row 4, column 'date': '1959-04-01' follows 1959-01, so the rows are quarters; a panel has one row a "
     "month."},
    {"FRED-QD", "sasdate,A\nfactors,0\ntransform,1\n3/1/1959,1\n6/1/1959,2\n9/1/1959,2\n",
     "p.csv:row 5, column 'sasdate': '6/1/1959' follows 1959-03, so the rows are quarters; a panel has one row a "
     "month."},
    {"years of two digits", "date,A\nTransform:,1\nDec-68,1\nJan-69,2\n",
     "p.csv:row 4, column 'date': 'Jan-69' is before row 3 (2068-12); write years with four digits."},
    {"quarters as such", "date,A\nTransform:,1\n1959Q1,1\n1959Q2,2\n",
     "p.csv:row 3, column 'date': '1959Q1' is a quarter; a panel has one row a month."},
    {"quarters in a column", "year,quarter,A\n1959,1,1\n1959,2,2\n",
     "p.csv: has a column 'quarter', so its rows are quarters; a panel has one row a month."},
    {"years", "date,A\nTransform:,1\n1959-12-31,1\n1960-12-31,2\n1961-12-31,2\n",
     "p.csv:row 4, column 'date': '1960-12-31' follows 1959-12, so the rows are years; a panel has one row a month."},
    {"no dates", "A,B\n1,2\n3,4\n", "p.csv:row 2, column 'A': '1' is no date; write 1959-01, 1959-01-01 or 1/1/1959."},
    {"a date that is none", kHead + "2/30/1959,1,2\n",
     "p.csv:row 4, column 'sasdate': '2/30/1959' is no date; write 1959-01, 1959-01-01 or 1/1/1959."},
    {"a row without its date", kHead + ",1,2\n", "p.csv:row 4, column 'sasdate': is empty; each row needs its month."},
    {"text in a number", kHead + "2/1/1959,1,high\n",
     "p.csv:row 4, column 'B': 'high' is no number; leave it empty where nothing is known, or take the column out."},
    {"thousands", kHead + "2/1/1959,1,\"52,478\"\n",
     "p.csv:row 4, column 'B': '52,478' has a mark between thousands; write it without."},
    {"thousands where commas are decimal", "date;A\nTransform:;1\n1959-01;1,5\n1959-02;1.234\n",
     "p.csv:row 4, column 'A': '1.234' has a mark between thousands; write it without."},
    {"infinity", kHead + "2/1/1959,-inf,2\n",
     "p.csv:row 4, column 'A': is -inf, but must be finite; leave it empty where nothing is known."},
    {"too large a number", kHead + "2/1/1959,1e999,2\n",
     "p.csv:row 4, column 'A': '1e999' is no number; leave it empty where nothing is known, or take the column out."},
    {"a mark of missing values", "date,A\nTransform:,1\n1959-01,5.5\n1959-02,5.7\n1959-03,-999\n",
     "p.csv: column 'A' has -999 in 1 row, far from its other values (5.5 to 5.7), as marks of missing values are; "
     "leave "
     "such cells empty."},
    {"a name twice", "sasdate,A,A\nTransform:,1,5\n1/1/1959,1,2\n", "p.csv:row 1: has two columns 'A'; rename one."},
    {"a name that is empty", "sasdate,A,\nTransform:,1,5\n1/1/1959,1,2\n",
     "p.csv: column 3 has no name; name each series, or take the column out."},
    {"fewer cells", kHead + "2/1/1959,1\n",
     "p.csv:row 4: has 2 fields, but the first row has 3; each row needs as many."},
    {"more cells", kHead + "2/1/1959,1,2,3\n",
     "p.csv:row 4: has 4 fields, but the first row has 3; each row needs as many."},
    {"a code beyond", "sasdate,A,B\nTransform:,1,8\n1/1/1959,1,2\n",
     "p.csv:row 2, column 'B': is 8, but a code must be 1 to 7 (McCracken & Ng 2016)."},
    {"a code that is not whole", "sasdate,A,B\nTransform:,1,1.5\n1/1/1959,1,2\n",
     "p.csv:row 2, column 'B': is 1.5, but a code must be 1 to 7 (McCracken & Ng 2016)."},
    {"a code that is missing", "sasdate,A,B\nTransform:,1,\n1/1/1959,1,2\n",
     "p.csv:row 2, column 'B': is empty; give the series a code from 1 to 7, here or in the config."},
    {"no codes at all", "sasdate,A,B\n1/1/1959,1,2\n",
     "p.csv: has no row Transform: with a code for each series, and the config gives none for 'A'; write one of the "
     "two."},
    {"a given code beyond",
     kHead,
     "p.csv: the code that is given for 'A' is 0, but must be 1 to 7 (McCracken & Ng 2016).",
     {{"A", 0}}},
    {"codes twice", "sasdate,A,B\nTransform:,1,5\nTransform:,1,5\n1/1/1959,1,2\n",
     "p.csv:row 3: has codes, but row 2 has them too; keep one."},
    {"codes below the months", "sasdate,A,B\n1/1/1959,1,2\nTransform:,1,5\n",
     "p.csv:row 3: has the codes, but must stand above the first month."},
    {"an empty series", "sasdate,A,B\nTransform:,1,5\n1/1/1959,1,\n2/1/1959,1,NA\n",
     "p.csv: column 'B' is empty in every row; take it out."},
    {"a logarithm of nothing", kHead + "2/1/1959,1,0\n",
     "p.csv:row 4, column 'B': is 0, but code 5 takes the logarithm; give it another code, or mend the value."},
};

const MalformedPanel kMalformedRecessions[] = {
    {"another number", "date,USREC\n1959-01,0\n1959-02,0.5\n",
     "p.csv:row 3, column 'USREC': is 0.5, but must be 1 in recession or 0."},
    {"text", "date,USREC\n1959-01,no\n",
     "p.csv:row 2, column 'USREC': 'no' is no number; leave it empty where nothing is known, or take the column out."},
    {"nothing known", "date,USREC\n1959-01,\n1959-02,.\n",
     "p.csv: column 'USREC' is empty in every row; it must be 1 in recession or 0."},
    {"days", "date,USRECD\n1959-01-01,0\n1959-01-02,0\n",
     "p.csv:row 3, column 'date': '1959-01-02' is 1 day behind row 2; a panel has one row a month: take a mean or the "
     "last value of each."},
    {"several columns", "date,A,B\n1959-01,0,1\n",
     "p.csv: has 2 columns other than the date; keep the one of 0 and 1, or name it USREC."},
    {"a peak alone", "peak,end\n1960-04,1961-02\n",
     "p.csv: has a column 'peak', but none 'trough'; a chronology needs both."},
    {"no recession", "peak,trough\n", "p.csv: has no row with a peak or a trough; it needs at least one."},
    {"a peak behind its trough", "peak,trough\n1961-02,1960-04\n",
     "p.csv:row 2, column 'trough': 1960-04 is not behind the peak (1961-02); a recession ends behind its peak."},
    {"recessions that overlap", "peak,trough\n1960-04,1961-02\n1961-02,1962-01\n",
     "p.csv:row 3, column 'peak': 1961-02 is not behind the trough of row 2 (1961-02); sort the recessions, and keep "
     "them apart."},
    {"no trough in between", "peak,trough\n1960-04,\n1969-12,1970-11\n",
     "p.csv:row 2: has no trough, but row 3 follows; the last recession alone may be open."},
    {"no peak in between", "peak,trough\n1960-04,1961-02\n,1970-11\n",
     "p.csv:row 3, column 'peak': is empty; the first row alone may lack its peak."},
    {"no month", "peak,trough\nspring 1960,1961-02\n",
     "p.csv:row 2, column 'peak': 'spring 1960' is no month; write 1960-04, 1960-04-01 or April 1960."},
    {"a quarter", "peak,trough\n1960Q2,1961Q1\n",
     "p.csv:row 2, column 'peak': '1960Q2' is no month; write 1960-04, 1960-04-01 or April 1960."},
};

template <typename Read>
void check_refusals(std::span<const MalformedPanel> files, const Read& read) {
  const TemporaryFolder folder(support::memory_disk());
  for (const MalformedPanel& file : files) {
    INFO(file.what);
    support::put_file(folder.file("p.csv"), file.text);
    CHECK(support::refusal_in<DataError>(folder, [&] { read(folder.file("p.csv"), file); }) == file.message);
  }
}

}  // namespace

TEST_CASE("every malformed panel is refused with its file, row, column and the way out", "[panels][fault]") {
  check_refusals(kMalformedPanels,
                 [](const std::string& path, const MalformedPanel& file) { panels::read_panel(path, file.codes); });
}

TEST_CASE("every malformed file of recessions is refused with its file, row, column and the way out",
          "[panels][fault]") {
  check_refusals(kMalformedRecessions,
                 [](const std::string& path, const MalformedPanel&) { panels::read_recessions(path); });
}

TEST_CASE("panels that are not there or are no text are refused by name", "[panels][fault]") {
  const TemporaryFolder folder;
  support::put_file(folder.file("p.csv.gz"), kHead);
  CHECK(support::refusal_in<DataError>(folder, [&] { panels::read_panel(folder.file("p.csv.gz")); }) ==
        "p.csv.gz: is no gzip file though it ends in .gz; rename it, or pack it with gzip.");
  CHECK_THROWS_AS(panels::read_panel(folder.file("none.csv")), std::runtime_error);
}
