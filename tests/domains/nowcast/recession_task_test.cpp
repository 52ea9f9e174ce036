/// What a config of nowcasts is refused for, and what is noted of its files.

#include "fovea/domains/nowcast/recession/recession_task.hpp"
#include "fovea/domains/nowcast/cases/economy_cases.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast {

namespace {

const std::vector<std::string> kEight{"PAYEMS", "UNRATE", "INDPRO", "W875RX1", "CLAIMSx", "S&P 500", "GS10", "TB3MS"};

/// A panel of `months` from 1980-01 on, with row Transform: or without.
std::string panel_file(const std::vector<std::string>& names, Index months, bool codes = true) {
  std::string text = "sasdate", code_row = "\nTransform:";
  for (const std::string& name : names) text += ',' + name, code_row += ",2";
  if (codes) text += code_row;
  const Random random = Random(1).stream("file");
  for (Index m = 0; m < months; ++m) {
    text += concat('\n', m % 12 + 1, "/1/", 1980 + m / 12);
    for (std::size_t s = 0; s < names.size(); ++s) text += concat(',', 100 + random.normal(s, m));
  }
  return text + '\n';
}

/// A recession in 1981-01 to 1981-06, known until `months` are over.
std::string recession_file(Index months, bool any = true) {
  std::string text = "date,USREC";
  for (Index m = 0; m < months; ++m)
    text += concat('\n', datasets::panels::month_text(12 * 1980 + m), "-01,", any && m >= 12 && m < 18 ? 1 : 0);
  return text + '\n';
}

struct Files {
  support::TemporaryFolder folder;
  RecessionSettings settings;
  Files(const std::string& panel, const std::string& recessions) {
    support::put_file(folder.file("p.csv"), panel);
    support::put_file(folder.file("r.csv"), recessions);
    settings.panel = folder.file("p.csv"), settings.recessions = folder.file("r.csv");
    settings.first = "1984-01", settings.start = "1985-01";
  }
  std::string refused() const {
    return support::refusal_in<DataError>(folder, [&] {
      check_months(settings, FoldsBy::time);
      economy_cases(settings, FoldsBy::time);
    });
  }
  std::vector<std::string> notes() const { return economy_cases(settings, FoldsBy::time).reading.notes; }
};

}  // namespace

TEST_CASE("a config of nowcasts is refused where its months or files contradict each other", "[nowcast][errors]") {
  const Files files("a,b\n", "a,b\n");
  const auto complains = [](std::initializer_list<std::string> changes, const std::string& sentence) {
    return support::complaints_of("nowcast.recession", changes).find(sentence) != std::string::npos;
  };
  const std::string panel = "data.panel=" + files.settings.panel,
                    labels = "data.recessions=" + files.settings.recessions;
  CHECK(support::complaints_of("nowcast.recession", {"test.start=\"1975-01\""}).empty());
  CHECK(complains({"test.first=\"1970\""}, "test.first = '1970', but must be a month such as 1975-01."));
  CHECK(complains({"test.start=\"soon\""}, "test.start = 'soon', but must be a month such as 1985-01."));
  CHECK(complains({"test.start=\"1974-12\""},
                  "test.start = '1974-12' is before test.first = '1975-01'; months are scored that are nowcast."));
  CHECK(complains({labels}, "data.recessions without data.panel; name both, or none for a simulated economy."));
  CHECK(support::complaints_of("nowcast.recession", {panel}).empty());  // as for `fovea predict`
  CHECK(support::complaints_of("nowcast.recession", {panel, labels}).empty());
  CHECK(complains({"data.panel=[\"" + files.settings.panel + "\", \"" + files.settings.recessions + "\"]", labels},
                  "data.panel names 2 files, but must be one file, or the folder of its vintages."));
  CHECK(complains({"model.delays=[]"}, "model.delays is empty, but needs one delay or more."));
}

