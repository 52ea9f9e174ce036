#include "fovea/datasets/rasters/scene_list.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/text.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr std::array<const char*, 6> kColumns{"scene", "s1", "s2", "labels", "split", "mask"};

std::string scene_name(const text::CsvReader& csv, std::set<std::string>& names) {
  const std::size_t column = csv.column("scene");
  const std::string name(text::trimmed(csv.text(column)));
  const bool is_name = !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
  if (!is_name)
    csv.refuse(column, concat("the scene's name is '", text::shown_text(name),
                              "', but must be that of a file, without '/' and not beginning with '.'."));
  if (!names.insert(name).second)
    csv.refuse(column, concat("the scene '", text::shown_text(name), "' is there twice; give each a name of its own."));
  return name;
}

std::string path_in(const text::CsvReader& csv, const char* name, const std::filesystem::path& folder) {
  if (!csv.has(name) || csv.empty(csv.column(name))) return {};
  const std::size_t column = csv.column(name);
  const std::string cell(text::trimmed(csv.text(column)));
  const std::filesystem::path path = folder / cell;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    csv.refuse(column, concat("there is no file '", text::shown_text(cell), "'; paths are relative to the list."));
  return path.string();
}

}  // namespace

std::vector<SceneEntry> read_scene_list(const std::string& path) {
  text::CsvOptions style = series::recognise_text(path).csv;
  style.header = true;
  text::CsvReader csv(path, style);
  for (const std::string& column : csv.columns())
    if (std::find(kColumns.begin(), kColumns.end(), column) == kColumns.end())
      throw DataError(concat(path, ": has the unknown column '", text::shown_text(column),
                             "'; a list of scenes has scene,s1,s2[,labels][,split][,mask]."));
  for (const char* name : {"scene", "s1", "s2"}) csv.column(name);
  const auto folder = std::filesystem::path(path).parent_path();
  std::vector<SceneEntry> scenes;
  std::set<std::string> names;
  while (csv.next()) {
    SceneEntry scene;
    scene.name = scene_name(csv, names);
    scene.s1 = path_in(csv, "s1", folder), scene.s2 = path_in(csv, "s2", folder);
    scene.labels = path_in(csv, "labels", folder), scene.split = path_in(csv, "split", folder);
    scene.mask = path_in(csv, "mask", folder);
    if (scene.s1.empty() && scene.s2.empty())
      csv.refuse(csv.column("s1"), "the scene has neither s1 nor s2; give at least one.");
    scenes.push_back(std::move(scene));
  }
  if (scenes.empty()) throw DataError(concat(path, ": has no scene; give at least one row."));
  return scenes;
}

}  // namespace fovea::datasets::rasters
