#include "fovea/core/report/page_text.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_markup.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostCards = 6;  ///< of one headline that has a value for each of several sweep points

double value_at(const Dataset& data, const std::string& name, const Selection& selection) {
  if (name.empty()) return std::nan("");
  const Averaged array = squeezed(averaged(data, name), {});
  return array.mean.empty() ? std::nan("") : array.mean[array.position(selection)];
}

/// "measured 0.12 % above"
std::string deviation(double measured, double predicted) {
  if (!std::isfinite(measured) || !std::isfinite(predicted) || predicted == 0) return {};
  const double percent = (measured / predicted - 1) * 100;
  if (std::abs(percent) < 1e-6) return "equal";
  return concat("measured ", rounded_text(std::abs(percent), 2), " % ", percent > 0 ? "above" : "below");
}

/// ", tolerance 1 %" where a check compares the number.
std::string tolerance_of(const std::vector<Check>& checks, const std::string& name) {
  const auto check = std::find_if(checks.begin(), checks.end(), [&](const Check& one) { return one.name == name; });
  return check == checks.end() ? "" : ", tolerance " + tolerance_text(*check);
}

std::string card(const Dataset& data, const std::vector<Check>& checks, const Headline& headline, const Averaged& array,
                 const Selection& at, const std::string& where) {
  const std::size_t position = array.position(at);
  const double value = array.mean[position];
  const double half_width = value_at(data, headline.half_width, at);
  const double spread = array.error.empty() || !std::isfinite(array.error[position]) ? 0 : array.error[position];
  // Replicas that agree to the last digit still know the number only as well as the bracket does.
  const double error = std::max(spread, std::isfinite(half_width) && spread == 0 ? half_width : 0);
  std::string units =
      array.units.empty() || array.units == "1" || std::isnan(value)
          ? ""
          : " " + tag("span", escape_markup(array.units == "step" && value != 1 ? "steps" : array.units),
                      "class=\"units\"");
  std::string text = tag("p", escape_markup(headline.label + where), "class=\"label\"");
  const bool least = array.is_least(position);
  text += tag("p", (least ? "\xE2\x89\xA4 " : "") + escape_markup(text_with_error(value, error)) + units,
              "class=\"value\"");
  if (least) text += tag("p", kLeastP, "class=\"kind\"");
  if (const double predicted = value_at(data, headline.predicted, at); std::isfinite(predicted)) {
    const std::string off = deviation(value, predicted);
    text += tag("p",
                "predicted " + tag("b", rounded_text(predicted, 5)) + (off.empty() ? "" : " \xC2\xB7 " + off) +
                    tolerance_of(checks, headline.check),
                "class=\"predicted\"");
  }
  if (error > 0) {
    const std::string of = spread > 0 ? concat("standard error over ", array.replicas, " seeds")
                                      : escape_markup(averaged(data, headline.half_width).meaning);
    text += tag("p", "\xC2\xB1 " + of, "class=\"kind\"");
  }
  if (!headline.meaning.empty()) text += tag("p", escape_markup(headline.meaning), "class=\"meaning\"");
  return tag("article", text, "class=\"card\"");
}

/// Where a value stands among the dimensions it has: ", cooling" or ", temperature T = 0.1".
std::string place_text(const Dataset& data, const Averaged& array, const Selection& at) {
  std::string text;
  for (const std::string& name : array.dimensions) {
    const Averaged coordinate = coordinate_of(data, name);
    const std::size_t i = at.at(name);
    text += ", " + (coordinate.words.empty() ? coordinate.label + " = " + rounded_text(coordinate.mean[i])
                                             : coordinate.words[i]);
  }
  return text;
}

Selection selection_of(const Averaged& array, std::size_t position) {
  Selection at;
  for (std::size_t i = array.shape.size(); i-- > 0;) {
    at[array.dimensions[i]] = position % array.shape[i];
    position /= array.shape[i];
  }
  return at;
}

