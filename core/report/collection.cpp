#include "fovea/core/report/collection.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::string_view kCollectionStyle = R"(
.statements td:nth-child(n+2) { white-space: nowrap; }
.statements td:first-child { min-width: 300px; }
.statements small { display: block; color: var(--quiet); font-size: 13px; white-space: normal; max-width: 46ch; }
.statements .good { color: var(--good); font-weight: 600; }
.statements .bad { color: var(--bad); font-weight: 700; }
.exhibit { padding-bottom: 8px; }
.exhibit .sentence { font-size: 17px; max-width: 1000px; }
.exhibit .badge { margin-right: 12px; }
.drawings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 14px 18px;
  margin-top: 14px; }
.drawings figure { margin: 0; background: #fff; border-radius: 8px; }
.drawings figure:first-child:nth-last-child(odd) { grid-column: 1 / -1; width: 100%; max-width: 920px;
  justify-self: center; }
.drawings svg { display: block; width: 100%; height: auto; }
.drawings figcaption { padding: 6px 4px 10px; max-width: 75ch; }
)";

std::string verdict_word(const Exhibit& exhibit) {
  switch (standing(exhibit)) {
    case Standing::failed:
      return "<span class=\"bad\">\xE2\x9C\x97 failed to run</span>";
    case Standing::preview:
      return "preview, not judged";
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

std::string statement_row(const Exhibit& exhibit) {
  const Check* check = exhibit.error.empty() ? main_check(exhibit.results) : nullptr;
  std::string statement =
      concat("<a href=\"#", escape_markup(exhibit.name), "\">", escape_markup(exhibit.title), "</a>");
  if (check != nullptr) statement += "<small>" + escape_markup(with_raised_powers(check->meaning)) + "</small>";
  const std::string none = "\xE2\x80\x93";
  const Standing stands = standing(exhibit);
  return "<tr" + std::string(stands == Standing::failed || stands == Standing::refuted ? " class=\"failed\">" : ">") +
         cell(statement) + cell(check == nullptr ? none : rounded_text(check->predicted, 5) + tolerance_of(*check)) +
         cell(check == nullptr ? none : rounded_text(check->measured, 5)) + cell(verdict_word(exhibit)) +
         cell(exhibit.error.empty() ? fixed_text(exhibit.seconds, 1) + " s" : none) + "</tr>";
}

std::string statement_table(const std::vector<Exhibit>& exhibits) {
  std::string rows;
  for (const Exhibit& exhibit : exhibits) rows += statement_row(exhibit);
  return "<section class=\"text\" aria-label=\"Overview\"><div class=\"scroll\"><table class=\"statements\"><thead><tr>"
         "<th scope=\"col\">Statement</th><th scope=\"col\">Predicted</th><th scope=\"col\">Measured</th>"
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

std::string drawings(const Results& results) {
  const std::vector<SvgFigure> drawn = draw_figures(results);
  std::string text;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Figure& figure = results.figures()[i];
    if (!kind_named(figure).is_picture()) continue;
    text += "<figure>" + drawn[i].svg.substr(drawn[i].svg.find("<svg")) + "<figcaption>" +
            escape_markup(figure.caption) + "</figcaption></figure>\n";
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
  return text + "</p>" + drawings(exhibit.results) + "</section>\n";
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

const Check* main_check(const Results& results) {
  const bool judged = !results.found<Preview>();
  for (const Check& check : results.checks())
    if (judged && !check.holds()) return &check;
  return results.checks().empty() ? nullptr : &results.checks().front();
}

std::string draw_collection(const std::string& title, const std::vector<Exhibit>& exhibits) {
  std::string page = page_head(escape_markup(title), kCollectionStyle);
  page +=
      concat("<body>\n<header class=\"top\"><div><p class=\"kicker\">Fovea \xC2\xB7 ", escape_markup(title), "</p><h1>",
             standings_text(exhibits), "</h1></div></header>\n<main>\n<p></p>\n", statement_table(exhibits));
  for (const Exhibit& exhibit : exhibits) page += exhibit_section(exhibit);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace fovea
