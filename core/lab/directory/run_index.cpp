#include "fovea/core/lab/directory/run_index.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fovea_page_assets.hpp>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/directory/run_table.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::string_view kMark = "<!-- the runs of a folder, by fovea -->\n";  ///< ends a page that may be replaced

constexpr std::string_view kIndexStyle = R"(
.runs th { white-space: normal; vertical-align: bottom; }
.runs th.number { max-width: 150px; }
.runs td { padding-top: 10px; padding-bottom: 10px; }
.runs td.number, .runs td.when { white-space: nowrap; }
.runs small { display: block; color: var(--quiet); font-size: 13px; }
.runs .picture { width: 150px; }
.runs img { display: block; width: 134px; height: 88px; object-fit: contain; background: #fff; border-radius: 6px;
  border: 1px solid var(--faint); }
.runs .who { min-width: 300px; max-width: 620px; overflow-wrap: anywhere; }
.runs .who a { font-weight: 600; }
.runs .keys { display: block; margin-top: 4px; font-size: 13px; }
.runs .keys code { background: var(--changed); border-radius: 4px; padding: 0 5px; margin-right: 3px; }
.runs .bad { color: var(--bad); font-weight: 600; }
.index .scroll { max-height: none; }
@media screen and (max-width: 760px) {
  .runs, .runs tbody, .runs tr, .runs td, .runs thead { display: block; }
  .runs thead tr { display: flex; flex-wrap: wrap; gap: 4px 14px; margin-bottom: 10px; }
  .runs th { position: static; border: 0; padding: 0; font-size: 13px; white-space: normal; }
  .runs th:first-child { display: none; }
  .runs tbody tr { border-top: 1px solid var(--edge); padding: 10px 0; }
  .runs td { border: 0; padding: 2px 0; display: flex; gap: 10px; justify-content: space-between; }
  .runs td[data-name]::before { content: attr(data-name); color: var(--quiet); }
  .runs td:not([data-name]) { display: block; }
  .runs td:empty { display: none; }
  .runs td.number, .runs td.when { text-align: right; white-space: normal; }
  .runs .picture, .runs .who { width: auto; min-width: 0; }
  .runs img { width: 100%; height: 180px; }
}
@media print {
  .runs tr { break-inside: avoid; }
  .index h2, .runs thead { break-after: avoid; }
  .runs .who { min-width: 160px; }
  .runs th.number { max-width: 80px; }
  .runs .picture { width: 110px; }
  .runs img { width: 100px; height: 66px; }
  .runs td:not(.who), .runs th { overflow-wrap: normal; }
}
)";

/// A name as a part of an address; the name of a folder may have any letters.
std::string address_of(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "-._~/";
  std::string text;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || kPlain.find(letter) != std::string_view::npos;
    if (plain)
      text += letter;
    else
      text += {'%', kDigits[code >> 4], kDigits[code & 15]};
  }
  return text;
}

std::string index_cell(const std::string& content, const std::string& name, const std::string& order,
                       const std::string& kind) {
  return concat("<td", kind.empty() ? "" : " class=\"" + kind + "\"",
                name.empty() ? "" : " data-name=\"" + escape_markup(name) + "\"",
                order.empty() ? "" : " data-order=\"" + escape_markup(order) + "\"", ">", content, "</td>");
}

std::string number_cell(const DigestNumber* number, const std::string& label) {
  if (number == nullptr) return "<td></td>";
  std::string text = escape_markup(number->text());
  if (number->count > 1) text += concat("<small>range of ", number->count, " values</small>");
  if (std::isfinite(number->predicted)) text += "<small>predicted " + rounded_text(number->predicted, 4) + "</small>";
  // What has no value sorts as what is not there.
  return index_cell("<span>" + text + "</span>", label, std::isnan(number->order()) ? "" : exact_text(number->order()),
                    "number");
}

std::string run_words(const RunStatus& run, const std::string& link) {
  // Without a title of its own a run is called by its folder: the experiment's summary is the same for all.
  const std::string name = escape_markup(run_name(run)), title = escape_markup(run.manifest.title);
  std::string text = concat("<a href=\"", link, "\">", title.empty() ? name : title, "</a>");
  if (!title.empty()) text += concat("<small><code>", name, "</code></small>");
  const std::string verdict = verdict_of(run);
  if (!verdict.empty()) text += "<small>" + escape_markup(verdict) + "</small>";
  std::string keys;
  if (run.manifest.digest)
    for (const DigestKey& key : run.manifest.digest->keys)
      keys +=
          concat("<code title=\"default: ", escape_markup(key.standard), "\">", escape_markup(key.text()), "</code> ");
  return keys.empty() ? text : text + "<span class=\"keys\">" + keys + "</span>";
}

