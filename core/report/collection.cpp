#include "fovea/core/report/collection.hpp"

#include <fovea_page_assets.hpp>

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

const std::string kCollectionStyle = R"(
.statements td:nth-child(n+2) { white-space: nowrap; }
.statements td:first-child { min-width: 200px; }
.statements small { display: block; color: var(--quiet); font-size: 14px; max-width: 90ch; }
section .scroll { max-height: none; }
.statements .good { color: var(--good); font-weight: 600; }
.statements .bad { color: var(--bad); font-weight: 700; }
.exhibit { padding-bottom: 8px; }
.exhibit .sentence { font-size: 17px; max-width: 1000px; }
.exhibit .badge { margin-right: 12px; }
.drawings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 14px 18px;
  margin-top: 14px; }
.drawings figure { margin: 0; min-width: 0; background: var(--panel); }
.drawings figure:first-child:nth-last-child(odd) { grid-column: 1 / -1; width: 100%; max-width: 920px;
  justify-self: center; }
.drawings .scroll { overflow-y: hidden; }
.drawings svg { display: block; width: 100%; min-width: 520px; height: auto; }
.drawings figcaption { padding: 6px 4px 10px; }
.drawings .tools { justify-content: flex-end; }
@media (max-width: 640px) { .statements td:nth-child(n+2) { white-space: normal; } }
@media print {
  .drawings { display: block; }
  .exhibit > :is(h2, p) { break-after: avoid; break-inside: avoid; }
  .statements th { overflow-wrap: normal; }
  .statements small { font-size: 9pt; }
  .drawings figure, .drawings figure:first-child:nth-last-child(odd) { max-width: none; break-inside: avoid; }
  .drawings svg { min-width: 0; }
}
)";

/// Drawings are made for the light; in the dark each of their colours is the page's.
std::string drawings_style() {
  std::string text;
  const auto follow = [&](std::string_view light, const std::string& name) {
    for (const char* part : {"fill", "stroke"})
      text += concat(".drawings [", part, "=\"", light, "\"] { ", part, ": var(--", name, "); }\n");
  };
  for (const ThemeColor& color : kThemeColors) follow(color.light, std::string(color.name));
  for (std::size_t i = 0; i < kLineColors.size(); ++i) follow(kLineColors[i].light, concat("c", i));
  return text;
}

std::string verdict_word(const Exhibit& exhibit) {
  switch (standing(exhibit)) {
    case Standing::failed:
      return "<span class=\"bad\">\xE2\x9C\x97 failed to run</span>";
    case Standing::preview:
      return "preview";
    case Standing::unchecked:
      return "nothing to check";
    case Standing::holds:
      return "<span class=\"good\">\xE2\x9C\x93 holds</span>";
    case Standing::refuted:
      return "<span class=\"bad\">\xE2\x9C\x97 does not hold</span>";
  }
  return {};
}

std::string tolerance_of(const Check& check) {
  return check.tolerance.relative ? " \xC2\xB1 " + rounded_text(check.tolerance.size * 100, 3) + " %"
                                  : " \xC2\xB1 " + rounded_text(check.tolerance.size, 3);
}

std::string cell(const std::string& content) { return "<td>" + content + "</td>"; }

/// "4 of 5 hold"
std::string check_count(const std::vector<Check>& checks, bool judged) {
  if (checks.empty()) return "\xE2\x80\x93";
  if (!judged) return concat(checks.size(), ", not judged");
  const auto held = std::count_if(checks.begin(), checks.end(), [](const Check& check) { return check.holds(); });
  return concat(held, " of ", checks.size(), held == 1 ? " holds" : " hold");
}

/// What is asked; below it what was found, or why not, and the first check that fails.
std::string statement_row(const Exhibit& exhibit) {
  const Results& results = exhibit.results;
  const Standing stands = standing(exhibit);
  const auto small = [](const std::string& text) { return text.empty() ? "" : "<small>" + text + "</small>"; };
  std::string statement =
      concat("<a href=\"#", escape_markup(exhibit.name), "\">", escape_markup(exhibit.title), "</a>");
  if (stands == Standing::failed)
    statement += small(escape_markup(exhibit.error));
  else if (stands != Standing::preview)
    statement += small(escape_markup(results.verdict()));
  if (const Check* check = stands == Standing::refuted ? failed_check(results) : nullptr)
    statement += small(concat("Does not hold: ", escape_markup(with_raised_powers(check->meaning)), ": predicted ",
                              rounded_text(check->predicted, 5), tolerance_of(*check), ", measured ",
                              rounded_text(check->measured, 5), "."));
  return "<tr" + std::string(stands == Standing::failed || stands == Standing::refuted ? " class=\"failed\">" : ">") +
         cell(statement) + cell(check_count(results.checks(), stands != Standing::preview)) +
         cell(verdict_word(exhibit)) +
         cell(exhibit.error.empty() ? fixed_text(exhibit.seconds, 1) + " s" : "\xE2\x80\x93") + "</tr>";
}

