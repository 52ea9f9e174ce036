#include "fovea/core/lab/open_inputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

namespace fovea {

namespace {

constexpr std::time_t kCoarsestClock = 2;  // seconds: FAT's

/// What tells a file from its later self.
struct FileStamp {
  std::string path;
  dev_t disk{};
  ino_t place{};
  off_t size = -1;
  std::time_t seconds = 0;
  long nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {path};
  return {path, info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

bool has_changed(const FileStamp& stamp) { return stamp_of(stamp.path) != stamp; }

bool is_settled(const FileStamp& stamp) {
  return stamp.size >= 0 && stamp.seconds + kCoarsestClock < std::time(nullptr);
}

/// Those that the config names, by key; of a folder also all that is in it and below.
std::multimap<std::string, FileStamp> stamps_of(const Config& config) {
  namespace fs = std::filesystem;
  std::multimap<std::string, FileStamp> stamps;
  for (const Parameter& parameter : config.schema().parameters()) {
    if (!parameter.names_inputs()) continue;
    for (const std::string& path : paths_of(config, parameter)) {
      stamps.emplace(parameter.key, stamp_of(path));
      std::error_code none;  // what cannot be listed fails where it is read
      for (fs::recursive_directory_iterator below(path, none), end; !none && below != end; below.increment(none))
        stamps.emplace(parameter.key, stamp_of(below->path().string()));
    }
  }
  return stamps;
}

}  // namespace

/// What was opened, for which values of which keys, and the files as they were before they were read.
struct OpenInputs::Record {
  std::map<std::string, ConfigValue> keys;
  std::vector<FileStamp> files;
  bool settled = true;
  bool empty = false;
  std::weak_ptr<const void> held;
  const std::type_info* type = nullptr;

  void add(const FileStamp& file) {
    settled = settled && is_settled(file);
    files.push_back(file);
  }
  bool is_of(const Config& config) const {
    return std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
      return config.schema().find(key.first) != nullptr && config.value(key.first) == key.second;
    });
  }
  bool still_holds() const { return settled && std::none_of(files.begin(), files.end(), has_changed); }
};

OpenInputs::OpenInputs() = default;
OpenInputs::~OpenInputs() = default;

Inputs OpenInputs::of(const Experiment& experiment, const Config& config) {
  if (std::optional<Inputs> found = kept(config)) return *found;
  const std::lock_guard lock(reading_);
  if (std::optional<Inputs> found = kept(config)) return *found;  // read while we waited
  const std::multimap<std::string, FileStamp> stamps = stamps_of(config);
  std::set<std::string, std::less<>> asked;
  Config listening = config;
  listening.note_asked(&asked);
  const Inputs inputs = experiment.open(listening);
  Record record;
  for (const std::string& key : asked) record.keys.emplace(key, config.value(key));
  for (const auto& [key, stamp] : stamps)
    if (asked.contains(key)) record.add(stamp);
  keep(std::move(record), inputs);
  return inputs;
}

Inputs OpenInputs::take(const Experiment& experiment, const Config& config) {
  Inputs inputs = of(experiment, config);
  let_go();
  return inputs;
}

void OpenInputs::let_go() {
  const std::lock_guard lock(remembering_);
  latest_ = {};
}

bool OpenInputs::knows(const Config& config) const {
  const std::lock_guard lock(remembering_);
  return std::any_of(records_.begin(), records_.end(), [&](const Record& record) { return record.is_of(config); });
}

Inputs OpenInputs::look(const std::map<std::string, ConfigValue>& keys, const std::string& file,
                        const std::function<Inputs()>& read) {
  const std::lock_guard lock(reading_);
  Record record;
  record.keys = keys;
  record.add(stamp_of(file));
  Inputs inputs = read();
  keep(std::move(record), inputs);
  return inputs;
}

std::optional<Inputs> OpenInputs::kept(const Config& config) {
  const std::lock_guard lock(remembering_);
  for (const Record& record : records_) {
    if (!record.is_of(config)) continue;
    if (record.empty) return Inputs{};
    Inputs inputs;
    inputs.held_ = record.held.lock();
    inputs.type_ = record.type;
    if (inputs.empty() || !record.still_holds()) continue;
    latest_ = inputs;
    return inputs;
  }
  return std::nullopt;
}

void OpenInputs::keep(Record record, const Inputs& inputs) {
  const std::lock_guard lock(remembering_);
  std::erase_if(records_, [&](const Record& other) { return other.keys == record.keys; });
  record.empty = inputs.empty();
  record.held = inputs.held_;
  record.type = inputs.type_;
  records_.push_back(std::move(record));
  latest_ = inputs;
}

}  // namespace fovea
