#pragma once
/// What an image's pixels are, from the attributes of their variable: colours, classes, or numbers between two ends.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {

inline constexpr std::size_t kMostClasses = 255;  ///< that a palette has, with one number left for what is not there
inline constexpr std::string_view kStretched = " Colours from percentile ";  ///< what stretch() adds begins with this

bool has_channels(const Figure& figure, const Averaged& array);
std::vector<std::string> words_of(const Variable& variable, const char* attribute);

/// The numbers of the first replica; those that the attribute missing_value names are NaN.
Averaged raster(const Dataset& data, const std::string& name);
/// The numbers that occur, none twice; more than `most` + 1 are not looked for.
std::set<double> numbers_in(const std::vector<double>& values, std::size_t most);
bool are_whole(const std::vector<double>& values);  ///< where they are finite

/// Rising numbers along y go upwards, as on a map.
bool rises(const Dataset& data, const std::string& dimension);

/// The ends that valid_min and valid_max name; nothing without them. Even about 0 where both signs occur.
std::optional<Pictures::Ends> ends_of(const Dataset& data, const std::string& name);
ColorScale scale_of(const Pictures::Ends& ends);

/// Each band between its own percentiles becomes 0 to 1; the meaning says from where to where.
void stretch(Averaged& array, const std::string& channel, double low, double high);

/// What the colours of an array mean, without its pictures.
Pictures meaning_of_colors(const Dataset& data, const Figure& figure, const Averaged& array);

/// One picture of an array whose last dimensions are y, x and, for colours, the channel; it starts at a place. Each
/// pixel becomes factor x factor equal ones.
std::string picture_of(const Averaged& array, std::size_t start, const Figure& figure, const Pictures& meaning,
                       std::size_t factor = 1);

}  // namespace fovea
