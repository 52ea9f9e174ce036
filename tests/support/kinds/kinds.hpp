#pragma once
/// Kinds of tables by which a search for lagged links is examined: tables as people have them without any lagged link,
/// and tables whose links are known. Each kind has a name, so that a test can go through all of them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::support::kinds {

/// One true effect of a column on another; lag 0: within a step.
struct KnownLink {
  Index cause, effect, lag;
};

/// What the rows of a table are dated by; none: each row is a step.
enum class Calendar { none, hours, days, months };

struct KnownTable {
  datasets::series::SeriesTable table;
  std::vector<KnownLink> links = {};  ///< all of them but those of a series with its own past
  Calendar calendar = Calendar::none;
};

/// What is asked of a search.
enum class Group {
  shared_course,  ///< no link; a season, trend, shift or sparse events, which a search must cope with
  hard_nature,    ///< no link; where a search that cannot keep a promise may say so
  plain_nature,   ///< no link; of these kinds most searches keep their promise
  kept_for_end,   ///< no link; not looked at while a search is developed
  linked          ///< links that are known
};

/// One kind. `make` draws table number `set` (>= 0): the number decides size and variant, `random` everything else.
struct Kind {
  std::string_view name, meaning;
  Group group;
  KnownTable (*make)(Index set, const Random& random);
};

/// Alphabetical within each group.
std::span<const Kind> all_kinds();

/// Throws ArgumentError for a name that no kind has.
const Kind& kind_of(std::string_view name);

/// Table number `set` of a kind: a pure function of (kind, set, random), where `random` holds the seed. Unless a kind
/// says otherwise: 8, 12, 16 or 20 series by set, 600, 1000, 1500 or 2000 steps, each series with a memory AR(1)
/// of .3 to .7 and unit variance. Throws ArgumentError for an unknown kind or a set below 0.
KnownTable draw_table(std::string_view kind, Index set, const Random& random);

/// The time of a row as a file has it: 1995-03-01, 1995-03-01 05:00:00, and months from 1901-01 on. Empty for none.
std::string date_of_row(Calendar calendar, Index row);

}  // namespace fovea::support::kinds
