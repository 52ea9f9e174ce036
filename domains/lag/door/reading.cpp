#include "fovea/domains/lag/door/reading.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/domains/lag/door/file_facts.hpp"

namespace fovea::lag::door {

namespace {

Json json_of(const SeriesFacts& series, bool grouped) {
  JsonObject one;
  one.add("name", series.name);
  if (grouped) one.add("group", series.group);
  one.add("values", series.rows - series.missing).add("missing", series.missing);
  return one.add("min", series.least).add("median", series.middle).add("max", series.most).done();
}

std::string as_json(const std::string& path, const datasets::series::SeriesFile& file) {
  JsonObject object;
  object.add("file", path).add("times", file.irregular() ? "uneven" : "even");
  if (!file.irregular())
    object.add("step", file.table.step)
        .add("unit", file.table.time_unit.empty() ? "steps" : file.table.time_unit)
        .add("rows", file.table.steps())
        .add("recordings", file.table.recording_starts.size());
  std::vector<Json> series;
  for (const SeriesFacts& one : facts_of(file).series) series.push_back(json_of(one, file.irregular()));
  return object.add("notes", json_texts(file.notes)).add("series", json_list(series)).done().text + '\n';
}

}  // namespace

std::string reading_output(const std::string& path, const datasets::series::SeriesFile& file, Form form,
                           std::size_t width) {
  if (form == Form::csv) throw UsageError("--explain-reading is text or --json, not --csv.");
  if (form == Form::json) return as_json(path, file);
  std::string text;
  for (const std::string& note : file.notes) text += in_lines(note, width);
  std::vector<std::vector<std::string>> rows{{"series", "values", "missing", "least", "median", "largest"}};
  for (const SeriesFacts& s : facts_of(file).series)
    rows.push_back({s.group.empty() ? s.name : concat(s.name, " (", s.group, ")"), concat(s.rows - s.missing),
                    concat(s.missing), concat(s.least), concat(s.middle), concat(s.most)});
  return text + "\n" + in_columns(rows, 1);
}

}  // namespace fovea::lag::door
