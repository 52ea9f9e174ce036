#include <fovea_page_assets.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostBytes = 1000000;
constexpr std::size_t kLeastData = 100000;  ///< kept for the figures however long the texts are

/// Nothing may be loaded or sent; the page's own style and script, and pictures it makes itself, are all it has.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "img-src ";

std::string title_of(const Results& results) {
  const auto found = results.data.attributes.find("title");
  if (found == results.data.attributes.end() || found->second.empty()) return "Fovea report";
  std::string title = found->second;  // a summary where the config has no title: it begins with a small letter
  const bool file = title.substr(0, title.find(' ')).find('.') != std::string::npos;  // it keeps its letters
  if (!file && title.front() >= 'a' && title.front() <= 'z')
    title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

std::string experiment_of(const Results& results) {
  const auto found = results.data.documents.find("resolved_toml");
  if (found == results.data.documents.end()) return {};
  for (const ConfigLine& line : config_lines(found->second, "")) {
    if (line.key == "experiment" && line.value.size() > 2)
      return " \xC2\xB7 " + line.value.substr(1, line.value.size() - 2);
  }
  return {};
}

}  // namespace

std::string page_head(const std::string& title, std::string_view more_style, std::string_view pictures) {
  return concat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                "<meta http-equiv=\"Content-Security-Policy\" content=\"", kPolicy, pictures, "\">\n",
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", title, "</title>\n<style>\n",
                theme_css(), kPageCss, more_style, "</style>\n</head>\n");
}

std::string page_script(std::string_view script) {
  return concat("<script>\n(() => {\n\"use strict\";\n", kCommonJs, script, "})();\n</script>\n");
}

std::string draw_page(const Results& results, const Provenance& provenance) {
  const std::string title = escape_markup(title_of(results));
  std::string page = page_head(title, "");
  page += concat("<body>\n<header class=\"top\"><div><p class=\"kicker\">Fovea", escape_markup(experiment_of(results)),
                 "</p><h1>", title, "</h1></div>", kThemeButton, "</header>\n<main>\n");
  page += warning_section(results) + verdict_section(results) + reading_section(results) + headline_section(results) +
          figure_section(results) + sheet_section(results) + note_section(results) + check_section(results) +
          "<div class=\"pair\">" + config_section(results) + provenance_section(provenance.manifest_json) + "</div>\n" +
          rerun_section(provenance.rerun_command) + record_section(results, provenance.manifest_json);
  const std::string end = concat("</script>\n", page_script(kPageJs), "</body>\n</html>\n");
  page += "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script type=\"application/json\" id=\"data\">";
  const std::size_t used = page.size() + end.size();
  return page + page_data(results, used + kLeastData < kMostBytes ? kMostBytes - used : kLeastData) + end;
}

}  // namespace fovea