std::string run_row(const RunTable& table, const RunStatus& run) {
  const Manifest& manifest = run.manifest;
  const std::string folder = address_of(run_name(run));
  const bool has_page = manifest.state == RunState::finished || manifest.state == RunState::incomplete;
  const std::string link = folder + (has_page ? "/report.html" : "/");
  const std::string picture = manifest.digest ? manifest.digest->picture : "";
  constexpr std::size_t kAtOnce = 60;  // what waits until it is seen is not on paper
  const bool lazy = table.runs.size() > kAtOnce;
  const std::string image =
      picture.empty()
          ? ""
          : concat("<a href=\"", link, "\" tabindex=\"-1\" aria-hidden=\"true\"><img ", lazy ? "loading=\"lazy\" " : "",
                   "alt=\"\" src=\"", folder, "/", address_of(picture), "\"></a>");
  std::string text = index_cell(image, "", "", "picture");
  text += index_cell(run_words(run, link), "", run.manifest.title + " " + run_name(run), "who");
  for (const std::string& label : table.numbers) text += number_cell(table.number(run, label), label);
  const bool well = run.state == "finished" || run.state == "running";
  text += index_cell(concat("<span", well ? "" : " class=\"bad\"", ">", run.state, "</span>"), "state", run.state, "");
  const std::string& since = manifest.ended.empty() ? manifest.started : manifest.ended;
  text += index_cell(concat("<time datetime=\"", escape_markup(since), "\">", escape_markup(since), "</time>"), "age",
                     exact_text(-age_seconds(run)), "when");
  return concat(
      "<tr>", text,
      index_cell(rounded_text(manifest.wall_seconds, 3) + " s", "time", exact_text(manifest.wall_seconds), "number"),
      "</tr>\n");
}

std::string index_section(const RunTable& table) {
  std::string head = "<th scope=\"col\" aria-label=\"figure\"></th>";
  const auto column = [&](const std::string& name, bool number) {
    head += concat("<th scope=\"col\"", number ? " class=\"number\"" : "", ">", escape_markup(name), "</th>");
  };
  column("run", false);
  for (const std::string& label : table.numbers)
    column(with_raised_powers(axis_label(label, table.units(label))), true);
  column("state", false);
  column("age", false);
  column("time", true);
  std::string rows;
  for (const RunStatus& run : table.runs) rows += run_row(table, run);
  const std::string id = "runs-" + escape_markup(table.experiment);
  return concat("<section class=\"text index\" aria-labelledby=\"", id, "\"><h2 id=\"", id, "\">",
                escape_markup(table.experiment), "</h2><div class=\"scroll\"><table class=\"runs\"><thead><tr>", head,
                "</tr></thead><tbody>\n", rows, "</tbody></table></div></section>\n");
}

std::string index_page(const std::string& folder, std::vector<RunStatus> runs) {
  const std::vector<RunTable> tables = run_tables(std::move(runs));
  std::size_t count = 0;
  std::string sections;
  for (const RunTable& table : tables) {
    count += table.runs.size();
    sections += index_section(table);
  }
  const std::string name = std::filesystem::absolute(folder).lexically_normal().string();
  const std::string title = escape_markup(counted(static_cast<std::int64_t>(count), "run"));
  return concat(page_head(title, kIndexStyle, "'self' file: data:"),
                "<body>\n<header class=\"top\"><div><p class=\"kicker\">Fovea \xC2\xB7 ", escape_markup(name),
                "</p><h1>", title, "</h1></div>", kThemeButton, "</header>\n<main>\n<p></p>\n", sections, "</main>\n",
                page_script(kIndexJs), "</body>\n</html>\n", kMark);
}

/// Held while the page is made and written, so that none is older than the runs that the one before it shows. Whoever
/// does not get it in time goes on without.
class IndexTurn {
 public:
  explicit IndexTurn(const std::string& folder) : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int kTurns = 200;
    for (int turn = 0; folder_.is_open() && ::flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && turn < kTurns; ++turn)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

 private:
  Descriptor folder_;
};

void write_index_of(const std::string& folder, std::size_t fewest) {
  const IndexTurn turn(folder);
  const Place place = Place(folder) / "index.html";
  refuse_link(place);
  if (exists(place) && !read_file(place).ends_with(kMark))
    throw DataError(concat(
        place, ": is no page of runs, and stays as it is; move it away, or put the runs into another ", "folder."));
  std::vector<RunStatus> runs = statuses_in(folder, true);
  if (runs.size() >= fewest) write_file(place, index_page(folder, std::move(runs)));
}

}  // namespace

std::string draw_run_index(const std::string& folder) { return index_page(folder, statuses_in(folder, true)); }

void write_run_index(const std::string& folder) { write_index_of(folder, 0); }

void renew_run_index(const std::string& folder) noexcept {
  constexpr std::size_t kSeveral = 2;
  try {
    write_index_of(folder, kSeveral);
  } catch (const std::exception&) {  // a page beside the runs is worth no run
  }
}

}  // namespace fovea
