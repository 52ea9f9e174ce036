#include "fovea/experiments/commands/file_doors.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::command {

namespace {

/// The ways of one domain.
std::vector<std::string> ways_of(const Domain& domain, const std::string& path) {
  std::vector<std::string> ways;
  for (const TakenFiles& one : domain.takes)
    if (one.knows(path)) {
      std::string command = one.command;
      command.replace(command.find('@'), 1, shell_word(path));
      ways.push_back(concat("If it is ", one.name, ": ", command));
    }
  for (const Inspection& one : domain.inspections)
    if (!one.takes_any && one.knows(path)) ways.push_back("What it holds: fovea inspect " + shell_word(path));
  return ways;
}

/// Whether a command line asks the domain: by one of its commands, its name, an experiment, a run of it, or a config.
bool asks(const std::vector<std::string>& words, const Domain& domain) {
  if (std::any_of(domain.doors.begin(), domain.doors.end(), [&](const Door& one) { return one.name == words[0]; }))
    return true;
  return std::any_of(words.begin() + 1, words.end(), [&](const std::string& word) {
    const std::filesystem::path path(word);
    for (const std::filesystem::path& part : {path.filename(), path.parent_path().filename()})
      if ((part.string() + '.').starts_with(domain.name + '.')) return true;
    return datasets::kind_of_file(word) == datasets::FileKind::config &&
           datasets::text::front_of(word).find('"' + domain.name + '.') != std::string::npos;
  });
}

/// Whether a word is the file, or a setting such as "data.file=FILE".
bool names_file(const std::vector<std::string>& words, const std::string& file) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    std::error_code error;
    return std::filesystem::equivalent(word.substr(word.rfind('=') + 1), file, error);
  });
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

std::vector<std::string> ways_with(const std::string& path, const std::vector<std::string>& but) {
  std::vector<std::string> ways;
  for (const Domain& domain : domains())
    if (std::find(but.begin(), but.end(), domain.name) == but.end())
      for (std::string& way : ways_of(domain, path)) ways.push_back(std::move(way));
  return ways;
}

std::string doubt_about(const std::string& path, const Domain& mine) {
  if (!ways_of(mine, path).empty()) return "";
  const std::vector<std::string> ways = ways_with(path, {mine.name});
  return ways.empty() ? "" : concat(path, ": may be meant for another command. ", ways.front());
}

std::string with_other_way(const std::string& complaint, const std::vector<std::string>& words) {
  const std::string file = file_of(complaint);
  if (file.empty() || words.empty() || words[0] == "inspect") return complaint;
  if (names_file(words, file) && datasets::kind_of_file(file) == datasets::FileKind::config)
    return concat(file, ": is a config, not data. To run it: fovea run ", shell_word(file));
  std::vector<std::string> asked;
  for (const Domain& domain : domains()) {
    if (!asks(words, domain)) continue;
    if (!ways_of(domain, file).empty()) return complaint;
    asked.push_back(domain.name);
  }
  if (asked.empty() && words[0] == "predict") return complaint;  // a model of an unknown domain
  const std::vector<std::string> ways = ways_with(file, asked);
  return ways.empty() ? complaint : concat(complaint, complaint.ends_with('.') ? " " : ". ", ways.front());
}

}  // namespace fovea::command
