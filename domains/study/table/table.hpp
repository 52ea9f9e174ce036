#pragma once
/// The experiment "study.table".

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::study::table {

std::unique_ptr<Experiment> make_table();

}  // namespace fovea::study::table
