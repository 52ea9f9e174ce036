#pragma once
/// Finite-size scaling of a transition where a share vanishes.

#include <optional>
#include <vector>

#include "fovea/core/base/random.hpp"

namespace fovea::opinion::oracle {

/// Runs of one size at one value of the control: the share of each.
struct ScalingCell {
  double size = 0, control = 0;
  std::vector<double> shares;
};

struct Collapse {
  double critical = 0;       ///< x_c
  double share_power = 0;    ///< a
  double control_power = 0;  ///< b
  double chi_square = 0;     ///< of as many degrees of freedom as there are cells less 4 and what is not known
};

/// What is looked for and what is known.
struct CollapseSearch {
  double low = 0, high = 1;             ///< x_c is looked for between them, b in (0, 1.5]
  std::optional<double> critical = {};  ///< x_c, where it is known
  std::optional<double> share_power = {};
};

/// S N^a = f((x - x_c) N^b), ln f a polynomial of the third degree (Fisher & Barber 1972): by weighted least squares of
/// the ln of each cell's mean share, linear in a and the polynomial, x_c and b by a grid that is refined. At least 8
/// cells, each with two runs or more.
Collapse collapse_of(const std::vector<ScalingCell>& cells, const CollapseSearch& search);

/// The standard errors: of `times` collapses, the runs of each cell drawn again with repetition (Efron 1979).
Collapse collapse_errors(const std::vector<ScalingCell>& cells, const CollapseSearch& search, int times,
                         const Random& random);

}  // namespace fovea::opinion::oracle
