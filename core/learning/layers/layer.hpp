#pragma once
/// What the layers have in common: a layer writes its parameters into a Parameters when it is made, and reads them from
/// the tape when it is used. It holds no numbers of its own, so one object serves all threads.

#include <string>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/parameters.hpp"
#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/tokens.hpp"
