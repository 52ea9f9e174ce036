#include "fovea/domains/study/inspect/inspection.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/cases/table_survey.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/series/dates.hpp"

namespace fovea::study::inspect {

namespace {

namespace cases = datasets::cases;
using cases::ColumnKind;
using cases::TableColumn;

/// "19 to 94", "f, m", "2015-01-05 to 2021-11-08".
std::string content_of(const TableColumn& column) {
  constexpr std::size_t kShownNames = 6;
  switch (column.kind) {
    case ColumnKind::number:
      return concat(rounded_text(column.low), " to ", rounded_text(column.high));
    case ColumnKind::date:
      return column.dates_are_open
                 ? "day/month or month/day: see data.dates"
                 : concat(datasets::series::date_text(column.low), " to ", datasets::series::date_text(column.high));
    case ColumnKind::names: {
      std::string text;
      std::size_t shown = 0;
      for (const auto& [name, count] : column.names)
        if (++shown <= kShownNames)
          text += concat(shown == 1 ? "" : ", ", datasets::text::shown_text(name), " (", count, ")");
      return column.names.size() > kShownNames ? text + ", ..." : text;
    }
    case ColumnKind::mixed:
      return concat(column.words, " words, the first '", column.odd, "' in row ", column.odd_row);
    case ColumnKind::empty:
    case ColumnKind::constant:
      return column.names.empty() ? "" : datasets::text::shown_text(column.names.begin()->first);
    default:
      return concat(column.distinct, " different");
  }
}

Json column_json(const TableColumn& column) {
  JsonObject object;
  object.add("name", column.name).add("unit", column.unit).add("holds", std::string(cases::name_of(column.kind)));
  object.add("missing", column.missing).add("distinct", column.distinct);
  if (column.numbers + column.dates > 0) object.add("low", column.low).add("high", column.high);
  if (column.kind == ColumnKind::names) {
    JsonObject names;
    for (const auto& [name, count] : column.names) names.add(name, count);
    object.add("names", names.done());
  }
  return object.done();
}

std::string survey_json(const cases::TableSurvey& survey) {
  std::vector<Json> columns;
  for (const TableColumn& column : survey.columns) columns.push_back(column_json(column));
  JsonObject object;
  object.add("file", survey.path).add("rows", survey.rows).add("columns", json_list(columns));
  object.add("notes", json_texts(survey.notes));
  return object.done().text + '\n';
}

std::string survey_text(const cases::TableSurvey& survey, std::size_t width) {
  std::vector<std::vector<std::string>> rows{{"column", "unit", "holds", "", "missing"}};
  for (const TableColumn& column : survey.columns)
    rows.push_back({datasets::text::shown_text(column.name), column.unit == "1" ? "" : column.unit,
                    cases::name_of(column.kind), content_of(column),
                    column.missing > 0 ? std::to_string(column.missing) : ""});
  std::string text = concat(survey.path, ": a table of ", counted(survey.rows, "row"), " and ",
                            counted(std::ssize(survey.columns), "column"), ".\n");
  for (const std::string& note : survey.notes) text += in_lines(note, width);
  text += in_columns(rows, 4);
  const auto is_of_use = [](const TableColumn& one) {
    return one.kind == ColumnKind::number || one.kind == ColumnKind::date || one.kind == ColumnKind::names;
  };
  if (std::count_if(survey.columns.begin(), survey.columns.end(), is_of_use) >= 2)
    text += "To predict a column from the others: fovea run study.table --set " +
            shell_word("data.file=" + survey.path) + " --set data.target=COLUMN\n";
  return text;
}

std::string text_of(const Arguments& arguments, Form form, std::size_t width) {
  std::string text;
  for (const std::string& path : arguments.positional) {
    const cases::TableSurvey survey = cases::survey_table(path, {});
    text += form == Form::json ? survey_json(survey) : survey_text(survey, width);
  }
  return text;
}

bool is_table(const std::string& path) {
  const datasets::FileKind kind = datasets::kind_of_file(path);
  return kind != datasets::FileKind::unknown && kind != datasets::FileKind::config &&
         kind != datasets::FileKind::graph && kind != datasets::FileKind::raster && kind != datasets::FileKind::image;
}

}  // namespace

Inspection inspection() {
  return {"any other table with names of columns: CSV and other text (also .gz)",
          {"fovea inspect mine.csv"},
          {},
          &is_table,
          &text_of,
          true};
}

}  // namespace fovea::study::inspect
