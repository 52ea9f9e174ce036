#pragma once
/// A domain: a science and what it offers. domains/NAME/domain.cpp declares it, one line in domains/registry.cpp makes
/// it known; the command, its lists and its help ask nothing else.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/lab/door.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea {

/// A row of a table of models, measures, methods: what it is, what it reads, where it is from. Without a source it has
/// no parameters either.
struct TableRow {
  std::string name, meaning, parameters, source;
};

/// What `fovea list NAME` prints. Tables of the same name in several domains are printed as one.
struct Table {
  std::string name;
  std::vector<TableRow> (*rows)() = nullptr;
};

/// What `fovea inspect` says of data files of a domain; results and models it knows without one.
struct Inspection {
  std::string files;                                 ///< what they are, for the help
  std::vector<std::string> examples;                 ///< each a line for a shell
  std::vector<Option> options;                       ///< beside --json
  bool (*knows)(const std::string& path) = nullptr;  ///< by a look at a file or folder
  /// Throws UsageError, DataError, StorageError. width: as Door::answer has it.
  std::string (*text)(const Arguments& arguments, Form form, std::size_t width) = nullptr;
  /// knows() is true of files that may be anything: others are asked before.
  bool takes_any = false;
};

/// Data files that a command of a domain takes, told by a look at them; for whoever brings one to another command.
struct TakenFiles {
  std::string name;                                  ///< "a table of edges"
  bool (*knows)(const std::string& path) = nullptr;  ///< never throws
  std::string command;                               ///< "fovea measure --edges @": @ stands for the file
};

/// Small data to try a command of a domain on, made by a generator whose truth is known. Equal on every machine.
struct Example {
  std::string name;                                    ///< of the file that a command is given: "gauges.csv"
  std::string meaning;                                 ///< one line: what it holds, and what is known of it
  std::vector<std::string> beside;                     ///< files that are written with it
  std::vector<std::string> commands;                   ///< to type next
  void (*write)(const std::string& folder) = nullptr;  ///< an existing folder; throws StorageError
};

/// A library that a domain links, and what that means for whoever passes the program on; "": nothing beyond a notice.
struct LinkedLibrary {
  std::string name, version, licence;
};

/// An experiment with a choice of models, of which each reads some of the keys: `fovea init EXPERIMENT --model NAME`.
struct ModelKeys {
  std::string experiment;
  std::vector<std::string> (*models)() = nullptr;
  Schema (*keys)(std::string_view model) = nullptr;  ///< those that count for a model of the list, which is the default
};

using MakeExperiment = std::unique_ptr<Experiment> (*)();

struct Domain {
  std::string name;                         ///< of its folder, and before the point of its experiments' names
  std::string summary;                      ///< one line
  std::vector<MakeExperiment> experiments;  ///< alphabetical
  std::vector<Table> tables;
  std::vector<Door> doors;
  std::vector<Inspection> inspections = {};
  std::vector<LinkedLibrary> libraries = {};  ///< those that another build may lack; `fovea doctor` names them
  std::vector<ModelKeys> model_keys = {};
  std::vector<FindingKind> findings = {};  ///< finding_kinds<...>() of all that its experiments record
  std::vector<TakenFiles> takes = {};      ///< besides those of its inspections that do not take any
  std::vector<Example> examples = {};
};

}  // namespace fovea
