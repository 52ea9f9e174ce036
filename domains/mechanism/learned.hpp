#pragma once
/// What a learned statement is written with: trainings, lessons, what it gathers, and its page.

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/mechanism/gathered.hpp"
#include "fovea/domains/mechanism/statement.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"
