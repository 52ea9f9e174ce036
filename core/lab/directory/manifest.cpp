#include "fovea/core/lab/directory/manifest.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kStates[] = {"running", "finished", "incomplete", "interrupted", "failed"};
constexpr const char* kVariables[] = {"OMP_NUM_THREADS", "OMP_PROC_BIND",    "OMP_DYNAMIC",       "OMP_THREAD_LIMIT",
                                      "OMP_WAIT_POLICY", "GOMP_SPINCOUNT",   "GLIBC_TUNABLES",    "LD_PRELOAD",
                                      "LC_ALL",          "HDF5_PLUGIN_PATH", "FOVEA_INSTRUCTIONS"};

RunState state_of(const std::string& text) {
  const auto* found = std::find(std::begin(kStates), std::end(kStates), text);
  if (found == std::end(kStates)) throw DataError(concat("'", text, "' is not a state of a run."));
  return static_cast<RunState>(found - std::begin(kStates));
}

OrderedJson build_json() {
  const Build info = build();
  const bool dirty = info.commit.find('+') != std::string::npos || info.commit.find("dirty") != std::string::npos;
  OrderedJson versions = OrderedJson::object();
  for (const Library& library : libraries())
    versions[library.name] = {{"compiled", library.compiled}, {"running", library.running}};
  return {{"version", info.version},   {"commit", info.commit}, {"uncommitted_changes", dirty},
          {"compiler", info.compiler}, {"flags", info.flags},   {"build_type", info.build_type},
          {"libraries", versions}};
}

OrderedJson machine_json() {
  const Machine here = machine();
  return {{"host", here.host},
          {"cpu", here.cpu},
          {"instruction_sets", here.instructions},
          {"kernels", here.kernels},
          {"kernel", here.kernel},
          {"processors", here.processors},
          {"memory_bytes", here.memory_bytes}};
}

OrderedJson files_json(const Manifest& manifest) {
  OrderedJson inputs = OrderedJson::array(), outputs = OrderedJson::array();
  for (const InputFile& file : manifest.inputs)
    inputs.push_back({{"key", file.key}, {"path", file.path}, {"bytes", file.size}, {"sha256", file.sha256}});
  for (const OutputFile& file : manifest.outputs)
    outputs.push_back({{"path", file.path}, {"bytes", file.size}, {"sha256", file.sha256}});
  return {{"inputs", inputs}, {"outputs", outputs}};
}

Manifest from_json(const OrderedJson& json) {
  Manifest manifest;
  manifest.experiment = json.at("experiment");
  manifest.result_version = json.at("result_version");
  manifest.title = json.at("title");
  manifest.identity = json.at("identity");
  manifest.content_hash = json.at("content_hash");
  manifest.seed = json.at("seed");
  manifest.state = state_of(json.at("state"));
  manifest.error = json.at("error");
  manifest.points = json.at("points");
  manifest.sweep = json.at("sweep");
  manifest.failed_points = json.at("failed_points");
  manifest.starts = json.at("starts");
  manifest.started = json.at("started");
  manifest.ended = json.at("ended");
  manifest.wall_seconds = json.at("wall_seconds");
  manifest.cpu_seconds = json.at("cpu_seconds");
  manifest.peak_memory_bytes = json.at("peak_memory_bytes");
  manifest.threads = json.at("threads");
  manifest.jobs = json.at("jobs");
  manifest.ranks = json.value("ranks", 1);
  manifest.command_line = json.at("command_line");
  manifest.folder = json.at("folder");
  for (const auto& [name, value] : json.at("environment").items()) manifest.environment[name] = value;
  for (const OrderedJson& file : json.at("files").at("inputs"))
    manifest.inputs.push_back({file.at("key"), file.at("path"), file.at("bytes"), file.at("sha256")});
  for (const OrderedJson& file : json.at("files").at("outputs"))
    manifest.outputs.push_back({file.at("path"), file.at("bytes"), file.at("sha256")});
  if (json.contains("digest")) manifest.digest = parse_digest(json.at("digest").dump());
  return manifest;
}

}  // namespace

