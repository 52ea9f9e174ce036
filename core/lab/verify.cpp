#include "fovea/core/lab/verify.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/dataset_file.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// A new folder beside the directory, so that both are on one disk, or, where nothing may be written there (an
/// archive), among the system's temporary files; gone at the end.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& directory) {
    fs::path whole = fs::absolute(directory).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    path_ = whole.string() + ".verify-XXXXXX";
    if (::mkdtemp(path_.data()) != nullptr) return;
    path_ = (fs::temp_directory_path() / "fovea.verify-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr)
      throw StorageError(concat(path_, ": cannot be created: ", std::generic_category().message(errno), "."));
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

using Texts = std::map<std::string, std::string>;

/// Both texts where they are short.
std::string differing(const std::string& a, const std::string& b) {
  constexpr std::size_t kShort = 80;
  return a.size() + b.size() > kShort || (a + b).find('\n') != std::string::npos ? "differs" : concat(a, " and ", b);
}

void compare(const Texts& a, const Texts& b, const std::string& what, std::vector<std::string>& lines) {
  for (const auto& [name, text] : a) {
    const auto other = b.find(name);
    if (other == b.end()) lines.push_back(concat(what, ' ', name, ": only in the first"));
    if (other != b.end() && other->second != text)
      lines.push_back(concat(what, ' ', name, ": ", differing(text, other->second)));
  }
  for (const auto& [name, text] : b)
    if (a.count(name) == 0) lines.push_back(concat(what, ' ', name, ": only in the second"));
}

RunSummary recompute(const Experiment& experiment, const Config& config, const RunOptions& options,
                     Narrator& narrator) {
  try {
    return run_experiment(experiment, config, to_toml(config), options, narrator);
  } catch (const Interrupted&) {
    throw Interrupted("stopped; a verification has no checkpoints, so it will start from the beginning next time.");
  }
}

}  // namespace

std::vector<std::string> compare_texts(const Dataset& a, const Dataset& b) {
  std::vector<std::string> lines;
  compare(a.attributes, b.attributes, "attribute", lines);
  compare(a.documents, b.documents, "document", lines);
  return lines;
}

Verification verify_run(const std::string& path, const Catalogue& catalogue, const RunOptions& options,
                        Narrator& narrator) {
  const RunDirectory directory(path);
  const std::optional<Done> done = read_done(directory);
  if (!fs::is_directory(path)) throw DataError(concat(path, ": there is no such folder."));
  if (!done && !find_manifest(directory))
    throw DataError(concat(path, ": is not the directory of a run (it has no readable DONE nor manifest.json)."));
  if (!done)
    throw DataError(
        concat(path, ": this run is not finished (it has no readable DONE); finish it with: fovea resume ", path));
  Verification outcome;
  outcome.stored_hash = done->content_hash;
  const Dataset stored = read_dataset(directory.result());
  if (content_hash(stored) != done->content_hash)
    outcome.other_differences.push_back("result.h5 does not match the hash in DONE; it was changed after the run");
  const Config config = catalogue.read(directory.resolved(), {});
  const ScratchFolder scratch(path);
  RunOptions again = options;
  again.output = scratch.path();
  again.force = true;
  const RunSummary summary = recompute(catalogue.at(config.experiment), config, again, narrator);
  if (!summary.has_result) throw DataError(concat(path, ": every point failed when it was recomputed."));
  outcome.recomputed_hash = summary.manifest.content_hash;
  const Dataset recomputed = read_dataset(summary.directory.result());
  outcome.differences = compare_datasets(stored, recomputed, 0, 0);
  const std::vector<std::string> texts = compare_texts(stored, recomputed);
  outcome.other_differences.insert(outcome.other_differences.end(), texts.begin(), texts.end());
  outcome.identical = outcome.recomputed_hash == outcome.stored_hash && outcome.other_differences.empty();
  return outcome;
}

}  // namespace fovea
