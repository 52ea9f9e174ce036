#pragma once
/// Where the rows of `fovea predict` go: CSV on stdout or in a file, or HDF5 for a name that ends in .h5 or .hdf5.

#include <memory>
#include <string>

#include "fovea/core/study/predict/predict_cases.hpp"
#include "fovea/core/study/trained/model_text.hpp"

namespace fovea::study {

bool is_hdf5_name(const std::string& path);

class PredictionOutput {
 public:
  virtual ~PredictionOutput() = default;
  virtual void add(const PredictedBlock& block) = 0;
  virtual void finish() = 0;
};

/// time: the name of the column of times; empty: there is none. attended: how many tokens of each case are named.
std::unique_ptr<PredictionOutput> open_prediction_output(const PredictRequest& request, const OpenModel& opened,
                                                         const Target& target, const std::string& time, Index attended);

}  // namespace fovea::study
