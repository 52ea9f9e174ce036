#pragma once
/// Ideal points of legislators, one sample of opinions a period, and the usual measures of their polarization.
///
/// Poole and Rosenthal (1985) place each member on [-1, 1] by how he votes; voteview.com (Lewis, Poole, Rosenthal,
/// Boche, Rudkin, Sonnet) publishes the places. Its `nominate_dim1` is one number for a member's whole career, so a
/// chamber changes only as members come and go; the table's `icpsr` tells who is who.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fovea::datasets::votes {

inline constexpr std::int64_t kDemocrat = 100, kRepublican = 200;  ///< voteview's party_code

/// One period; entry i of each list belongs to the same member.
struct IdealPoints {
  std::int64_t period = 0;              ///< number of the Congress
  std::vector<double> positions;        ///< in [-1, 1], in the order of the file
  std::vector<std::int64_t> parties;    ///< voteview's party_code; empty without such a column
  std::vector<std::string> member_ids;  ///< icpsr; empty without such a column
  /// Of the first January after the election: 1787 + 2 period, the 77th Congress met in 1941.
  std::int64_t year() const { return 1787 + 2 * period; }
};

/// The columns to read, by name. Those of voteview's HSall_members.csv and Sall_members.csv.
struct IdealPointColumns {
  std::string period = "congress";
  std::string position = "nominate_dim1";
  std::string party = "party_code";
  std::string member = "icpsr";
  std::string chamber = "chamber";
};

/// All periods of a chamber, in ascending order. Rows of other chambers (a file of both, presidents) are left out, and
/// so are rows without a position (members who hardly voted). Where there is no chamber column all rows count; period
/// and position are required. path: .csv or .csv.gz.
/// Throws StorageError (not readable) and DataError "FILE:row N, column 'x': ..." for what is no number, a position
/// outside [-1, 1], a period below 1; also where the chamber has no members at all.
std::vector<IdealPoints> read_ideal_points(const std::string& path, const std::string& chamber = "Senate",
                                           const IdealPointColumns& columns = {});

/// Mean position of the second party less that of the first. Throws ArgumentError where a party has no member.
double party_mean_difference(const IdealPoints& points, std::int64_t first = kDemocrat,
                             std::int64_t second = kRepublican);

/// (g^2 + 1) / (k + 3 (n - 1)^2 / ((n - 2) (n - 3))) with g, k the skewness and the excess kurtosis corrected for the
/// bias of small samples, g = g1 sqrt(n (n - 1)) / (n - 2), k = (n - 1) / ((n - 2) (n - 3)) ((n + 1) g2 + 6) (SAS 1990;
/// Pfister et al. 2013). Near 1/3 for a normal distribution, 5/9 for a uniform one, 1 for two points. NaN where all
/// values agree. Throws ArgumentError for fewer than 4 values.
double bimodality_of_sample(std::span<const double> values);

/// Share of |value| < bound. Throws ArgumentError for no values.
double share_of_moderates(std::span<const double> values, double bound = 0.25);

/// Share of a later period's members who were there in an earlier one, and of those the share whose position is the
/// very same number. NaN where members are not named; the second also where none stayed.
struct Turnover {
  double stayed = 0;
  double unmoved = 0;
};
Turnover turnover(const IdealPoints& earlier, const IdealPoints& later);

}  // namespace fovea::datasets::votes
