#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/knowledge/knowledge.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::knowledge {

namespace {

constexpr const char* kHowToWrite = "; write a link as CAUSE->EFFECT, EFFECT<-CAUSE or CAUSE->EFFECT@LAG.";

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The pieces between the separators that are not in quotes. Throws where a quote is not closed.
std::vector<std::string_view> pieces_of(std::string_view text, std::string_view separator, std::string_view whole) {
  std::vector<std::string_view> pieces;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted || text.substr(at, separator.size()) != separator) continue;
    pieces.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
    at = begin - 1;
  }
  require(!quoted, "'", whole, "': a quote is opened but not closed.");
  pieces.push_back(text.substr(begin));
  return pieces;
}

/// A name without its quotes; outside of these * is a wildcard.
std::string name_of_piece(std::string_view piece) {
  std::string name;
  bool quoted = false;
  for (const char letter : without_blanks(piece)) {
    if (letter == '"')
      quoted = !quoted;
    else
      name += letter == '*' && !quoted ? kWildcard : letter;
  }
  return name;
}

std::vector<std::string> group_of(std::string_view text, std::string_view whole) {
  std::vector<std::string> names;
  for (const std::string_view piece : pieces_of(text, ",", whole)) {
    names.push_back(name_of_piece(piece));
    require(!names.back().empty(), "'", whole, "': a name is missing", kHowToWrite);
  }
  return names;
}

/// "0-2,5", where series::lag_set() knows no 0.
std::vector<Index> lags_of_text(std::string_view text, std::string_view whole) {
  std::string shifted(without_blanks(text));
  std::vector<Index> lags;
  try {
    if (shifted == "0") return {0};
    if (shifted.starts_with("0,") || shifted.starts_with("0-")) {
      lags.push_back(0);
      shifted = shifted[1] == ',' ? shifted.substr(2) : "1" + shifted.substr(1);
    }
    const std::vector<Index> others = series::lag_set(shifted);
    lags.insert(lags.end(), others.begin(), others.end());
  } catch (const ArgumentError&) {
    throw ArgumentError(
        concat("'", whole, "': '", text, "' are no lags; write them behind @ as 3 or 0-2,5, in steps."));
  }
  return lags;
}

}  // namespace

std::vector<WrittenGroup> parse_groups(std::string_view text) {
  std::vector<WrittenGroup> groups;
  for (const std::string_view piece : pieces_of(text, "|", text)) {
    const std::vector<std::string_view> sides = pieces_of(piece, "=", text);
    require(sides.size() == 2 && !without_blanks(sides[0]).empty() && !without_blanks(sides[1]).empty(), "groups '",
            text, "': '", without_blanks(piece),
            "' is no group; write them as weather = rain,snow | rivers = up*,town.");
    groups.push_back({name_of_piece(sides[0]), group_of(sides[1], text)});
    const bool twice = std::any_of(groups.begin(), groups.end() - 1,
                                   [&](const WrittenGroup& other) { return other.name == groups.back().name; });
    require(!twice, "groups '", text, "': '", groups.back().name, "' is there twice; give each group once.");
  }
  return groups;
}

Pattern parse_pattern(std::string_view text) {
  const std::vector<std::string_view> ends = pieces_of(text, "@", text);
  require(ends.size() <= 2, "'", text, "': there are ", ends.size() - 1, " @, but one stands before the lags at most",
          kHowToWrite);
  const std::vector<std::string_view> forward = pieces_of(ends[0], "->", text);
  const std::vector<std::string_view> backward = pieces_of(ends[0], "<-", text);
  require(forward.size() + backward.size() == 3, "'", text, "': has ", forward.size() + backward.size() - 2,
          " arrows, but a link has one", kHowToWrite);
  const bool is_forward = forward.size() == 2;
  const std::vector<std::string_view>& sides = is_forward ? forward : backward;
  Pattern pattern{
      std::string(text), group_of(sides[is_forward ? 0 : 1], text), group_of(sides[is_forward ? 1 : 0], text), {}};
  if (ends.size() == 2) pattern.lags = lags_of_text(ends[1], text);
  return pattern;
}

std::vector<std::vector<std::string>> parse_tiers(std::string_view text) {
  std::vector<std::vector<std::string>> tiers;
  const std::vector<std::string_view> pieces = pieces_of(text, "|", text);
  require(pieces.size() >= 2, "tiers '", text, "': there is one tier, but at least two are needed; write them as ",
          "rain,snow | upstream | town, the earliest first.");
  for (const std::string_view piece : pieces) {
    require(!without_blanks(piece).empty(), "tiers '", text, "': a tier is empty; take out one |.");
    tiers.push_back(group_of(piece, text));
  }
  return tiers;
}

}  // namespace fovea::lag::knowledge
