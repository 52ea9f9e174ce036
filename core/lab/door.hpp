#pragma once
/// A door is a command of a domain's own, such as `lags`: it says in the domain's words what an experiment is asked,
/// and what came out. The command `fovea` adds to every door the options of a run (--set, --seed, --output, --force,
/// --threads), runs what is asked, and prints.

#include <string>
#include <vector>

#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/lab/runner.hpp"

namespace fovea {

/// One key's value as --set has it ("lags.max=20"), and the words that asked for it ("--max-lag 20"), of which a
/// complaint about the value then speaks.
struct Setting {
  std::string key_and_value, words;
};

/// What a door makes of a command line.
struct Request {
  std::string experiment;
  std::vector<Setting> settings;
  Inputs seen = {};  ///< what answer() wants to know of the input files; may be empty
};

/// A request as it was run.
struct Asked {
  const Arguments& arguments;
  const Request& request;
  const Config& config;  ///< with the defaults
};

/// Where rows go that a door writes as they come: to stdout, or to the file of its option --output, which is there only
/// when it is whole.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void write(const std::string& rows) = 0;  ///< throws StorageError
};

enum class Form { text, json, csv };

/// By --json and --csv. Throws UsageError where both are given.
Form form_of(const Arguments& arguments);

struct Door {
  std::string name;
  std::string summary;                ///< one line
  std::string operands;               ///< behind the name in the help: "FILE"
  std::size_t fewest = 0, most = 0;   ///< operands
  std::vector<std::string> examples;  ///< each a line for a shell
  std::vector<Option> options;        ///< its own, among them --json and --csv where it has these forms
  std::string details;                ///< what the help says after the options
  /// Throws UsageError for options that contradict each other, and what its input files deserve. A sentence that is
  /// worth saying before the run goes to the narrator.
  /// What it reads to know what to ask, it reads by opened.look(), so that the experiment need not.
  Request (*ask)(const Arguments& arguments, OpenInputs& opened, Narrator& narrator) = nullptr;
  /// What is printed in place of a run; empty: the options ask for one. May be null.
  std::string (*instead)(const Arguments& arguments, std::size_t width) = nullptr;
  /// In place of a run: rows that are written as they come, so that memory does not grow with them. Such a door has no
  /// options of a run, and an option --output FILE of its own; a file of another kind than text it writes itself. With
  /// an option --json rows go to stdout, and to no file.
  /// Gives false where what it was asked to check does not hold: the command ends with 6.
  /// Throws UsageError, DataError, StorageError, Interrupted (process_stop_flag()). May be null.
  bool (*stream)(const Arguments& arguments, RowSink& rows, Narrator& narrator) = nullptr;
  /// What is printed, with the end of its last line; width: letters of a line, 0: sentences stay whole (in_lines()).
  std::string (*answer)(const RunSummary& summary, const Asked& asked, std::size_t width) = nullptr;
};

/// A word as it can be pasted into a shell: in single quotes where it needs them.
std::string shell_word(const std::string& word);
/// A text as a value of --set: quoted as TOML has it, on one line.
std::string quoted_value(const std::string& text);
/// The same for a list of texts.
std::string quoted_values(const std::vector<std::string>& texts);

}  // namespace fovea
