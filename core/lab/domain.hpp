#pragma once
/// A domain: a science and what it offers. domains/NAME/domain.cpp declares it, one line in domains/registry.cpp makes
/// it known; the command, its lists and its help ask nothing else.

#include <memory>
#include <string>
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

using MakeExperiment = std::unique_ptr<Experiment> (*)();

struct Domain {
  std::string name;                         ///< of its folder, and before the point of its experiments' names
  std::string summary;                      ///< one line
  std::vector<MakeExperiment> experiments;  ///< alphabetical
  std::vector<Table> tables;
  std::vector<Door> doors;
};

}  // namespace fovea
