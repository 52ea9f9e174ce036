#include "fovea/datasets/rasters/band_names.hpp"

#include <array>
#include <cctype>
#include <map>
#include <set>
#include <vector>

namespace fovea::datasets::rasters {

namespace {

/// Names of catalogues, letters and digits alone: common names of STAC's EO extension and keys of Earth Search.
const std::map<std::string, std::string, std::less<>> kCatalogueNames{
    {"COASTAL", "B1"},    {"COASTALAEROSOL", "B1"}, {"AEROSOL", "B1"},    {"BLUE", "B2"},      {"GREEN", "B3"},
    {"RED", "B4"},        {"REDEDGE1", "B5"},       {"REDEDGE071", "B5"}, {"REDEDGE2", "B6"},  {"REDEDGE075", "B6"},
    {"REDEDGE3", "B7"},   {"REDEDGE078", "B7"},     {"NIR", "B8"},        {"NIR1", "B8"},      {"NIRBROAD", "B8"},
    {"NIR08", "B8A"},     {"NIRNARROW", "B8A"},     {"NARROWNIR", "B8A"}, {"REDEDGE4", "B8A"}, {"NIR09", "B9"},
    {"WATERVAPOR", "B9"}, {"WATERVAPOUR", "B9"},    {"CIRRUS", "B10"},    {"SWIR16", "B11"},   {"SWIR1", "B11"},
    {"SWIR22", "B12"},    {"SWIR2", "B12"}};

/// Words beside a band that change nothing of what it is. Not SR, by which Landsat's bands are named: SR_B5 is
/// infrared.
const std::set<std::string, std::less<>> kWordsBeside{
    "S1",  "S2",  "S1A",    "S1B",    "S2A",   "S2B", "SENTINEL", "MSI", "SAR", "GRD", "IW",  "L1C", "L2A",
    "TOA", "BOA", "SIGMA0", "GAMMA0", "BETA0", "DB",  "BAND",     "1",   "2",   "10M", "20M", "60M", "REFLECTANCE"};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

/// "B02" is "B2"; "" if the word is no band.
std::string band_of_word(std::string word) {
  constexpr std::array<std::string_view, 17> kBands{"VV", "VH", "HH", "HV",  "B1", "B2",  "B3",  "B4", "B5",
                                                    "B6", "B7", "B8", "B8A", "B9", "B10", "B11", "B12"};
  if (word.size() > 2 && word[0] == 'B' && word[1] == '0') word.erase(1, 1);
  for (const std::string_view band : kBands)
    if (word == band) return word;
  return "";
}

}  // namespace

std::string band_called(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  std::string all, band, others;
  for (const std::string& word : words) {
    all += word;
    const std::string one = band_of_word(word);
    if (one.empty()) {
      if (!kWordsBeside.contains(word)) others += word;
    } else if (!band.empty() && band != one) {
      return "";
    } else {
      band = one;
    }
  }
  if (const auto known = kCatalogueNames.find(all); known != kCatalogueNames.end()) return known->second;
  if (others.empty()) return band;
  const auto known = kCatalogueNames.find(others);
  return known != kCatalogueNames.end() && (band.empty() || band == known->second) ? known->second : "";
}

std::optional<std::string> stack_band(std::string_view name) {
  std::string band = band_called(name);
  if (band.empty()) return std::nullopt;
  if (band.size() == 2 && band[0] == 'B') band.insert(1, 1, '0');
  return band;
}

}  // namespace fovea::datasets::rasters
