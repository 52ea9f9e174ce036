#pragma once
/// The folder that a run leaves, and what its files are called:
///
///   config.toml     as given              result.h5    the numbers (the same bytes for the same config and seed)
///   resolved.toml   every key, runnable   report.html  figures/*.svg
///   manifest.json   where, when, with what             log  lines with the seconds since the start
///   machine.h5      only where something depends on the machine: times, memory; in no hash, never verified
///   model.h5        only where something was trained: what `fovea predict` applies; its hash stands in result.h5
///   points/HASH12/  of a sweep: result.h5, machine.h5, model.h5, log, DONE or failed.json, one folder a point
///   checkpoint-*    only while a point is not finished
///   shards/         of a sweep in shards: what each has done, I-of-N.json
///   lock            held by those who compute here (folder_lock.hpp); in a point's folder only while one does
///   DONE            written last: the hashes of what is finished
///
/// The folder may be reached through links, and may be one. Nothing in it may be one (place.hpp): a directory that came
/// from elsewhere must not make us read or write other files.
///
/// A folder is finished when DONE is there and result.h5 has the hash that DONE says. Points are folders of that kind.

#include <optional>
#include <string>

#include "fovea/core/base/place.hpp"

namespace fovea {

class RunDirectory {
 public:
  explicit RunDirectory(Place place) : place_(std::move(place)) {}
  std::string path() const { return place_.path(); }
  const Place& place() const { return place_; }
  Place file(const std::string& name) const { return place_ / name; }
  Place config() const { return file("config.toml"); }
  Place resolved() const { return file("resolved.toml"); }
  Place manifest() const { return file("manifest.json"); }
  Place result() const { return file("result.h5"); }
  Place machine() const { return file("machine.h5"); }
  Place model() const { return file("model.h5"); }
  Place report() const { return file("report.html"); }
  Place figures() const { return file("figures"); }
  Place log() const { return file("log"); }
  Place lock() const { return file("lock"); }
  Place done() const { return file("DONE"); }
  Place failure() const { return file("failed.json"); }
  Place points() const { return file("points"); }
  Place shards() const { return file("shards"); }
  /// The folder of the point with this identity: 12 digits tell 10,000 points apart but for 2 in 10 million cases.
  RunDirectory point(const std::string& identity) const { return RunDirectory(points() / identity.substr(0, 12)); }

 private:
  Place place_;
};

/// Throws DataError if a file or folder that a run writes is a link or no regular file, or if log or lock, which are
/// written in place, have a second name. What is renamed into place would take a link's place unasked.
void refuse_links(const RunDirectory& directory);

/// `<output>/<experiment>-<hash8>`; with 16 digits where the 8 are taken by a run of another identity.
RunDirectory run_directory(const std::string& output, const std::string& experiment, const std::string& identity);

/// What DONE says.
struct Done {
  std::string identity;      ///< run_identity() of what was computed
  std::string content_hash;  ///< content_hash() of the result
  std::string result_hash;   ///< SHA-256 of result.h5's bytes
  std::string finished_at;   ///< UTC, "2026-01-31T12:00:00Z"
  std::size_t bytes = 0;     ///< size of result.h5, which write_done() looks up
};

void write_done(const RunDirectory& directory, const Done& done);  ///< throws StorageError
/// Empty if absent or not readable. Throws DataError for a link.
std::optional<Done> read_done(const RunDirectory& directory);
/// What DONE says if the folder is finished with this identity; empty otherwise. By its hash, which reads all of
/// result.h5, or by its size alone.
enum class Look { hash, size };
std::optional<Done> finished(const RunDirectory& directory, const std::string& identity, Look look = Look::hash);

/// The time now: UTC, ISO 8601, whole seconds.
std::string utc_now();

}  // namespace fovea
