#pragma once
/// What a learned statement is written with: words, trainings, lessons, what it gathers, and its page.

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/gathered.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"
