#pragma once
/// What nearly every test begins with: Catch2, the headers of the standard library that most tests use, random numbers,
/// errors and what they say, folders and files.

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/refusals.hpp"

namespace fovea {
using support::refusal_of;
using support::TemporaryFolder;
}  // namespace fovea

using namespace fovea;  // whose names tests use throughout
