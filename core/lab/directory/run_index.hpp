#pragma once
/// index.html of a folder of runs: every run with its main figure, its headlines, the keys that differ from the
/// default, its verdict, its age and its time; sortable, without a network.

#include <filesystem>
#include <string>

namespace fovea {

/// Draws the page from the runs' manifests. folder: for people.
std::string draw_run_index(const std::string& folder);

/// Writes FOLDER/index.html. Several processes may do so at once: the last one sees all runs. An index.html that
/// somebody else wrote stays: DataError. Throws StorageError.
void write_run_index(const std::string& folder);

/// The same after a run has ended, from the second run in the folder on. It fails nothing: where it cannot be written,
/// it is not.
void renew_run_index(const std::string& folder) noexcept;

/// However a run ends, the page of the folder that it lies in says so.
class IndexRenewal {
 public:
  explicit IndexRenewal(const std::string& run)
      : folder_(std::filesystem::absolute(run).lexically_normal().parent_path().string()) {}
  ~IndexRenewal() { renew_run_index(folder_); }
  IndexRenewal(IndexRenewal&&) = delete;  // nor copied

 private:
  std::string folder_;
};

}  // namespace fovea
