#include <sstream>
#include <tuple>

#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

const std::string kGoldenLags = FOVEA_SOURCE_DIR "/tests/golden/lag/";
constexpr double kSameTest = 1e-9;  // normal equations against an orthogonal decomposition, and 12 printed digits

std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream file(kGoldenLags + name);
  REQUIRE(file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

datasets::series::SeriesTable golden_table(const std::string& set) {
  const auto rows = golden_rows("pcmci_data_" + set + ".csv");
  datasets::series::SeriesTable table{rows.front(), {}, 1, "", {0}};
  table.values.resize(static_cast<Index>(rows.size()) - 1, static_cast<Index>(rows.front().size()));
  for (Index t = 0; t < table.steps(); ++t)
    for (Index i = 0; i < table.series(); ++i) table.values(t, i) = std::stod(rows[t + 1][i]);
  return table;
}

/// The mark that a link at lag 0 has in their notation, seen from `cause`; at a lag "-->" or "none".
std::string mark_of(const methods::Link& link, Index cause) {
  if (!link.counts) return "none";
  if (!link.directed) return "o-o";
  return link.lag > 0 || link.cause == cause ? "-->" : "<--";
}

}  // namespace

TEST_CASE("PCMCI and PCMCI+ find what tigramite finds, with its p-values", "[lags][peers][golden]") {
  const auto golden = golden_rows("pcmci_golden.csv");
  REQUIRE(golden.size() > 250);
  std::map<std::pair<std::string, std::string>, methods::Findings> found;
  for (std::size_t k = 1; k < golden.size(); ++k) {
    const auto& row = golden[k];
    const Index cause = std::stol(row[2]), effect = std::stol(row[3]), lag = std::stol(row[4]);
    methods::Findings& findings = found[{row[0], row[1]}];
    if (findings.links.empty()) {
      methods::LagSettings settings{
          row[0] == "1" ? std::vector<Index>{1, 2, 3} : std::vector<Index>{1, 2}, true, {}, 0.05};
      findings = methods::method_of(row[1]).find(golden_table(row[0]), settings, Random(1));
    }
    const auto link = std::find_if(findings.links.begin(), findings.links.end(), [&](const methods::Link& l) {
      const bool reversed = lag == 0 && l.cause == effect && l.effect == cause;
      return l.lag == lag && ((l.cause == cause && l.effect == effect) || reversed);
    });
    REQUIRE(link != findings.links.end());
    INFO(row[1] << " " << cause << " " << effect << " " << lag);
    CHECK(std::abs(link->strength - std::stod(row[5])) < kSameTest);
    CHECK(std::abs(link->p_value - std::stod(row[6])) < kSameTest);
    if (row[1] == "pcmci_plus") CHECK(mark_of(*link, cause) == (row[7] == "x-x" ? "o-o" : row[7]));
  }
  CHECK(found.size() == 4);
}
