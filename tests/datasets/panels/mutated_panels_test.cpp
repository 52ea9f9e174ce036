/// Damaged panels and files of recessions: read as something sound or refused in one line.
///
/// FOVEA_MUTANTS=N takes N damaged copies in place of 2,000, from FOVEA_MUTANT_SEED on.

#include "fovea/datasets/panels/panel.hpp"
#include "fovea/datasets/panels/recessions.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets;
using namespace std::string_view_literals;

namespace {

constexpr std::string_view kPanelTokens[] = {
    ","sv,      ";"sv,        "\n"sv,         "\r\n"sv,       "\0"sv,         "\""sv,         "\xEF\xBB\xBF"sv,
    "\xC3"sv,   "nan"sv,      "NA"sv,         "inf"sv,        "1e308"sv,      "1e999"sv,      "1,5"sv,
    "-999"sv,   "1.234,5"sv,  "Transform:"sv, "date"sv,       "peak"sv,       "trough"sv,     "USREC"sv,
    "1959Q1"sv, "2020-W07"sv, "1959M02"sv,    "2000-02-30"sv, "9999-12-31"sv, "0000-01-01"sv, "Jan 1959"sv,
    "year"sv,   "month"sv,    "quarter"sv,    "13/13/1959"sv};
const std::string kPanelTexts[] = {
    "sasdate,PAYEMS,S&P 500,UMCSENTx\r\nTransform:,5,5,2\r\n1/1/1959,52478,55.62,\r\n2/1/1959,52688,54.77,90.5\r\n"
    "3/1/1959,53014,56.15,\r\n4/1/1959,,57.1,91\r\n,,,\r\n",
    "date;A;\"B;C\"\nTransform:;1;5\n31.01.1959;1,5;2\n28.02.1959;;3\n31.03.1959;-2;4,0\n",
    "year,month,A,USREC\n1959,1,1.5,0\n1959,2,,1\n1959,3,-2,1\n1959,4,7,0\n",
    "peak,trough\n1857-06,1858-12\n1860-10,1861-06\n1865-04,1867-12\n2020-02,\n",
    "observation_date,USREC\n1959-01-01,0\n1959-02-01,1\n1959-03-01,.\n1959-04-01,0\n"};

void check_sound(const panels::MonthlyPanel& panel) {
  REQUIRE(!panel.series.empty());
  std::set<std::string> names;
  for (const panels::PanelSeries& series : panel.series) {
    CHECK(names.insert(series.name).second);
    CHECK(static_cast<Index>(series.values.size()) == panel.months());
    CHECK((series.code && *series.code >= 1 && *series.code <= 7));
    const auto never_infinite = [](const std::vector<double>& values) {
      return std::none_of(values.begin(), values.end(), [](double value) { return std::isinf(value); });
    };
    CHECK(never_infinite(series.values));
    CHECK(never_infinite(panels::transformed(series)));
  }
}

void check_sound(const panels::Recessions& recessions) {
  CHECK(!recessions.in.empty());
  for (const double value : recessions.in) CHECK((std::isnan(value) || value == 0 || value == 1));
}

/// Whether it was read and not refused.
template <typename Read>
bool read_or_refused(const std::string& path, const Read& read) {
  try {
    check_sound(read());
    return true;
  } catch (const DataError& error) {
    const std::string_view text = error.what();
    INFO(text);
    CHECK(text.starts_with(path + ":"));
    CHECK((text.ends_with('.') || text.ends_with('?')));
    CHECK(std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }));
    return false;
  }
}

}  // namespace

TEST_CASE("damaged panels and recessions are read as something sound or refused in one line", "[panels][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("p.csv");
  const std::uint64_t first = support::mutant_setting("FOVEA_MUTANT_SEED", 1),
                      count = support::mutant_setting("FOVEA_MUTANTS", 2000);
  constexpr std::size_t kTexts = std::size(kPanelTexts);
  std::size_t panels_read = 0, recessions_read = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text =
        support::mutated(kPanelTexts[seed % kTexts], kPanelTexts[seed / kTexts % kTexts], kPanelTokens, seed);
    INFO("seed " << seed << ", the file:\n" << text);
    support::put_file(path, text);
    panels_read += read_or_refused(path, [&] { return panels::read_panel(path, {{"A", 2}, {"USREC", 1}}); }) ? 1 : 0;
    recessions_read += read_or_refused(path, [&] { return panels::read_recessions(path); }) ? 1 : 0;
  }
  CHECK(panels_read > count / 20);
  CHECK(panels_read < count * 19 / 20);
  CHECK(recessions_read > count / 20);
  CHECK(recessions_read < count * 19 / 20);
}
