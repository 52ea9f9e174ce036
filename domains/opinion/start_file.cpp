#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "fovea/core/error.hpp"
#include "fovea/core/lab/storage.hpp"
#include "fovea/domains/opinion/population_files.hpp"

namespace fovea::opinion {

namespace {

std::vector<std::string_view> split(std::string_view line, char at) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(at);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

struct Row {
  std::string node;
  std::vector<double> opinion;
  std::size_t line = 0;
};

double number(std::string_view text, const std::string& path, std::size_t line) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw DataError(concat(path, ":", line, ": the opinion is '", text, "', but must be a number."));
  return value;
}

std::vector<Row> read_rows(const std::string& path, std::size_t components) {
  const std::string bytes = read_file(path);
  std::vector<Row> rows;
  std::size_t line_number = 0;
  for (std::string_view line : split(bytes, '\n')) {
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = split(line, ',');
    if (fields.size() != components + 1)
      throw DataError(concat(path, ":", line_number, ": there are ", fields.size(), " columns, but must be ",
                             components + 1, ": node and ", components, " opinion(s) (model.components)."));
    if (line_number == 1) {
      if (fields[0] != "node")
        throw DataError(concat(path, ":1: the first column is '", fields[0], "', but must be 'node'; add a header."));
      continue;
    }
    Row row{std::string(fields[0]), {}, line_number};
    for (std::size_t c = 1; c < fields.size(); ++c) row.opinion.push_back(number(fields[c], path, line_number));
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) throw DataError(concat(path, ": there are ", rows.size(), " agents, but must be at least 2."));
  return rows;
}

/// The place of each row among the agents.
std::vector<Index> places(const std::vector<Row>& rows, const std::vector<std::string>& names, const std::string& path) {
  std::map<std::string, Index> place_of;
  for (std::size_t i = 0; i < names.size(); ++i) place_of[names[i]] = static_cast<Index>(i);
  std::vector<Index> place;
  std::vector<std::size_t> first_line(names.size(), 0);
  for (const Row& row : rows) {
    const auto found = place_of.find(row.node);
    if (found == place_of.end())
      throw DataError(concat(path, ":", row.line, ": the network has no node '", row.node, "'."));
    std::size_t& first = first_line[static_cast<std::size_t>(found->second)];
    if (first > 0)
      throw DataError(concat(path, ":", row.line, ": node '", row.node, "' was already given in line ", first, "."));
    first = row.line;
    place.push_back(found->second);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (first_line[i] == 0) throw DataError(concat(path, ": the opinion of node '", names[i], "' is missing."));
  return place;
}

}  // namespace

void read_start(const Config& config, Population& population) {
  const std::string& path = config.text("start.file");
  const auto components = static_cast<std::size_t>(config.integer("model.components"));
  const std::vector<Row> rows = read_rows(path, components);
  if (!population.graph)
    for (const Row& row : rows) population.names.push_back(row.node);
  const std::vector<Index> place = places(rows, population.names, path);
  population.anchors.resize(static_cast<Index>(rows.size()), static_cast<Index>(components));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < components; ++c)
      population.anchors(place[r], static_cast<Index>(c)) = rows[r].opinion[c];
}

}  // namespace fovea::opinion
