#pragma once
/// Which cases a model learns from, which choose and calibrate it, and which examine it.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/study/cases.hpp"
#include "fovea/core/study/task.hpp"

namespace fovea::study {

/// Numbers of cases, ascending. No group is in two of them.
struct Split {
  std::vector<Index> training, validation, test;
};

/// Keys split.validation and split.test: shares of the cases.
void declare_split(Schema& schema);
void check_split(const Config& config, Complaints& complaints);

/// By Cases::parts where the cases say so, else by group at random, classes spread evenly. Throws DataError that starts
/// with `source` for a group on two sides, a part without a name of the three, or a part without cases or known
/// targets.
Split split_cases(const std::string& source, const Cases& cases, const Target& target, const Config& config,
                  const Random& random);

}  // namespace fovea::study
