#pragma once
/// The page and the figures of a result, drawn from the result's data alone.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// A figure for a paper: a complete SVG document.
struct SvgFigure {
  std::string name;  ///< file name without suffix
  std::string svg;
};

/// What the page says beside the data. Each text may be empty.
struct Provenance {
  std::string manifest_json;  ///< version, commit, machine, seed, times
  std::string rerun_command;  ///< how to get this result again
};

/// One self-contained HTML page: no network, no third-party script, under 1 MB (large arrays are thinned, with a note).
/// The results' documents "resolved_toml" and "defaults_toml" are used when there. results: with_names().
std::string draw_page(const Results& results, const Provenance& provenance);

/// Every figure of the results (with_names()) as SVG, each slider where the page's stands at first (see
/// start_selection()).
std::vector<SvgFigure> draw_figures(const Results& results);

}  // namespace fovea
