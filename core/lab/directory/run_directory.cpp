#include "fovea/core/lab/directory/run_directory.hpp"

#include <fcntl.h>

#include <array>
#include <ctime>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/manifest.hpp"

namespace fovea {

namespace {

bool is_hash(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

RunDirectory run_directory(const std::string& output, const std::string& experiment, const std::string& identity) {
  const std::string folder = output.empty() ? "." : output;
  RunDirectory directory(folder + '/' + experiment + '-' + identity.substr(0, 8));
  const std::optional<Manifest> there = find_manifest(directory);
  if (!there || there->identity == identity) return directory;
  return RunDirectory(folder + '/' + experiment + '-' + identity.substr(0, 16));
}

void write_done(const RunDirectory& directory, const Done& done) {
  write_file(directory.done(),
             concat("identity ", done.identity, "\ncontent ", done.content_hash, "\nresult.h5 ", done.result_hash,
                    "\nfinished ", done.finished_at, "\nbytes ", file_size(directory.result()), '\n'));
}

std::optional<Done> read_done(const RunDirectory& directory) {
  if (!exists(directory.done())) return std::nullopt;
  try {
    std::istringstream text(read_file(directory.done()));
    Done done;
    std::string word;
    text >> word >> done.identity >> word >> done.content_hash >> word >> done.result_hash >> word >> done.finished_at;
    const bool first = static_cast<bool>(text);
    text >> word >> done.bytes;  // an older version's has none
    const bool whole = first && is_hash(done.identity) && is_hash(done.content_hash) && is_hash(done.result_hash);
    return whole ? std::optional(done) : std::nullopt;
  } catch (const StorageError&) {
    return std::nullopt;
  }
}

std::optional<Done> finished(const RunDirectory& directory, const std::string& identity, Look look) {
  const std::optional<Done> done = read_done(directory);
  if (!done || done->identity != identity) return std::nullopt;
  try {
    const bool whole = look == Look::size && done->bytes > 0 ? file_size(directory.result()) == done->bytes
                                                             : sha256_of_file(directory.result()) == done->result_hash;
    return whole ? done : std::nullopt;
  } catch (const StorageError&) {
    return std::nullopt;
  }
}

void refuse_links(const RunDirectory& directory) {
  for (const Place& place : {directory.config(), directory.resolved(), directory.manifest(), directory.result(),
                             directory.machine(), directory.model(), directory.report(), directory.figures(),
                             directory.points(), directory.shards(), directory.done(), directory.failure()})
    refuse_link(place);
  for (const Place& place : {directory.log(), directory.lock()})
    if (const Descriptor file = open_place(place, O_RDONLY); file.is_open()) refuse_second_name(place, file);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace fovea
