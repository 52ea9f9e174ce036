#pragma once
/// Whether significant links are what a course that all series share, and that is not in the table, would leave.

#include "fovea/domains/lag/attention/target_links.hpp"

namespace fovea::lag::attention {

/// Tests the significant lagged links between series once more, each given also the common course of all other series
/// at the effect's own step and at every lag, and its running means. That course is sum_k u_k x_k(t), k neither cause
/// nor effect, u the first principal component of the correlations of the series: the estimate of a dynamic factor
/// (Stock & Watson 2002). A slow factor moves little within a step, so that what the forecasts leave does not show it
/// (look_for_hidden_factors); the past of each series then is a proxy of it for all others.
///
/// A link is explained where its p-value becomes larger than 0.05 or its strength less than two thirds. Found where
/// more than half of them are, and at least three: a web that the series share is then the better explanation, and no
/// error rate can be promised. Then those that are not significant given the course, by Bonferroni at the level among
/// all tests between series, get q = 1 and do not count. Nothing is looked at with fewer than five series, where the
/// component holds less than .05 of the largest possible common correlation, or where its participation (HiddenFactors)
/// is at most 2/3: a branching river, whose gauges all echo one, is no shared course.
/// held: conditions that were taken out of all columns before.
SharedCourse look_for_shared_course(std::vector<TargetLinks>& parts, const Learned& learned,
                                    const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
                                    Index held, double level);

}  // namespace fovea::lag::attention
