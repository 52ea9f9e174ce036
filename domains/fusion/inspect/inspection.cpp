#include "fovea/domains/fusion/inspect/inspection.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/domains/fusion/inspect/facts.hpp"

namespace fovea::fusion::inspect {

namespace {

bool knows(const std::string& path) {
  const datasets::FileKind kind = datasets::kind_of_file(path);
  return kind == datasets::FileKind::scenes || kind == datasets::FileKind::raster || is_stack(path);
}

std::string text_of(const std::vector<ImageFacts>& all, const std::string& file) {
  std::string text;
  if (all.size() > 1) text += concat(file, ": ", counted(std::ssize(all), "scene"), '\n');
  for (const ImageFacts& one : all) {
    text += one.name + '\n';
    for (const auto& [name, line] : one.lines) text += concat("  ", name, "  ", line, '\n');
    for (const std::string& note : one.notes) text += concat("  note: ", note, '\n');
  }
  return text;
}

Json json_of(const ImageFacts& one) {
  JsonObject lines;
  for (const auto& [name, line] : one.lines) lines.add(name, line);
  return JsonObject().add("name", one.name).add("holds", lines.done()).add("notes", json_texts(one.notes)).done();
}

std::string inspected(const Arguments& arguments, Form form, std::size_t) {
  std::string text;
  std::vector<Json> objects;
  for (const std::string& file : arguments.positional) {
    if (!knows(file))
      throw DataError(concat(file, ": is no list of scenes, GeoTIFF or stack of images; inspect it by itself."));
    const datasets::FileKind kind = datasets::kind_of_file(file);
    const std::vector<ImageFacts> all = kind == datasets::FileKind::scenes   ? facts_of_scenes(file)
                                        : kind == datasets::FileKind::raster ? std::vector{facts_of_geotiff(file)}
                                                                             : std::vector{facts_of_stack(file)};
    text += text_of(all, file);
    for (const ImageFacts& one : all) objects.push_back(json_of(one));
  }
  return form == Form::json ? JsonObject().add("images", json_list(objects)).done().text + '\n' : text;
}

}  // namespace

Inspection inspection() {
  return {"lists of scenes (CSV scene,s1,s2[,labels][,split][,mask]), GeoTIFFs, and stacks of dates (HDF5, netCDF-4)",
          {"fovea inspect scenes.csv", "fovea inspect S2.tif --json"},
          {},
          &knows,
          &inspected};
}

}  // namespace fovea::fusion::inspect
