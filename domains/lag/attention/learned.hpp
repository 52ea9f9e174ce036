#pragma once
/// What the attention learns of a table: columns, their products and a model of each target.

#include <memory>
#include <vector>

#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/attention/target.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

struct Learned {
  std::unique_ptr<KeyProducts> products;  ///< refers to the table
  std::vector<TargetModel> models;        ///< one a series
  const Eigen::MatrixXd& columns() const { return products->columns(); }
};

/// Parts of the work on one target, for the progress: what it is to learn is 1.
inline constexpr double kProductsPart = 0.5;

/// How often everything is learned: gaps are filled by what was learned before.
int rounds_of_learning(const datasets::series::SeriesTable& table);

/// Tells the meter of series * rounds * (1 + kProductsPart) parts. The table must outlive what is learned.
Learned learn_with_gaps(const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
                        const HeldFixed& held, methods::SearchMeter& meter);

}  // namespace fovea::lag::attention
