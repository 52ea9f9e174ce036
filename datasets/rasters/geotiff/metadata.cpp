#include "fovea/datasets/rasters/geotiff/metadata.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters::geotiff {

namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kMarks{
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};

std::string without_marks(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    bool found = false;
    for (const auto& [mark, letter] : kMarks) {
      if (!text.substr(i).starts_with(mark)) continue;
      plain += letter;
      i += mark.size();
      found = true;
      break;
    }
    if (!found) plain += text[i++];
  }
  return plain;
}

std::string with_marks(std::string_view text) {
  std::string marked;
  for (const char letter : text) {
    std::string_view mark;
    for (const auto& [name, meant] : kMarks)
      if (letter == meant) mark = name;
    if (mark.empty()) marked += letter;
    marked += mark;
  }
  return marked;
}

/// The value of  name="..."  in the head of an item; "" if there is none.
std::string_view attribute_of(std::string_view head, std::string_view name) {
  const std::string wanted = concat(' ', name, "=\"");
  const std::size_t start = head.find(wanted);
  if (start == std::string_view::npos) return {};
  head.remove_prefix(start + wanted.size());
  return head.substr(0, head.find('"'));
}

std::string item(std::string_view name, std::size_t band, std::string_view role, std::string_view text) {
  return concat("  <Item name=\"", name, "\" sample=\"", band, "\" role=\"", role, "\">", with_marks(text),
                "</Item>\n");
}

}  // namespace

std::string read_metadata(std::string_view xml, std::vector<BandFacts>& bands) {
  std::string problem;
  for (std::size_t at = xml.find("<Item"); at != std::string_view::npos; at = xml.find("<Item", at)) {
    const std::size_t open = xml.find('>', at), close = xml.find("</Item>", at);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
      problem = "its GDAL_METADATA is cut";
      break;
    }
    const std::string_view head = xml.substr(at, open - at);
    const std::string text = without_marks(xml.substr(open + 1, close - open - 1));
    const auto band = number_in(attribute_of(head, "sample"));
    const std::string_view role = attribute_of(head, "role");
    at = close;
    if (!band || !(*band >= 0 && *band < static_cast<double>(bands.size()))) continue;
    BandFacts& facts = bands[static_cast<std::size_t>(*band)];
    if (role == "description") facts.name = text;
    if (role != "scale" && role != "offset") continue;
    const auto number = number_in(text);
    if (!number || !std::isfinite(*number) || (role == "scale" && *number == 0))
      problem =
          concat("band ", *band + 1, " has the ", role, " '", text::shown_text(text), "', which is no number of use");
    else
      (role == "scale" ? facts.scale : facts.offset) = *number;
  }
  return problem;
}

std::string metadata_of(const std::vector<BandFacts>& bands) {
  std::string items;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    const BandFacts& facts = bands[band];
    if (!facts.name.empty()) items += item("DESCRIPTION", band, "description", facts.name);
    if (facts.offset != 0) items += item("OFFSET", band, "offset", exact_text(facts.offset));
    if (facts.scale != 1) items += item("SCALE", band, "scale", exact_text(facts.scale));
  }
  return items.empty() ? "" : concat("<GDALMetadata>\n", items, "</GDALMetadata>\n");
}

}  // namespace fovea::datasets::rasters::geotiff
