#pragma once
/// Inputs of the benchmark, as other programs read them.

#include <fstream>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

template <typename Number>
void write_numbers(const std::string& path, const Number* numbers, Index count) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers), count * static_cast<Index>(sizeof(Number)));
  require(file.good(), path, ": cannot be written.");
}

}  // namespace fovea::bench