std::string range_card(const Headline& headline, const Averaged& array) {
  double low = INFINITY, high = -INFINITY;
  std::size_t count = 0;
  for (const double value : array.mean) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value), ++count;
  }
  std::string text = tag("p", escape_markup(headline.label), "class=\"label\"");
  text += tag("p", rounded_text(low, 3) + " to " + rounded_text(high, 3), "class=\"value\"");
  text += tag("p",
              concat("range over ", count, count < array.mean.size() ? concat(" of ", array.mean.size()) : "",
                     " points", count < array.mean.size() ? "; the others have no value" : ""),
              "class=\"kind\"");
  return tag("article", text + tag("p", escape_markup(headline.meaning), "class=\"meaning\""), "class=\"card\"");
}

/// Whether it varies over numbers, at more than a few points, so that a curve or a map tells more than cards: swept
/// keys.
bool varies_over_numbers(const Dataset& data, const Averaged& array) {
  constexpr std::size_t kFew = 3;
  bool numbers = false;
  for (const std::string& dimension : array.dimensions)
    numbers = numbers || coordinate_of(data, dimension).words.empty();
  return numbers && array.mean.size() > kFew;
}

std::string cards(const Results& results, const Headline& headline) {
  const Dataset& data = results.data;
  if (!data.has(headline.variable)) return {};
  const Averaged array = squeezed(averaged(data, headline.variable), {});
  std::size_t finite = 0;
  for (const double value : array.mean) finite += std::isfinite(value) ? 1 : 0;
  if (finite > kMostCards || (finite > 0 && varies_over_numbers(data, array))) return range_card(headline, array);
  std::string text;
  for (std::size_t i = 0; i < array.mean.size(); ++i) {
    if (!std::isfinite(array.mean[i]) && finite > 0) continue;
    const Selection at = selection_of(array, i);
    text += card(data, results.checks(), headline, array, at, place_text(data, array, at));
    if (finite == 0) break;
  }
  return text;
}

std::vector<std::string> failed_checks(const Results& results) {
  std::vector<std::string> names;
  for (const Check& check : results.checks()) {
    if (!check.holds()) names.push_back(check.name);
  }
  return names;
}

/// How many checks try the model on cases of their own, and say nothing of this run: those called self_test_.
std::string self_tests(const std::vector<Check>& checks) {
  const auto count = std::count_if(checks.begin(), checks.end(),
                                   [](const Check& check) { return check.name.starts_with("self_test_"); });
  if (count == 0) return {};
  return count == static_cast<std::ptrdiff_t>(checks.size())
             ? concat(count == 1 ? "; it is a self-test" : "; all are self-tests", " of the model")
             : concat("; ", count, count == 1 ? " of them is a self-test" : " of them are self-tests", " of the model");
}

/// "a, b, c and 2 more"
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kNamed ? concat(text, " and ", names.size() - kNamed, " more") : text;
}

std::string document(const Results& results, const std::string& name) {
  const auto found = results.data.documents.find(name);
  return found == results.data.documents.end() ? "" : found->second;
}

/// The first figure is the main one and takes the whole width, so does a kind that asks for it. Others stand in pairs:
/// of an odd number of them in a row one takes the whole width, one that rather has it or else the last, so that no
/// half is left empty and the figures stand in their order. Of one fold, where none is the main one.
std::vector<bool> wide_figures(const std::vector<const Figure*>& figures, bool has_main) {
  std::vector<bool> wide;
  const auto room = [&](std::size_t i) { return kind_named(*figures[i]).room(*figures[i]); };
  for (std::size_t i = 0; i < figures.size(); ++i)
    wide.push_back((has_main && i == 0) || room(i) == FigureKind::Room::whole);
  for (std::size_t from = 0; from < wide.size(); ++from) {
    const auto start = wide.begin() + static_cast<std::ptrdiff_t>(from);
    const std::size_t end = from + static_cast<std::size_t>(std::find(start, wide.end(), true) - start);
    std::size_t alone = from;  // with pairs alone before and behind it
    while (alone + 2 < end && room(alone) != FigureKind::Room::whole_rather) alone += 2;
    if ((end - from) % 2 == 1) wide[alone] = true;
    from = end;
  }
  return wide;
}

