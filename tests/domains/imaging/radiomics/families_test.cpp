// All features of the manual for its digital phantom, against the consensus values.

#include <fstream>

#include "fovea/tests/domains/imaging/radiomics/ibsi_phantom.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::imaging::radiomics;

namespace {

struct ConsensusValue {
  double value, tolerance;
  std::string tag;
};

std::vector<ConsensusValue> consensus() {
  std::ifstream file(kPhantomFolder + "reference_values.csv");
  std::vector<ConsensusValue> all;
  std::string line, value, tolerance, tag;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::getline(std::getline(std::getline(cells, value, ';'), tolerance, ';'), tag);
    if (!value.empty()) all.push_back({std::stod(value), std::stod(tolerance), tag});
  }
  return all;
}

double to_three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return std::stod(text);
}

constexpr double kDecimalDigits = 1e-9;  // relative: both sides have few decimal digits

}  // namespace

TEST_CASE("the digital phantom has the 482 consensus values", "[imaging][radiomics][twin]") {
  const std::vector<Feature> found = features(phantom());
  const std::vector<ConsensusValue> wanted = consensus();
  REQUIRE(found.size() == 482);
  REQUIRE(wanted.size() == 482);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    INFO(wanted[k].tag << " is " << found[k].value << ", reference " << wanted[k].value);
    CHECK(found[k].tag == wanted[k].tag);
    const double value = to_three_digits(found[k].value);
    CHECK(std::abs(value - wanted[k].value) <= wanted[k].tolerance + kDecimalDigits * std::abs(wanted[k].value));
  }
}
