#pragma once
/// One page over several results: what is asked, what was found and whether it holds, at a glance; then the verdict and
/// the figures of each, with a link to its own page.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// One result of a collection, or why there is none.
struct Exhibit {
  std::string name;    ///< a short word, unique on the page: "scaling"
  std::string title;   ///< one line: what is asked
  std::string error;   ///< not empty: it failed to run, and there are no results
  std::string report;  ///< the result's own page, relative to this one; may be empty
  double seconds = 0;  ///< that it took
  Results results;     ///< with what depends on the machine (Results::with_machine())
};

/// How an exhibit stands. Nothing is counted as holding that had nothing to check, and no preview is judged.
enum class Standing { failed, preview, unchecked, holds, refuted };
Standing standing(const Exhibit& exhibit);
/// "7 of 7 results hold, 2 had nothing to check"
std::string standings_text(const std::vector<Exhibit>& exhibits);

const Check* failed_check(const Results& results);  ///< the first that does not hold; nullptr if there is none

/// A self-contained page: no network; figures as in draw_figures(), tables excepted.
std::string draw_collection(const std::string& title, const std::vector<Exhibit>& exhibits);

}  // namespace fovea
