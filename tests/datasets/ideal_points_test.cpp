#include "fovea/datasets/votes/ideal_points.hpp"

#include <zlib.h>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kSeriesTolerance = 1e-6;   // the series is written with 6 digits
constexpr double kColumnTolerance = 2e-4;   // voteview's own column, from scores of another year
constexpr double kRoundingOfMeans = 1e-12;  // sums of a few numbers of order 1

std::vector<datasets::votes::IdealPoints> points_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("members.csv"), text);
  return datasets::votes::read_ideal_points(folder.file("members.csv"));
}

std::string points_refusal(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("members.csv"), text);
  return support::refusal_in<DataError>(folder,
                                        [&] { datasets::votes::read_ideal_points(folder.file("members.csv")); });
}

const datasets::votes::IdealPoints& congress(const std::vector<datasets::votes::IdealPoints>& all,
                                             std::int64_t number) {
  for (const datasets::votes::IdealPoints& points : all)
    if (points.period == number) return points;
  FAIL("no Congress " << number);
  return all.front();
}

}  // namespace

TEST_CASE("ideal points are read by the names of their columns, one sample a period in order", "[ideal_points]") {
  const auto all = points_of(
      "party_code,nominate_dim1,chamber,congress,icpsr\n"
      "200, 0.5 ,Senate,78,7\n100,-0.25,Senate,77,1\n200,0.25,Senate,77,2\n"
      "99999,,Senate,78,8\n100,0.9,House,78,9\n100,-0.9,President,77,10\n100,-0.25,Senate,78,1\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].period == 77);
  CHECK(all[0].year() == 1941);
  CHECK(all[0].positions == std::vector<double>{-0.25, 0.25});
  CHECK(all[1].positions == std::vector<double>{0.5, -0.25});
  CHECK(all[1].parties == std::vector<std::int64_t>{200, 100});
  CHECK(all[1].member_ids == std::vector<std::string>{"7", "1"});
  CHECK(datasets::votes::party_mean_difference(all[1]) == 0.75);
  CHECK(datasets::votes::turnover(all[0], all[1]).stayed == 0.5);
  CHECK(datasets::votes::turnover(all[0], all[1]).unmoved == 1);
}

TEST_CASE("ideal points need a period and a position only", "[ideal_points]") {
  const auto all = points_of("congress,nominate_dim1\n1,0.5\n1,-1\n3,1\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].positions == std::vector<double>{0.5, -1});
  CHECK(all[0].parties.empty());
  CHECK(std::isnan(datasets::votes::turnover(all[0], all[1]).stayed));
  CHECK_THROWS_AS(datasets::votes::party_mean_difference(all[0]), ArgumentError);
}

TEST_CASE("mistakes in a table of ideal points are told with file, row and column", "[ideal_points][fault]") {
  CHECK(points_refusal("congress,nominate_dim1\n1,0.5\n1,x\n").find("members.csv:row 3, column 'nominate_dim1': ") ==
        0);
  CHECK(points_refusal("congress,nominate_dim1\n1,1.5\n") ==
        "members.csv:row 2, column 'nominate_dim1': the position is 1.5; ideal points lie in [-1, 1].");
  CHECK(points_refusal("congress,nominate_dim1\n1,nan\n").find("row 2, column 'nominate_dim1'") != std::string::npos);
  CHECK(points_refusal("congress,nominate_dim1\n0,0.5\n") ==
        "members.csv:row 2, column 'congress': the period is 0; they count from 1.");
  CHECK(points_refusal("congress,nominate_dim1\n1.5,0.5\n").find("row 2, column 'congress'") != std::string::npos);
  CHECK(points_refusal("congress,nominate_dim1,party_code\n1,0.5,Whig\n").find("row 2, column 'party_code'") !=
        std::string::npos);
  CHECK(points_refusal("congress,dim1\n1,0.5\n").find("no column 'nominate_dim1'") != std::string::npos);
  CHECK(points_refusal("congress,nominate_dim1,chamber\n1,0.5,House\n") ==
        "members.csv: has no member of chamber 'Senate' with a position; choose another chamber.");
  CHECK_THROWS_AS(datasets::votes::read_ideal_points("/nowhere/members.csv"), DataError);
}

TEST_CASE("the bimodality of a sample has its known values", "[ideal_points][limit]") {
  std::vector<double> halves(1000), uniform(1000), normal(1000);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t at = i;
    halves[at] = i % 2;
    uniform[at] = i;
    normal[at] = normal_quantile((i + 0.5) / 1000);
  }
  constexpr double kOfOneThousand = 0.01;  // a thousand values: corrections of order 1 / n, and cut tails
  CHECK(std::abs(datasets::votes::bimodality_of_sample(halves) - 1) < kOfOneThousand);
  CHECK(std::abs(datasets::votes::bimodality_of_sample(uniform) - 5.0 / 9) < kOfOneThousand);
  CHECK(std::abs(datasets::votes::bimodality_of_sample(normal) - 1.0 / 3) < kOfOneThousand);
  CHECK_THROWS_AS(datasets::votes::bimodality_of_sample(std::vector<double>{1, 2, 3}), ArgumentError);
  CHECK(std::isnan(datasets::votes::bimodality_of_sample(std::vector<double>{1, 1, 1, 1})));
}

TEST_CASE("moderates are those strictly inside the bound", "[ideal_points]") {
  CHECK(datasets::votes::share_of_moderates(std::vector<double>{-0.25, -0.2, 0.2, 0.25}) == 0.5);
  CHECK(datasets::votes::share_of_moderates(std::vector<double>{0.3, -0.9}, 0.5) == 0.5);
  CHECK_THROWS_AS(datasets::votes::share_of_moderates(std::vector<double>{}), ArgumentError);
}

TEST_CASE("the Senate's polarization series is the known one", "[ideal_points][golden]") {
  const auto folder = support::shared_data("opinion");
  if (!folder) return;
  const auto all = datasets::votes::read_ideal_points((*folder / "senate_nominate_members.csv.gz").string());
  CHECK(all.size() == 119);
  datasets::text::CsvReader series((*folder / "senate_polarization_series.csv").string());
  int congresses = 0;
  double least = 2;
  std::int64_t least_polarized = 0;
  while (series.next()) {
    const datasets::votes::IdealPoints& points = congress(all, series.whole(series.column("congress")));
    CHECK(points.year() == series.whole(series.column("year")));
    CHECK(static_cast<std::int64_t>(points.positions.size()) == series.whole(series.column("n")));
    const auto off = [&](const char* column, double value) {
      return std::abs(value - series.number(series.column(column)));
    };
    const double gap = datasets::votes::party_mean_difference(points);
    CHECK(off("party_mean_diff_d1", gap) < kSeriesTolerance);
    CHECK(off("var_d1", moments(points.positions).variance) < kSeriesTolerance);
    CHECK(off("bimodality", datasets::votes::bimodality_of_sample(points.positions)) < kSeriesTolerance);
    CHECK(off("prop_moderate", datasets::votes::share_of_moderates(points.positions)) < kSeriesTolerance);
    if (gap < least) least_polarized = points.period;
    least = std::min(least, gap);
    ++congresses;
  }
  CHECK(congresses == 74);
  CHECK(least_polarized == 77);
  CHECK(std::abs(least - 0.471811) < kSeriesTolerance);
  CHECK(std::abs(datasets::votes::party_mean_difference(congress(all, 102)) - 0.618968) < kColumnTolerance);
  CHECK(std::abs(datasets::votes::party_mean_difference(congress(all, 114)) - 0.810140) < kColumnTolerance);
}

TEST_CASE("voteview gives a senator one position for a whole career", "[ideal_points]") {
  const auto folder = support::shared_data("opinion");
  if (!folder) return;
  const auto all = datasets::votes::read_ideal_points((*folder / "senate_nominate_members.csv.gz").string());
  for (std::size_t k = 46; k < all.size(); ++k) {
    const datasets::votes::Turnover between = datasets::votes::turnover(all[k - 1], all[k]);
    CHECK(between.stayed > 0.5);
    CHECK(std::abs(between.unmoved - 1) < kRoundingOfMeans);
  }
}
