#include "fovea/experiments/commands/file_doors.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::command {

namespace {

std::string filled(const std::string& command, const std::string& path) {
  std::string text;
  for (const char letter : command) text += letter == '@' ? path : std::string(1, letter);
  return text;
}

bool takes(const Domain& domain, const std::string& path) {
  const auto knows = [&](const auto& one) { return one.knows(path); };
  return std::any_of(domain.takes.begin(), domain.takes.end(), knows) ||
         std::any_of(domain.inspections.begin(), domain.inspections.end(), knows);
}

/// The domain of an experiment "domain.name".
std::string domain_of_name(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

bool is_domain_name(const std::string& word) {
  return std::any_of(domains().begin(), domains().end(), [&](const Domain& one) { return one.name == word; });
}

/// The experiment that a config names; "" for what is no config.
std::string experiment_in(const std::string& path) {
  if (datasets::kind_of_file(path) != datasets::FileKind::config) return "";
  const std::string front = datasets::text::front_of(path);
  const std::size_t key = front.find("experiment"), open = front.find('"', key);
  if (open == std::string::npos) return "";
  return front.substr(open + 1, front.find('"', open + 1) - open - 1);
}

/// The domain of a run's folder or of a model within one, as they are called; "" for others.
std::string domain_of_run(const std::string& word) {
  const std::filesystem::path path(word);
  for (const std::filesystem::path& part : {path.filename(), path.parent_path().filename()})
    if (const std::string name = domain_of_name(part.string()); is_domain_name(name)) return name;
  return "";
}

/// The domain that the command line asks; "" where it asks none.
std::string asked_domain(const std::vector<std::string>& words) {
  for (const Domain& domain : domains())
    for (const Door& door : domain.doors)
      if (!words.empty() && door.name == words[0]) return domain.name;
  for (std::size_t w = 1; w < words.size(); ++w) {
    if (const std::string name = domain_of_name(words[w]); is_domain_name(name) && !std::filesystem::exists(words[w]))
      return name;
    if (const std::string name = domain_of_run(words[w]); w == 1 && !name.empty()) return name;
    if (const std::string experiment = experiment_in(words[w]); !experiment.empty()) return domain_of_name(experiment);
  }
  return "";
}

/// The file that a complaint begins with, as "FILE:row 3: ..." or "FILE: ..."; "" if there is no such file.
std::string file_of(const std::string& complaint) {
  for (std::size_t stop = complaint.find(':'); stop != std::string::npos && stop < 4096;
       stop = complaint.find(':', stop + 1)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(complaint.substr(0, stop), error)) return complaint.substr(0, stop);
  }
  return "";
}

}  // namespace

std::vector<FileDoor> doors_of_file(const std::string& path, const std::string& but) {
  std::vector<FileDoor> doors;
  for (const Domain& domain : domains()) {
    if (domain.name == but) continue;
    for (const TakenFiles& one : domain.takes)
      if (one.knows(path)) doors.push_back({domain.name, one.name, filled(one.command, path)});
    for (const Inspection& one : domain.inspections)
      if (!one.takes_any && one.knows(path))
        doors.push_back({domain.name, "one of " + one.files.substr(0, one.files.find(':')), "fovea inspect " + path});
  }
  return doors;
}

std::string other_door(const std::string& path, const std::string& but) {
  for (const Domain& domain : domains())
    if (domain.name == but && takes(domain, path)) return "";
  const std::vector<FileDoor> doors = doors_of_file(path, but);
  if (doors.empty()) return "";
  return concat("It looks like ", doors.front().name, ": ", doors.front().command);
}

std::string with_other_door(const std::string& complaint, const std::vector<std::string>& words) {
  const std::string file = file_of(complaint);
  if (file.empty() || (!words.empty() && words[0] == "inspect")) return complaint;
  const std::string asked = asked_domain(words);
  if (asked.empty() && !words.empty() && words[0] == "predict") return complaint;  // a model of an unknown domain
  const std::string way = other_door(file, asked);
  if (way.empty()) return complaint;
  return concat(complaint, complaint.ends_with('.') ? " " : ". ", way);
}

}  // namespace fovea::command
