#include "fovea/domains/fusion/maps/scene_maps.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/predict/unfamiliar.hpp"
#include "fovea/domains/fusion/maps/window_maps.hpp"

namespace fovea::fusion::maps {

namespace {

namespace fs = std::filesystem;
using datasets::rasters::Scene;
using datasets::rasters::SceneEntry;
using datasets::rasters::SceneFacts;
using datasets::rasters::SceneRules;
using datasets::rasters::Window;

constexpr std::size_t kShownColumns = 3;  // of those that lie outside most often
constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kOfProcess = 64 * kMegabyte;  // program, libraries, model, tiles that wait for their turn
constexpr std::size_t kOfThread = 36 * kMegabyte;   // a window of input, of answers, and what is computed of it

/// Size and time of a file: who goes on must find the same.
std::string identity_of(const std::string& path) {
  struct stat info {};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return "none";
  return concat(info.st_size, ' ', info.st_mtim.tv_sec, ' ', info.st_mtim.tv_nsec);
}

/// A scene of the list, its files and what its map depends on.
struct SceneJob {
  SceneEntry entry;
  std::string map, mark;  ///< the class map; a file that says that the scene is done
  std::string key;
  SceneFacts facts = {};
};

std::string mark_text(const SceneJob& job) {
  return concat(job.key, '\n', identity_of(job.map), '\n', identity_of(layers_path(job.map)), '\n');
}

bool is_done(const SceneJob& job) {
  const Place mark(job.mark);
  return is_file(mark) && is_file(job.map) && is_file(layers_path(job.map)) && read_file(mark) == mark_text(job);
}

SceneRules rules_of(const ScenePlan& plan, std::size_t cache) {
  SceneRules rules = flood::rules_of(plan.reading);
  rules.cache = cache;
  return rules;
}

/// Of a scene that was looked at: its units are known to be those that are wanted, or were stated.
SceneRules known_rules(const ScenePlan& plan, std::size_t cache) {
  SceneRules rules = rules_of(plan, cache);
  if (!rules.s1_stated) rules.s1_stated = rules.s1_unit;
  if (!rules.s2_stated) rules.s2_stated = rules.s2_unit;
  return rules;
}

class SceneMaps {
 public:
  SceneMaps(const study::TrainedModel& model, const ScenePlan& plan, const study::MapRequest& request)
      : plan_(plan), request_(request), network_(request.model, model, plan.target, names_of(plan.columns)) {}

  std::vector<std::string> write() {
    std::vector<std::string> said;
    const std::vector<SceneJob> jobs = readable(said);
    make_folder(Place(request_.output));
    Index done = 0, mapped = 0;
    for (const SceneJob& job : jobs) {
      if (is_done(job))
        ++done;
      else if (flood::reads_scene(job.entry.name, listed_, plan_.reading, said, [&] { map(job, said); }))
        ++mapped, write_file(Place(job.mark), mark_text(job));
      else
        drop_begun(job);
    }
    for (const SceneJob& job : jobs) discard(Place(job.mark));
    if (done + mapped == 0) throw DataError(concat(request_.data, ": no scene can be read: ", said.back()));
    if (done > 0) said.push_back(concat(counted(done, "scene"), " had been mapped before the stop"));
    said.push_back(concat(counted(done + mapped, "scene"), " mapped, ", counted(pixels_, "pixel"), " of them now"));
    return said;
  }

 private:
  /// All are examined first: what is wrong with the last is reported at once.
  std::vector<SceneJob> readable(std::vector<std::string>& said) {
    std::vector<SceneJob> jobs = jobs_of_list(), good;
    listed_ = jobs.size();
    for (SceneJob& job : jobs) {
      if (!flood::reads_scene(job.entry.name, listed_, plan_.reading, said,
                              [&] { job.facts = Scene(job.entry, rules_of(plan_, request_.memory / 4)).facts(); }))
        continue;
      said.insert(said.end(), job.facts.notes.begin(), job.facts.notes.end());
      threads_for(job.facts.largest_piece);
      good.push_back(std::move(job));
    }
    return good;
  }

  /// What stands of a map that nobody will go on with (raster_writer.hpp).
  static void drop_begun(const SceneJob& job) {
    for (const fs::path path : {job.map, layers_path(job.map)})
      for (const char* end : {".part", ".part.tiles"})
        discard(Place((path.parent_path() / ("." + path.filename().string() + end)).string()));
  }

  static std::array<std::vector<std::string>, 2> names_of(const flood::ColumnPlan& columns) {
    std::array<std::vector<std::string>, 2> names;
    for (const auto& [name, unit] : columns.names())
      names[std::ssize(names[0]) < columns.s1_columns() ? 0 : 1].push_back(name);
    return names;
  }