/// The panels under one heading, which is empty for those that are not folded; `shown` counts them as they are read.
std::string panels(const std::vector<Figure>& all, const std::string& fold, std::size_t& shown) {
  std::vector<const Figure*> figures;
  for (const Figure& figure : all)
    if (figure.fold == fold) figures.push_back(&figure);
  const std::vector<bool> wide = wide_figures(figures, fold.empty());
  std::string text;
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += concat("<figure class=\"panel", wide[i] ? " wide" : "", "\" data-figure=\"", figures[i] - all.data(),
                   "\"><header><h3>", escape_markup(figures[i]->title),
                   "</h3><div class=\"tools\"></div></header><div class=\"where\" aria-live=\"polite\"></div><div "
                   "class=\"plot\"></div><figcaption><b>Figure ",
                   ++shown, ".</b> ", escape_markup(figures[i]->caption),
                   " <span class=\"note\"></span></figcaption></figure>\n");
  return text;
}

/// Headings in the order in which they first appear.
std::vector<std::string> folds_of(const std::vector<Figure>& figures) {
  std::vector<std::string> folds;
  for (const Figure& figure : figures)
    if (!figure.fold.empty() && std::find(folds.begin(), folds.end(), figure.fold) == folds.end())
      folds.push_back(figure.fold);
  return folds;
}

/// What the run chose, and what it left as it is; without known defaults all of them are chosen.
struct ConfigKeys {
  bool defaults_known = false;
  std::vector<ConfigLine> chosen, standard;
};

ConfigKeys config_keys(const Results& results) {
  const std::string defaults = document(results, "defaults_toml");
  std::vector<ConfigLine> lines = config_lines(document(results, "resolved_toml"), defaults);
  if (defaults.empty()) return {false, std::move(lines), {}};
  ConfigKeys keys{true, {}, {}};
  for (ConfigLine& line : lines) {
    const bool chosen = line.changed || line.swept || line.standard.empty();
    if (line.key != "experiment" && line.key != "title")
      (chosen ? keys.chosen : keys.standard).push_back(std::move(line));
  }
  std::stable_partition(keys.chosen.begin(), keys.chosen.end(), [](const ConfigLine& line) { return line.changed; });
  return keys;
}

std::string config_rows(const std::vector<ConfigLine>& lines, bool with_default) {
  std::string rows;
  for (const ConfigLine& line : lines) {
    const std::string swept = line.swept ? " " + tag("span", "swept", "class=\"swept\"") : "";
    std::vector<std::string> cells{tag("code", escape_markup(line.key)),
                                   tag("code", escape_markup(line.value)) + swept};
    if (with_default) cells.push_back(tag("code", escape_markup(line.standard)));
    rows += row(cells, line.changed ? "class=\"changed\"" : "");
  }
  return rows;
}

}  // namespace

std::string warning_section(const Results& results) {
  std::string items;
  for (const std::string& warning : results.warnings()) items += tag("li", escape_markup(warning));
  return items.empty() ? "" : tag("section", tag("ul", items), "class=\"warnings\" aria-label=\"Warnings\"") + "\n";
}

std::string reading_section(const Results& results) {
  std::string items;
  for (const std::string& sentence : results.reading()) items += tag("li", escape_markup(sentence));
  return items.empty() ? "" : tag("section", tag("ul", items), "class=\"reading\" aria-label=\"What was read\"") + "\n";
}

std::string verdict_section(const Results& results) {
  std::string text;
  if (!results.verdict().empty()) text += tag("p", escape_markup(results.verdict()), "class=\"sentence\"");
  const std::size_t all = results.checks().size();
  const std::vector<std::string> failed = failed_checks(results);
  if (all > 0 && results.found<Preview>()) {
    text += tag("p", tag("a", concat(counted(all, "check"), ", not judged"), "class=\"badge\" href=\"#checks\""));
  } else if (all > 0) {
    const std::string said =
        failed.empty() ? concat("\xE2\x9C\x93 ", all, " of ", all, all == 1 ? " check holds" : " checks hold",
                                self_tests(results.checks()))
                       : concat("\xE2\x9C\x97 ", failed.size(), " of ", all,
                                all == 1 ? " check FAILED: " : " checks FAILED: ", escape_markup(first_of(failed)));
    text += tag("p", tag("a", said, concat("class=\"badge ", failed.empty() ? "good" : "bad", "\" href=\"#checks\"")));
  }
  return text.empty() ? "" : tag("section", text, "class=\"verdict\" aria-label=\"Verdict\"") + "\n";
}

