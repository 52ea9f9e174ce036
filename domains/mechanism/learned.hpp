#pragma once
/// What a learned statement is written with: trainings and lessons.

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/mechanism/statement.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"
