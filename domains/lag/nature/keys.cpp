#include "fovea/domains/lag/nature/keys.hpp"

#include <algorithm>
#include <charconv>

#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Degree of a smooth trend that is asked for, as the key says.
constexpr Index kSmooth = 4;

/// Numbers separated by commas; each must be at least 2.
std::vector<double> listed_numbers(const std::string& text, const char* who, const char* what) {
  std::vector<double> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t stop = std::min(text.find(',', start), text.size());
    const std::string_view piece = datasets::text::trimmed(std::string_view(text).substr(start, stop - start));
    double number = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), number);
    require(error == std::errc() && end == piece.data() + piece.size() && number >= 2 && number <= 1e9, who, " '", text,
            "': '", piece, "' is none of auto, none and ", what, '.');
    numbers.push_back(number);
    start = stop + 1;
  }
  return numbers;
}

}  // namespace

const Keys<AdjustmentAsked>& adjustment_keys() {
  using Asked = AdjustmentAsked;
  static const auto keys =
      Keys<Asked>()
          .key("adjust.season", &Asked::season,
               "seasons held fixed: auto: those that are found; none; or periods in steps, such as 24,168")
          .added_later()
          .choice("adjust.trend", &Asked::trend,
                  {{"auto", TrendAsked::automatic},
                   {"none", TrendAsked::none},
                   {"linear", TrendAsked::linear},
                   {"smooth", TrendAsked::smooth}},
                  "trend held fixed; auto: where one is found; smooth: a polynomial of degree 4")
          .added_later()
          .key("adjust.breaks", &Asked::breaks,
               "changes of level held fixed: auto: those that are found; none; or first rows of new levels, such as "
               "500,800")
          .added_later()
          .key("adjust.given", &Asked::given,
               "series that are conditioned on, now and at the lags, but are neither cause nor effect")
          .added_later();
  return keys;
}

void read_season(const std::string& text, AdjustmentSettings& settings) {
  settings.seasons = text != "none";
  if (text != "none" && text != "auto")
    settings.periods = listed_numbers(text, "season", "a period of at least 2 steps");
}

void read_breaks(const std::string& text, AdjustmentSettings& settings) {
  settings.steps = text != "none";
  if (text == "none" || text == "auto") return;
  for (const double row : listed_numbers(text, "breaks", "a row from 2 on")) {
    require(row == static_cast<double>(static_cast<Index>(row)), "breaks '", text, "': ", row,
            " is no row; write whole numbers, as in 500,800.");
    settings.rows.push_back(static_cast<Index>(row) - 1);
  }
}

AdjustmentSettings adjustments_asked(const AdjustmentAsked& asked) {
  AdjustmentSettings settings;
  read_season(asked.season, settings);
  read_breaks(asked.breaks, settings);
  settings.trends = asked.trend != TrendAsked::none;
  settings.degree = asked.trend == TrendAsked::linear ? 1 : asked.trend == TrendAsked::smooth ? kSmooth : 0;
  return settings;
}

void check_adjustment_keys(const AdjustmentAsked& asked, const Complain& complain) {
  AdjustmentSettings settings;
  complain_if_unreadable(complain, "adjust.season", [&] { read_season(asked.season, settings); });
  complain_if_unreadable(complain, "adjust.breaks", [&] { read_breaks(asked.breaks, settings); });
}

GivenColumns set_apart(const datasets::series::SeriesTable& table, const std::vector<Index>& places) {
  require(std::ssize(places) < table.series(), "adjust.given: names all ", table.series(),
          " series; at least one must be left to be explained.");
  GivenColumns apart;
  apart.table = table;
  apart.table.names.clear();
  apart.table.parts.clear();
  apart.table.values.resize(table.steps(), table.series() - std::ssize(places));
  apart.columns.resize(table.steps(), std::ssize(places));
  const Matrix<double> whole = attention::bridged(table);
  Index given = 0;
  for (Index s = 0; s < table.series(); ++s) {
    if (std::find(places.begin(), places.end(), s) != places.end()) {
      apart.columns.col(given++) = whole.col(s);
    } else {
      apart.table.values.col(std::ssize(apart.table.names)) = table.values.col(s);
      if (std::find(table.parts.begin(), table.parts.end(), s) != table.parts.end())
        apart.table.parts.push_back(std::ssize(apart.table.names));
      apart.table.names.push_back(table.names[s]);
    }
  }
  return apart;
}

Matrix<double> given_conditions(const Matrix<double>& columns, const std::vector<Index>& lags,
                                const std::vector<Index>& recording_starts) {
  const Index steps = columns.rows(), given = columns.cols();
  Matrix<double> all = columns;
  if (given == 0) return all;
  for (const Index lag : lags) {
    if (10 * (all.cols() + given) > steps) break;
    Matrix<double> later(steps, given);
    for (std::size_t r = 0; r < recording_starts.size(); ++r) {
      const Index first = recording_starts[r], end = r + 1 < recording_starts.size() ? recording_starts[r + 1] : steps;
      for (Index t = first; t < end; ++t) later.row(t) = columns.row(std::max(first, t - lag));
    }
    all = beside(all, later);
  }
  return all;
}

}  // namespace fovea::lag::nature