  std::vector<SceneJob> jobs_of_list() const {
    const fs::path folder(request_.output);
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
      throw DataError(concat(request_.output, ": is a file, but maps of scenes go into a folder; name one."));
    std::vector<SceneJob> jobs;
    std::set<std::string> written;
    for (SceneEntry entry : datasets::rasters::read_scene_list(request_.data)) {
      entry.labels.clear(), entry.split.clear();
      SceneJob job{
          entry, (folder / (entry.name + ".tif")).string(), (folder / ("." + entry.name + ".done")).string(), {}};
      for (const std::string& path : {job.map, layers_path(job.map)})
        if (!written.insert(path).second)
          throw DataError(concat(request_.data, ": scene ", entry.name, " would be written to ", path,
                                 ", where another scene is; rename one of them."));
      job.key = sha256(concat("maps of scenes 1\n", request_.model_hash, '\n', plan_.reading.s1_unit, '\n',
                              plan_.reading.s2_unit, '\n', identity_of(entry.s1), '\n', identity_of(entry.s2), '\n',
                              identity_of(entry.mask)));
      jobs.push_back(std::move(job));
    }
    for (const SceneJob& job : jobs)
      for (const std::string& input : {job.entry.s1, job.entry.s2, job.entry.mask})
        for (const std::string& path : written)
          if (!input.empty() && fs::equivalent(input, path, ignored))
            throw DataError(concat(request_.data, ": the map ", path, " would be written over ", input,
                                   ", which is read; give another folder (-o)."));
    return jobs;
  }

  /// As many threads as the memory has room for.
  Index threads_for(std::size_t piece) const {
    const std::size_t each = kOfThread + 3 * piece;
    if (kOfProcess + each > request_.memory) {
      const std::size_t needed = (kOfProcess + each) / kMegabyte + 1;
      throw DataError(concat(request_.data, ": its files are packed in pieces of ", piece / kMegabyte,
                             " MB, for which --memory must be at least ", needed,
                             "M; give it, or write them in tiles (gdal_translate -co TILED=YES)."));
    }
    return std::clamp<Index>(static_cast<Index>((request_.memory - kOfProcess) / each), 1, thread_count());
  }

  /// What of the scene has no data, and what is unlike the training.
  void say_counts(const SceneJob& job, const WindowMapper::Counts& counts, std::vector<std::string>& said) const {
    const Index seen = counts.pixels - counts.no_data;
    const std::string scene =
        concat("scene ", job.entry.name,
               counts.pixels < job.facts.rows * job.facts.columns ? " (what was not yet mapped before the stop)" : "");
    if (counts.no_data > 0)
      said.push_back(
          concat(scene, ": no data, and so no class, at ", counts.no_data, " of ", counted(counts.pixels, "pixel")));
    const study::UnfamiliarCases unlike{scene, "pixel", counts.unfamiliar, seen, true};
    if (!unlike.holds()) return;
    said.push_back("warning: " + unlike.sentence());
    std::vector<std::pair<Index, std::string>> columns;
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t c = 0; c < counts.outside[s].size(); ++c)
        columns.emplace_back(counts.outside[s][c], network_.column_name(s, c));
    std::stable_sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text = scene + ": outside the training range are most often ";
    for (std::size_t k = 0; k < std::min(kShownColumns, columns.size()) && columns[k].first > 0; ++k)
      text += concat(k == 0 ? "" : ", ", columns[k].second, " (",
                     fixed_text(100 * static_cast<double>(columns[k].first) / static_cast<double>(seen), 0), " %)");
    said.push_back(text);
  }

  void map(const SceneJob& job, std::vector<std::string>& said) {
    const SceneFacts& facts = job.facts;
    const Index threads = threads_for(facts.largest_piece);
    const std::size_t cache = (request_.memory - kOfProcess) / threads - kOfThread;
    MapFiles files(job.map, {facts.rows, facts.columns, facts.place, plan_.classes, job.key});
    std::vector<std::unique_ptr<WindowMapper>> mappers;
    for (Index t = 0; t < threads; ++t)
      mappers.push_back(std::make_unique<WindowMapper>(job.entry, known_rules(plan_, cache), plan_.columns, network_,
                                                       MapNumbers{plan_.classes, files.no_data()}));
    for (Index row = files.first_row(); row < facts.rows; row += MapFiles::tile())
      map_rows({row, 0, std::min(MapFiles::tile(), facts.rows - row), facts.columns}, mappers, files, job);
    files.finish();
    WindowMapper::Counts counts;
    for (const std::unique_ptr<WindowMapper>& mapper : mappers) counts += mapper->counts();
    say_counts(job, counts, said);
  }

  /// A row of tiles: each thread goes along its own part of the columns, so that it finds in its cache what it has
  /// read.
  void map_rows(const Window& rows, const std::vector<std::unique_ptr<WindowMapper>>& mappers, MapFiles& files,
                const SceneJob& job) {
    const Index windows = (rows.columns + plan_.window - 1) / plan_.window, threads = std::ssize(mappers);
    const Index steps = (windows + threads - 1) / threads;
    std::vector<MapFiles::Packed> made(mappers.size());
    for (Index step = 0; step < steps; ++step) {
      if (process_stop_flag().load() != 0)
        throw Interrupted(concat("stopped within ", job.map, "; the same command goes on there."));
      for_each_task(threads, true, [&](Index t) {
        const Index number = t * steps + step, first = number * plan_.window;
        if (number >= windows) return;
        const Window window{rows.row, first, rows.rows, std::min(plan_.window, rows.columns - first)};
        made[t] = files.packed(mappers[t]->map(window));
      });
      for (MapFiles::Packed& packed : made) files.put(std::exchange(packed, {}));
    }
    pixels_ += rows.pixels();
  }

  const ScenePlan& plan_;
  const study::MapRequest& request_;
  PixelNetwork network_;
  std::size_t listed_ = 0;
  Index pixels_ = 0;
};

}  // namespace

std::vector<std::string> write_scene_maps(const study::TrainedModel& model, const ScenePlan& plan,
                                          const study::MapRequest& request) {
  return SceneMaps(model, plan, request).write();
}

}  // namespace fovea::fusion::maps