std::string headline_section(const Results& results) {
  std::string text;
  for (const Headline& headline : results.headlines()) text += cards(results, headline);
  return text.empty() ? "" : tag("section", text, "class=\"cards\" aria-label=\"Headline figures\"") + "\n";
}

std::string figure_section(const Results& results) {
  if (results.figures().empty()) return {};
  std::size_t shown = 0;
  std::string text = panels(results.figures(), "", shown);
  for (const std::string& fold : folds_of(results.figures()))
    text += concat("<details class=\"fold\"><summary>", escape_markup(fold), "</summary><div class=\"figures\">\n",
                   panels(results.figures(), fold, shown), "</div></details>\n");
  return concat(
      "<div id=\"controls\" role=\"group\" aria-label=\"Choose what the figures show\" hidden></div>\n<section "
      "class=\"figures\" aria-label=\"Figures\">\n",
      text,
      "</section>\n<noscript><p>The figures need JavaScript; they are also stored as SVG files next to this "
      "page.</p></noscript>\n");
}

std::string sheet_section(const Results& results) {
  constexpr std::size_t kShownFacts = 3;  // of several points
  const std::vector<SheetLine>& lines = results.sheet();
  std::string rows;
  std::size_t items = 0, filled = 0;
  for (auto line = lines.begin(); line != lines.end();) {
    const auto end = std::find_if(line, lines.end(), [&](const SheetLine& other) { return other.item != line->item; });
    std::string facts;
    for (auto one = line; one != end && one < line + kShownFacts; ++one)
      facts += concat(facts.empty() ? "" : "<br>", escape_markup(one->fact));
    if (end - line > static_cast<std::ptrdiff_t>(kShownFacts))
      facts += concat("<br>and ", end - line - kShownFacts, " more, of other points of the sweep");
    ++items, filled += facts.empty() ? 0 : 1;
    rows += row({tag("b", escape_markup(line->item)), escape_markup(line->asks),
                 facts.empty() ? tag("i", "yours to write") : facts});
    line = end;
  }
  if (rows.empty()) return {};
  return tag("details",
             concat("<summary>What a report needs: ", filled, " of ", items,
                    " items of TRIPOD+AI have something from this run</summary><div class=\"text\"><p>The items of the "
                    "guideline for reports of clinical prediction models (Collins et al. 2024, BMJ 385:e078378), in "
                    "short; in reports of other subjects what is about patients has no place.</p>",
                    table({"Item", "What it asks for", "This run"}, rows, "sheet"), "</div>"),
             "class=\"fold\"") +
         "\n";
}

std::string note_section(const Results& results) {
  std::string items;
  for (const std::string& note : results.notes()) items += tag("li", escape_markup(with_raised_powers(note)));
  return items.empty() ? "" : section("Notes", "notes", tag("ul", items));
}

std::string config_section(const Results& results) {
  const ConfigKeys keys = config_keys(results);
  if (keys.defaults_known) {
    if (keys.chosen.empty() && keys.standard.empty()) return {};
    const auto changed =
        std::count_if(keys.chosen.begin(), keys.chosen.end(), [](const ConfigLine& line) { return line.changed; });
    std::string text = tag("p", concat(changed, changed == 1 ? " key differs" : " keys differ", " from the default."));
    if (!keys.chosen.empty()) text += table({"Key", "Value", "Default"}, config_rows(keys.chosen, true), "config");
    return section("Configuration", "config", text);
  }
  if (keys.chosen.empty()) return {};
  return section("Configuration", "config", table({"Key", "Value"}, config_rows(keys.chosen, false), "config"));
}

std::string standard_keys_fold(const Results& results) {
  const std::vector<ConfigLine> standard = config_keys(results).standard;
  if (standard.empty()) return {};
  return tag("details", tag("summary", concat(standard.size(), standard.size() == 1 ? " key has its default"
                                                                                    : " keys have their default")) +
                            table({"Key", "Value"}, config_rows(standard, false), "config"));
}

std::string rerun_section(const std::string& command) {
  if (command.empty()) return {};
  return section("How to reproduce this result", "rerun",
                 tag("div",
                     tag("pre", tag("code", escape_markup(command)), "class=\"command\"") +
                         tag("button", "Copy", "type=\"button\" class=\"copy\""),
                     "class=\"rerun\""));
}

}  // namespace fovea