TEST_CASE("files whose months cannot be nowcast are refused by the key that can help", "[nowcast][errors]") {
  CHECK(Files(panel_file(kEight, 100), recession_file(100)).refused().empty());
  CHECK(Files(panel_file({"PAYEMS", "UNRATE"}, 100), recession_file(100)).refused() ==
        "p.csv: no month has 6 of the 11 columns that nowcasts use; they are of PAYEMS, INDPRO, W875RX1, CMRMTSPLx, "
        "GS10-TB3MS, UNRATE, S&P 500, CLAIMSx, PERMIT, BAA-AAA, to which data.names can give other names.");
  CHECK(Files(panel_file({"rainfall"}, 100), recession_file(100))
            .refused()
            .starts_with("p.csv: none of its 1 column is a series that nowcasts use (AAA, "));
  CHECK(Files(panel_file(kEight, 100), recession_file(100, false)).refused() ==
        "r.csv: of the months 1980-01 to 1988-04 of p.csv those in recession and those out of it are not both known by "
        "1988-04 (data.label_delay = 12); both must teach.");
  Files alone(panel_file(kEight, 100), "");
  alone.settings.recessions = "";
  CHECK(alone.refused() ==
        "p.csv: data.panel without data.recessions, of which a model learns; name both, or none for a simulated "
        "economy.");
  Files early(panel_file(kEight, 100), recession_file(100));
  early.settings.first = "1981-12";  // the first month of recession is known in 1982-01
  CHECK(early.refused() ==
        "p.csv: nowcasts begin with 1981-12 (test.first = '1981-12'), but that there are recessions and months without "
        "is known from 1982-01 on; let test.first be that month or a later one.");
  early.settings.first = "1982-01";
  CHECK(early.refused().empty());
  early.settings.refit = 1;
  CHECK(
      early.refused() ==
      "p.csv: test.refit = 1 makes 76 blocks of the months 1982-01 to 1988-04, but there may be 64; take test.refit = "
      "2 or more, or a later test.first.");
  early.settings.refit = 2, early.settings.start = "1988-05";
  CHECK(early.refused() ==
        "p.csv: test.start = '1988-05', but its months end with 1988-04; let test.start be one of them.");
}

TEST_CASE("recessions that end before the panel are unknown, and that is noted", "[nowcast]") {
  const Files files(panel_file(kEight, 100), recession_file(90));
  const study::Cases cases = economy_cases(files.settings, FoldsBy::time);
  CHECK(std::count_if(cases.targets.begin(), cases.targets.end(), [](double y) { return std::isnan(y); }) == 10);
  CHECK(cases.reading.findings.size() == 1);  // values are revised ones
  CHECK(cases.reading.notes.back() ==
        "r.csv: ends with 1987-06; 10 months of p.csv are unknown, not without recession.");
  const std::vector<std::string> known = Files(panel_file(kEight, 100), recession_file(100)).notes();
  CHECK(std::none_of(known.begin(), known.end(), [](const auto& note) { return note.starts_with("r.csv"); }));
}

TEST_CASE("months belong to the nearest recession of the panel's years", "[nowcast]") {
  Files files(panel_file(kEight, 100),
              "peak,trough\n1979-06-01,1979-10-01\n1980-12-01,1981-06-01\n1989-12-01,1990-02-01\n");
  const study::Cases cases = economy_cases(files.settings, FoldsBy::time);
  CHECK(std::set<std::string>(cases.groups.begin(), cases.groups.end()) == std::set<std::string>{"1981-01"});
  files.settings.recessions = files.folder.file("later.csv"), files.settings.start = "1983-01";
  support::put_file(files.settings.recessions, "peak,trough\n1980-12-01,1981-06-01\n1987-12-01,1988-02-01\n");
  const study::Cases scored = economy_cases(files.settings, FoldsBy::time);
  for (Index b = 0; b < scored.count(); ++b)  // scored months are nearest to a recession that is scored
    CHECK(scored.groups[b] == (scored.ids[b] >= "1983-01-01" ? "1988-01" : "1981-01"));
}

TEST_CASE("a file without codes has those of the table", "[nowcast]") {
  std::vector<std::string> names = kEight;
  names.push_back("rainfall");
  const std::vector<std::string> notes = Files(panel_file(names, 100, false), recession_file(100)).notes();
  CHECK(std::count(notes.begin(), notes.end(), "p.csv: left out, as they have no code: rainfall.") == 1);
}

TEST_CASE("each month is nowcast from its own vintage, and earlier ones from the first", "[nowcast]") {
  Files files(panel_file(kEight, 100), recession_file(100));
  std::filesystem::create_directory(files.folder.file("v"));
  for (const Index months : {90, 91, 92})
    support::put_file(files.folder.file(concat("v/", datasets::panels::month_text(12 * 1980 + months), ".csv")),
                      panel_file(kEight, months));
  files.settings.panel = files.folder.file("v");
  const study::Cases cases = economy_cases(files.settings, FoldsBy::time);
  CHECK(cases.ids.back() == "1987-09-01");  // the last publication, whose file ends a month before
  CHECK(cases.reading.findings.empty());    // no revised values
  const std::string note =
      "1987-07.csv: is the first vintage; months before 1987-07 are taken from it, with values as "
      "revised by then.";
  CHECK(std::count(cases.reading.notes.begin(), cases.reading.notes.end(), note) == 1);
}

}  // namespace fovea::nowcast
