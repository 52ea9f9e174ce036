#pragma once
/// Figures over one axis: lines with bands, theory and marks, and histograms.

#include <string>

#include "fovea/core/report/figures/svg.hpp"

namespace fovea {

/// The SVG document. bins: the variables are densities over x, drawn as steps from edge to edge of the bins.
std::string draw_curves(const Dataset& data, const Figure& figure, const FigureData& arrays, const Selection& selection,
                        bool bins);

}  // namespace fovea
