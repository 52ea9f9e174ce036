#include "fovea/datasets/panels/vintages.hpp"

#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets;

namespace {

const std::string kOne = "sasdate,A,B\nTransform:,1,5\n1/1/2015,1,2\n";
const std::string kRenamed = "sasdate,A,C\nTransform:,1,5\n1/1/2015,1,2\n2/1/2015,3,4\n";

}  // namespace

TEST_CASE("a folder of vintages has each month's own file, and reports gaps and changed names", "[panels]") {
  const TemporaryFolder folder(support::memory_disk());
  support::put_file(folder.file("2015-02.csv"), kOne);
  support::put_file(folder.file("FRED-MD_2015m3.csv"), kRenamed);
  support::put_file(folder.file("2015-06-md.csv.gz"), support::gzip_packed(kRenamed));
  support::put_file(folder.file("README.txt"), "2015-04");
  const auto vintages = panels::find_vintages(folder.path());
  REQUIRE(vintages.files.size() == 3);
  CHECK(vintages.notes ==
        std::vector<std::string>{"README.txt is left out, as its name has no month.",
                                 "2015-06-md.csv.gz: 2 months before it have no vintage; the one of 2015-03 stands for "
                                 "them.",
                                 "FRED-MD_2015m3.csv: the names of series change: without B, with C."});
  CHECK(vintages.known_at(12 * 2015) == nullptr);
  CHECK(vintages.known_at(12 * 2015 + 1) == &vintages.files[0]);
  CHECK(vintages.known_at(12 * 2015 + 4) == &vintages.files[1]);
  CHECK(vintages.known_at(12 * 2030) == &vintages.files[2]);
  CHECK(panels::read_vintage(vintages.files[1]).find("C") != nullptr);
}

TEST_CASE("a folder without vintages, with two of a month, or with one from the future is refused", "[panels][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const auto refusal = [&] {
    return support::refusal_in<DataError>(folder, [&] {
      for (const panels::Vintage& vintage : panels::find_vintages(folder.path()).files) panels::read_vintage(vintage);
    });
  };
  support::put_file(folder.file("2015-13.csv"), kOne);
  support::put_file(folder.file("12015-01.csv"), kOne);
  CHECK(refusal() == folder.path() + ": has no vintage; name each file by its month, such as 2016-07.csv.");
  support::put_file(folder.file("2015-01.csv"), kRenamed);
  CHECK(
      refusal() ==
      "2015-01.csv: ends with 2015-02, but its name says that it was published in 2015-01; name it by the month of its "
      "publication.");
  support::put_file(folder.file("2015-01.csv.gz"), support::gzip_packed(kOne));
  CHECK(refusal() == folder.path() + ": has two vintages of 2015-01, 2015-01.csv and 2015-01.csv.gz; keep one.");
  CHECK(support::refusal_in<DataError>(folder, [&] { panels::find_vintages(folder.file("none")); }) ==
        "none: cannot be read as a folder of vintages (No such file or directory).");
}
