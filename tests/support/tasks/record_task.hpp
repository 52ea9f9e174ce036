#pragma once
/// A learned question about records: dated events of several classes, each a value or only that it happened.

#include <memory>

#include "fovea/core/study/model/task.hpp"

namespace fovea::support {

/// Events of the classes "albumin" (noise, with a slip of the decimal point now and then), "lactate" (its last value
/// decides) and "surgery" (no value; that it happened decides), over 10 hours, asked at hour 10.
study::Cases simulated_records(Index count, const Random& random);

/// "toy.record": simulated records, or those of the files of data.records, each line "id,hour,class,value[,target]".
std::unique_ptr<study::LearnedTask> record_task();

}  // namespace fovea::support