std::string statement_table(const std::vector<Exhibit>& exhibits) {
  std::string rows;
  for (const Exhibit& exhibit : exhibits) rows += statement_row(exhibit);
  return "<section class=\"text\" aria-label=\"Overview\"><div class=\"scroll\"><table class=\"statements\"><thead><tr>"
         "<th scope=\"col\">Question and claim</th><th scope=\"col\">Checks</th>"
         "<th scope=\"col\">Verdict</th><th scope=\"col\">Time</th></tr></thead><tbody>" +
         rows + "</tbody></table></div></section>\n";
}

std::string badge(const Exhibit& exhibit) {
  const std::vector<Check>& checks = exhibit.results.checks();
  if (checks.empty() || exhibit.results.found<Preview>()) return {};
  const auto failed = std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.holds(); });
  return failed == 0 ? concat("<span class=\"badge good\">\xE2\x9C\x93 ", checks.size(), " of ", checks.size(),
                              " checks hold</span>")
                     : concat("<span class=\"badge bad\">\xE2\x9C\x97 ", failed, " of ", checks.size(),
                              " checks FAILED</span>");
}

std::string drawings(const std::string& name, const Results& results) {
  const std::vector<SvgFigure> drawn = draw_figures(results);
  std::string text;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Figure& figure = results.figures()[i];
    if (!kind_named(figure).is_picture()) continue;
    text +=
        concat("<figure data-name=\"", escape_markup(name + "-" + drawn[i].name), "\"><div class=\"tools\">",
               "<button type=\"button\" data-save=\"SVG\">SVG</button><button type=\"button\" data-save=\"PNG\">PNG",
               "</button></div><div class=\"scroll\">", drawn[i].svg.substr(drawn[i].svg.find("<svg")),
               "</div><figcaption>", escape_markup(figure.caption), "</figcaption></figure>\n");
  }
  return text.empty() ? text : "<div class=\"drawings\">\n" + text + "</div>";
}

std::string exhibit_section(const Exhibit& exhibit) {
  const std::string name = escape_markup(exhibit.name);
  std::string text = concat("<section class=\"text exhibit\" id=\"", name, "\" aria-labelledby=\"title-", name,
                            "\"><h2 id=\"title-", name, "\">", escape_markup(exhibit.title), "</h2>");
  if (!exhibit.error.empty())
    return text + "<p class=\"sentence\"><span class=\"badge bad\">failed to run</span> " +
           escape_markup(exhibit.error) + "</p></section>\n";
  text += "<p class=\"sentence\">" + escape_markup(exhibit.results.verdict()) + "</p><p>" + badge(exhibit);
  if (!exhibit.report.empty())
    text += "<a href=\"" + escape_markup(exhibit.report) + "\">full report: numbers, checks, provenance</a>";
  return text + "</p>" + drawings(exhibit.name, exhibit.results) + "</section>\n";
}

}  // namespace

Standing standing(const Exhibit& exhibit) {
  const std::vector<Check>& checks = exhibit.results.checks();
  if (!exhibit.error.empty()) return Standing::failed;
  if (exhibit.results.found<Preview>()) return Standing::preview;
  if (checks.empty()) return Standing::unchecked;
  const bool all = std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.holds(); });
  return all ? Standing::holds : Standing::refuted;
}

std::string standings_text(const std::vector<Exhibit>& exhibits) {
  const auto count = [&](Standing wanted) {
    return std::count_if(exhibits.begin(), exhibits.end(),
                         [&](const Exhibit& exhibit) { return standing(exhibit) == wanted; });
  };
  const auto previews = count(Standing::preview), unchecked = count(Standing::unchecked);
  const std::ptrdiff_t judged = std::ssize(exhibits) - previews - unchecked;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (judged > 0) add(concat(count(Standing::holds), " of ", judged, judged == 1 ? " result holds" : " results hold"));
  if (unchecked > 0) add(concat(unchecked, " had nothing to check"));
  if (previews > 0) add(concat(counted(previews, "preview"), ", not judged"));
  return text;
}

const Check* failed_check(const Results& results) {
  for (const Check& check : results.checks())
    if (!check.holds()) return &check;
  return nullptr;
}

std::string draw_collection(const std::string& title, const std::vector<Exhibit>& exhibits) {
  std::string page = page_head(escape_markup(title), kCollectionStyle + drawings_style());
  page += concat("<body>\n<header class=\"top\"><div><p class=\"kicker\">Fovea \xC2\xB7 ", escape_markup(title),
                 "</p><h1>", standings_text(exhibits), "</h1></div>", kThemeButton, "</header>\n<main>\n<p></p>\n",
                 statement_table(exhibits));
  for (const Exhibit& exhibit : exhibits) page += exhibit_section(exhibit);
  return page + "</main>\n" + page_script(kCollectionJs) + "</body>\n</html>\n";
}

}  // namespace fovea