std::string to_text(RunState state) { return kStates[static_cast<std::size_t>(state)]; }

std::string to_json(const Manifest& manifest) {
  OrderedJson json = {{"experiment", manifest.experiment},
                      {"result_version", manifest.result_version},
                      {"title", manifest.title},
                      {"identity", manifest.identity},
                      {"content_hash", manifest.content_hash},
                      {"seed", manifest.seed},
                      {"state", to_text(manifest.state)},
                      {"error", manifest.error},
                      {"points", manifest.points},
                      {"sweep", manifest.sweep},
                      {"failed_points", manifest.failed_points},
                      {"starts", manifest.starts},
                      {"started", manifest.started},
                      {"ended", manifest.ended},
                      {"wall_seconds", manifest.wall_seconds},
                      {"cpu_seconds", manifest.cpu_seconds},
                      {"peak_memory_bytes", manifest.peak_memory_bytes},
                      {"threads", manifest.threads},
                      {"jobs", manifest.jobs},
                      {"command_line", manifest.command_line},
                      {"folder", manifest.folder},
                      {"environment", manifest.environment},
                      {"fovea", build_json()},
                      {"machine", machine_json()},
                      {"files", files_json(manifest)}};
  if (manifest.ranks > 1) json["ranks"] = manifest.ranks;
  if (manifest.digest) json["digest"] = OrderedJson::parse(to_json(*manifest.digest));
  // A file name or an argument need not be UTF-8; it must not cost the manifest.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

Manifest parse_manifest(const std::string& json, const std::string& name) {
  try {
    return from_json(OrderedJson::parse(json));
  } catch (const OrderedJson::exception& error) {
    throw DataError(concat(name, ": is not a manifest of a run: ", error.what()));
  } catch (const DataError& error) {
    throw DataError(concat(name, ": ", error.what()));
  }
}

void write_manifest(const RunDirectory& directory, const Manifest& manifest) {
  write_file(directory.manifest(), to_json(manifest));
}

void write_digest(const RunDirectory& directory, const RunDigest& digest) {
  try {
    OrderedJson json = OrderedJson::parse(read_file(directory.manifest()));
    json["digest"] = OrderedJson::parse(to_json(digest));
    write_file(directory.manifest(), json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n');
  } catch (const OrderedJson::exception& error) {
    throw DataError(concat(directory.manifest(), ": is not a manifest of a run: ", error.what()));
  }
}

std::optional<Manifest> find_manifest(const RunDirectory& directory) {
  refuse_link(directory.manifest());
  if (!is_file(directory.manifest())) return std::nullopt;
  try {
    return parse_manifest(read_file(directory.manifest()), directory.manifest().path());
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

std::vector<OutputFile> output_files(const RunDirectory& directory) {
  std::vector<OutputFile> files;
  const auto add = [&](const std::string& name, const Place& place) {
    if (is_file(place)) files.push_back({name, file_size(place), sha256_of_file(place)});
  };
  for (const char* name : {"config.toml", "resolved.toml", "result.h5", "machine.h5", "report.html"})
    add(name, directory.file(name));
  for (const std::string& name : names_in(directory.figures())) add("figures/" + name, directory.figures() / name);
  return files;
}

void write_failure(const RunDirectory& point, const PointFailure& failure) {
  const OrderedJson json = {{"label", failure.label}, {"error", failure.error}, {"at", failure.at}};
  write_file(point.failure(), json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n');
}

std::optional<PointFailure> find_failure(const RunDirectory& point) {
  if (!is_file(point.failure())) return std::nullopt;
  try {
    const OrderedJson json = OrderedJson::parse(read_file(point.failure()));
    return PointFailure{json.at("label"), json.at("error"), json.at("at"), point.path()};
  } catch (const std::runtime_error&) {
    return std::nullopt;
  } catch (const OrderedJson::exception&) {
    return std::nullopt;
  }
}

std::map<std::string, std::string> relevant_environment() {
  std::map<std::string, std::string> found;
  for (const char* name : kVariables)
    if (const char* value = std::getenv(name)) found[name] = value;
  return found;
}

}  // namespace fovea
