#include "fovea/core/config/sweep_grid.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

template <typename Number>
bool read_all(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

struct Grid {
  bool logarithmic = false;
  double low = 0, high = 0;
  std::int64_t count = 0;
};

Grid parse_grid(std::string_view text) {
  Grid grid;
  const std::size_t dots = text.find("..");
  const std::size_t colon = text.rfind(':');
  const bool whole =
      is_grid(text) && dots != std::string_view::npos && colon > dots && read_all(text.substr(4, dots - 4), grid.low) &&
      read_all(text.substr(dots + 2, colon - dots - 2), grid.high) && read_all(text.substr(colon + 1), grid.count);
  require(whole, "the grid '", text, "' must be log:LOW..HIGH:COUNT or lin:LOW..HIGH:COUNT, such as log:0.01..3:12.");
  grid.logarithmic = text.substr(0, 3) == "log";
  return grid;
}

double rounded(double value) {
  std::array<char, 64> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, 14);
  std::from_chars(digits.data(), written.ptr, value);
  return value;
}

}  // namespace

bool is_grid(std::string_view text) { return text.substr(0, 4) == "log:" || text.substr(0, 4) == "lin:"; }

std::string meant_grid(std::string_view text) {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t dots = rest.find(".."), colon = rest.find(':'), end = std::min(dots, colon);
    double number = 0;
    if (!read_all(rest.substr(0, end), number)) return {};
    numbers.push_back(number);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + (end == dots ? 2 : 1));
  }
  constexpr double kMostMeant = 1000;  // values
  const auto is_count = [](double n) { return n >= 2 && n <= kMostMeant && n == std::floor(n); };
  if (numbers.size() == 2 && numbers[0] != numbers[1]) return concat("lin:", numbers[0], "..", numbers[1], ":5");
  if (numbers.size() != 3) return {};
  const double low = numbers[0], middle = numbers[1], last = numbers[2];
  const double steps = std::round((last - low) / middle);
  const bool stepped = middle > 0 && last > middle && last > low && steps >= 1 && steps < kMostMeant &&
                       std::abs(steps * middle - (last - low)) < 1e-9 * std::abs(last - low);
  if (stepped && !(is_count(last) && middle > low)) return concat("lin:", low, "..", last, ":", steps + 1);
  return is_count(last) && low != middle ? concat("lin:", low, "..", middle, ":", last) : "";
}

std::vector<double> grid_values(std::string_view text) {
  const Grid grid = parse_grid(text);
  require(grid.count >= 2 && grid.count <= kSweepPointLimit, "the grid '", text, "' has ", grid.count,
          " values, but must have 2 to ", kSweepPointLimit, ".");
  require(std::isfinite(grid.low) && std::isfinite(grid.high) && grid.low != grid.high, "the grid '", text,
          "' must run between two different finite ends.");
  require(!grid.logarithmic || (grid.low > 0 && grid.high > 0), "the grid '", text,
          "' is logarithmic, so both ends must be > 0.");
  std::vector<double> values{grid.low};
  for (std::int64_t i = 1; i + 1 < grid.count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(grid.count - 1);
    const double between = grid.logarithmic ? std::exp((1 - part) * std::log(grid.low) + part * std::log(grid.high))
                                            : (1 - part) * grid.low + part * grid.high;
    values.push_back(rounded(between));
  }
  values.push_back(grid.high);
  return values;
}

std::int64_t sweep_size(const Config& config) {
  std::int64_t points = config.seed_count.value_or(1);
  for (const SweepAxis& axis : config.sweep) {
    const auto length = static_cast<std::int64_t>(axis.values.size());
    if (length == 0) return 0;
    points = points > kSweepPointLimit / length ? kSweepPointLimit + 1 : points * length;
  }
  return std::min(points, kSweepPointLimit + 1);
}

}  // namespace fovea
