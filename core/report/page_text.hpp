#pragma once
/// The sections of the page that are text and tables, as HTML. Everything that comes from data is escaped.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// One line of a config: key with its tables ("attention.temperature"), value as written, the default ("" if unknown).
struct ConfigLine {
  std::string key, value, standard;
  bool changed = false;  ///< there is a default and the value is another
  bool swept = false;    ///< the value is the sweep's list: "cooling, heating"
};

/// Reads `key = value` lines of two TOML texts as the lab writes them (tables, arrays of tables, comments) and compares
/// them key by key. `defaults` may be empty. A line of [sweep] takes the place of its key's single value.
std::vector<ConfigLine> config_lines(const std::string& resolved, const std::string& defaults);

/// Everything up to <body>: policy (nothing may be loaded or sent), title, style. title: escaped. pictures: from where
/// the policy allows them.
std::string page_head(const std::string& title, std::string_view more_style, std::string_view pictures = "data: blob:");
/// The button in a page's header that switches between light and dark; common.js puts it to work.
inline constexpr std::string_view kThemeButton =
    "<button id=\"theme\" type=\"button\" aria-label=\"Switch between light and dark\">Dark</button>";
/// The element with what every page can do and with a script of its own.
std::string page_script(std::string_view script);

std::string warning_section(const Results& results);
std::string verdict_section(const Results& results);
std::string reading_section(const Results& results);
std::string headline_section(const Results& results);
std::string check_section(const Results& results);
std::string figure_section(const Results& results);  ///< empty panels with titles and captions, filled by the script
std::string sheet_section(const Results& results);   ///< folded
std::string note_section(const Results& results);
std::string config_section(const Results& results);
std::string standard_keys_fold(const Results& results);  ///< the keys that have their default
/// The entries of a manifest (see lab/manifest.hpp) that people ask for, with units.
std::string provenance_section(const std::string& manifest_json);
std::string rerun_section(const std::string& command);
/// The end of a page, folded: keys that have their default, findings with their numbers, the whole manifest.
std::string record_section(const Results& results, const std::string& manifest_json);

}  // namespace fovea
