#include "fovea/core/report/kinds/image_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/thinning.hpp"

namespace fovea {

bool has_channels(const Figure& figure, const Averaged& array) {
  return !figure.channel.empty() && array.has(figure.channel);
}

std::vector<std::string> words_of(const Variable& variable, const char* attribute) {
  const auto found = variable.attributes.find(attribute);
  std::istringstream text(found == variable.attributes.end() ? "" : found->second);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// The numbers of the first replica; those that the attribute missing_value names are NaN.
Averaged raster(const Dataset& data, const std::string& name) {
  Averaged array = first_numbers(data, name);
  for (const std::string& missing : words_of(data.at(name), "missing_value"))
    std::replace(array.mean.begin(), array.mean.end(), std::strtod(missing.c_str(), nullptr), kNan);
  return array;
}

/// The numbers that occur, none twice; more than `most` + 1 are not looked for.
std::set<double> numbers_in(const std::vector<double>& values, std::size_t most) {
  std::set<double> found;
  double last = kNan;
  for (const double value : values) {
    if (value == last || !std::isfinite(value)) continue;
    last = value;
    found.insert(value);
    if (found.size() > most) break;
  }
  return found;
}

/// What occurs in the data, in the order of the numbers; named and coloured by the flags.
std::vector<Pictures::Class> classes_of(const Dataset& data, const std::string& name) {
  const Variable& variable = data.at(name);
  std::vector<std::string> values = words_of(variable, "flag_values");
  const std::vector<std::string> names = words_of(variable, "flag_meanings");
  const std::vector<std::string> colors = words_of(variable, "flag_colors");
  std::map<double, std::size_t> flags;  // value -> place among the names
  for (std::size_t k = 0; k < names.size(); ++k)
    flags[k < values.size() ? std::strtod(values[k].c_str(), nullptr) : static_cast<double>(k)] = k;
  std::vector<Pictures::Class> classes;
  for (const double value : numbers_in(raster(data, name).mean, kMostClasses)) {
    const auto flag = flags.find(value);
    const std::size_t place = flag != flags.end() ? flag->second : static_cast<std::size_t>(std::abs(value));
    std::string called = flag != flags.end() ? names[flag->second] : rounded_text(value);
    std::replace(called.begin(), called.end(), '_', ' ');
    const bool colored = flag != flags.end() && place < colors.size() && color_of(colors[place]);
    classes.push_back({value, called, colored ? colors[place] : hex(class_color(place))});
  }
  return classes;
}

bool are_whole(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v) || v == std::floor(v); });
}

/// Rising numbers along y go upwards, as on a map.
bool rises(const Dataset& data, const std::string& dimension) {
  if (!data.has(dimension) || !data.is_coordinate(data.at(dimension))) return false;
  const std::vector<double> values = coordinate_of(data, dimension).mean;
  return values.size() > 1 && values.front() < values.back();
}

constexpr std::size_t kLevels = 254;  ///< steps between the ends of a map of numbers

ColorScale scale_of(const Pictures::Ends& ends) { return {{ends.low, ends.high}, false}; }

/// The ends that the attributes name; nothing for classes. Even about 0 where both signs occur.
std::optional<Pictures::Ends> ends_of(const Dataset& data, const std::string& name) {
  const std::vector<std::string> low = words_of(data.at(name), "valid_min"),
                                 high = words_of(data.at(name), "valid_max");
  if (low.size() != 1 || high.size() != 1) return std::nullopt;
  Pictures::Ends ends{std::strtod(low[0].c_str(), nullptr), std::strtod(high[0].c_str(), nullptr)};
  if (ends.low < 0 && ends.high > 0) ends.high = std::max(-ends.low, ends.high), ends.low = -ends.high;
  return ends;
}

/// Each band between its own percentiles becomes 0 to 1; the meaning says from where to where.
void stretch(Averaged& array, const std::string& channel, double low, double high) {
  array = reordered(array, {channel});
  array.meaning += concat(kStretched, rounded_text(low), " to ", rounded_text(high), " of each band:");
  for (std::size_t band = 0; band < 3; ++band) {
    std::vector<double> seen;
    for (std::size_t i = band; i < array.mean.size(); i += 3)
      if (std::isfinite(array.mean[i])) seen.push_back(array.mean[i]);
    if (seen.empty()) continue;
    std::sort(seen.begin(), seen.end());
    const double from = sorted_quantile(seen, low / 100), to = sorted_quantile(seen, high / 100);
    for (std::size_t i = band; i < array.mean.size(); i += 3)
      array.mean[i] = to > from ? (array.mean[i] - from) / (to - from) : array.mean[i] * 0 + 0.5;
    array.meaning += concat(band == 0   ? " red "
                            : band == 1 ? ", green "
                                        : ", blue ",
                            rounded_text(from, 3), " to ", rounded_text(to, 3));
  }
  array.meaning += ".";
}

/// What the colours of an array mean, without its pictures.
Pictures meaning_of_colors(const Dataset& data, const Figure& figure, const Averaged& array) {
  Pictures out;
  if (!has_channels(figure, array)) out.numbers = ends_of(data, array.name);
  if (!has_channels(figure, array) && !out.numbers) out.classes = classes_of(data, array.name);
  out.missing = std::any_of(array.mean.begin(), array.mean.end(), [](double value) { return !std::isfinite(value); });
  out.upward = rises(data, figure.y);
  return out;
}

/// One picture of an array whose last dimensions are y, x and, for colours, the channel.
std::string picture_of(const Averaged& array, std::size_t start, const Figure& figure, const Pictures& meaning,
                       std::size_t factor) {
  const std::size_t rows = array.size_of(figure.y), columns = array.size_of(figure.x);
  const bool colors = has_channels(figure, array);
  std::map<double, std::uint8_t> number_of;
  std::vector<Color> palette, pixels;
  for (const Pictures::Class& one : meaning.classes) {
    number_of.emplace(one.value, static_cast<std::uint8_t>(palette.size()));
    palette.push_back(color_of(one.color).value_or(Color{}));
  }
  for (std::size_t k = 0; meaning.numbers && k <= kLevels; ++k)
    palette.push_back(color_at(scale_of(*meaning.numbers).map(), static_cast<double>(k) / kLevels));
  std::vector<std::uint8_t> numbers;
  std::vector<bool> there;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t at = start + ((meaning.upward ? rows - 1 - r : r) * columns + c) * (colors ? 3 : 1);
      const double* value = array.mean.data() + at;
      if (meaning.numbers) {
        const double part = std::clamp(scale_of(*meaning.numbers).fraction(*value), 0.0, 1.0);
        numbers.push_back(static_cast<std::uint8_t>(std::isfinite(*value) ? std::lround(kLevels * part) : kLevels + 1));
        continue;
      }
      if (!colors) {
        const auto found = std::isfinite(*value) ? number_of.find(*value) : number_of.end();
        numbers.push_back(found == number_of.end() ? static_cast<std::uint8_t>(palette.size()) : found->second);
        continue;
      }
      there.push_back(std::isfinite(value[0]) && std::isfinite(value[1]) && std::isfinite(value[2]));
      const auto part = [&](std::size_t k) {
        return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value[k], 0.0, 1.0)));
      };
      pixels.push_back(there.back() ? Color{part(0), part(1), part(2)} : Color{});
    }
  return colors ? png_image(pixels, there, columns, factor) : png_image(numbers, palette, columns, factor);
}

}  // namespace fovea
