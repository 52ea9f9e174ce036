#pragma once
/// Findings as arrays over (effect, cause, lag), and the profiles of single pairs.

#include "fovea/domains/lag/discover/link_rows.hpp"
#include "fovea/domains/lag/discover/outcome.hpp"

namespace fovea::lag::discover {

/// Places in the arrays: effects x causes x lags, the lag fastest.
class LagGrid {
 public:
  LagGrid(const datasets::series::SeriesTable& table, const methods::LagSettings& settings);
  std::size_t size() const { return effects.size() * causes * lags.size(); }
  /// npos for a link that is not on the grid.
  std::size_t place(const methods::Link& link) const;
  std::size_t place(std::size_t effect, Index cause, std::size_t lag) const {
    return (effect * causes + static_cast<std::size_t>(cause)) * lags.size() + lag;
  }
  std::size_t effect_place(Index effect) const;

  std::vector<Index> effects;  ///< columns of the table
  std::vector<Index> lags;     ///< with 0 in front where it is looked at
  std::size_t causes = 0;
};

inline constexpr std::size_t kMostCells = 4'000'000;
inline constexpr std::string_view kNotPromised = "?";  ///< mark of a lag, in matrix and graph

void write_cells(const Discovery& discovery, const LagGrid& grid, Results& results);
void write_matrix(const Discovery& discovery, const LagGrid& grid, Results& results);
void write_links(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results);
void write_profiles(const Discovery& discovery, const LagGrid& grid, Results& results);
/// What attention says of each link, by which of the other methods it is found too, and what to believe.
void add_remarks(const Discovery& discovery, const std::vector<methods::Link>& links, std::vector<LinkRow>& table);
/// Over "method": how many links between series it finds (method_links) and how many of ours (method_shared).
void write_methods(const Discovery& discovery, Results& results);
/// Effects of the links; nothing where there are none.
void add_effects(const Discovery& discovery, const std::vector<methods::Link>& links, std::vector<LinkRow>& table);
/// forecast_skill, over "effect"; nothing where there is none.
void write_skill(const Discovery& discovery, const LagGrid& grid, Results& results);
/// Responses of the shown pairs; nothing where there are none, or too many links.
void write_responses(const Discovery& discovery, const std::vector<methods::Link>& shown, Results& results);
void add_response_picture(Results& results);
/// Of the effects and of the forecast skill, where there are any.
void add_effect_tables(const Discovery& discovery, Results& results);
/// Nodes on a circle and an arrow for each pair of series with a significant link; nothing where that is not legible.
void add_graph(const Discovery& discovery, const std::vector<methods::Link>& counting, Results& results);
/// "***" below .001, "**" below .01, "*" below .05
std::string_view stars_of(double q_value);
/// A test says that the response is bent (effects.hpp).
bool is_bent(const Discovery& discovery, const methods::Link& link);
/// Over "series", what each of them is, as arrays; what is held fixed, as notes.
void write_natures(const Discovery& discovery, Results& results);
void add_natures_table(const Discovery& discovery, Results& results);
/// "rain \u2192 town", or with \u2194 where the link has no direction.
std::string pair_called(const Discovery& discovery, const methods::Link& link);

/// How far strengths without an effect spread: tanh(1.96 s), where s is the median of atanh(strength) / z(p) over the
/// lags of a pair. NaN where the p-values do not say.
double null_half_width(const std::vector<const methods::Link*>& profile);

}  // namespace fovea::lag::discover
