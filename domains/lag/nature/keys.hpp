#pragma once
/// The keys adjust.* of a config: which courses are held fixed, and which columns are only given.

#include <string>
#include <vector>

#include "fovea/domains/lag/keys.hpp"
#include "fovea/domains/lag/nature/adjustments.hpp"

namespace fovea::lag::nature {

enum class TrendAsked { automatic, none, linear, smooth };

/// As the keys have it.
struct AdjustmentAsked {
  std::string season = "auto", breaks = "auto";
  TrendAsked trend = TrendAsked::automatic;
  std::vector<std::string> given;  ///< series that are conditioned on
};
/// adjust.season, adjust.trend, adjust.breaks, adjust.given
const Keys<AdjustmentAsked>& adjustment_keys();

/// What the keys ask for. Throws ArgumentError in one sentence for a text that is none of those allowed.
AdjustmentSettings adjustments_asked(const AdjustmentAsked& asked);
/// The same of one key: "auto", "none", or periods in steps such as "24,168".
void read_season(const std::string& text, AdjustmentSettings& settings);
/// "auto", "none", or the rows (from 2) at which new levels begin, such as "500,800".
void read_breaks(const std::string& text, AdjustmentSettings& settings);

/// Says at the key what is wrong with its text.
void check_adjustment_keys(const AdjustmentAsked& asked, const Complain& complain);

/// A table apart into the series that are searched and those that are only given.
struct GivenColumns {
  datasets::series::SeriesTable table;  ///< without the given ones
  Matrix<double> columns;               ///< steps x given, gaps bridged
};
/// places: of the given series. Throws ArgumentError where no series is left.
GivenColumns set_apart(const datasets::series::SeriesTable& table, const std::vector<Index>& places);
/// The given columns now and at each lag (the first rows of a recording: its first value). Lags from the shortest on,
/// as long as all columns together are at most a tenth of the rows; the present always.
Matrix<double> given_conditions(const Matrix<double>& columns, const std::vector<Index>& lags,
                                const std::vector<Index>& recording_starts);

}  // namespace fovea::lag::nature
