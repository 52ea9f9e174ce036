#pragma once
/// Where the rows of `fovea predict` go: CSV on stdout or in a file, or HDF5 for a name that ends in .h5 or .hdf5.

#include <memory>
#include <string>

#include "fovea/core/study/study.hpp"
#include "fovea/experiments/commands/open_model.hpp"

namespace fovea::command {

bool is_hdf5_name(const std::string& path);

class PredictionOutput {
 public:
  virtual ~PredictionOutput() = default;
  virtual void add(const study::PredictedBlock& block) = 0;
  virtual void finish() = 0;
};

/// output: "" for stdout. time: the name of the column of times; empty: there is none. attended: how many tokens of
/// each case are named.
std::unique_ptr<PredictionOutput> open_prediction_output(const std::string& output, const OpenModel& opened,
                                                         const study::Target& target, const std::string& time,
                                                         Index attended);

}  // namespace fovea::command
