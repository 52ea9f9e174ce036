#include "fovea/core/attention/fast/arguments.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/line_kernels.hpp"

namespace fovea::fast {
namespace {

constexpr double kArgumentMost = std::numeric_limits<double>::max();
constexpr double kArgumentInfinity = std::numeric_limits<double>::infinity();
constexpr Index kArgumentChunk = Index{1} << 16;

struct Part {
  Range range{kArgumentInfinity, -kArgumentInfinity};
  bool finite = true;
};

Part part_of(std::span<const double> numbers) {
  const Index count = static_cast<Index>(numbers.size()), chunks = (count + kArgumentChunk - 1) / kArgumentChunk;
  std::vector<Part> parts(chunks);
  for_each_task(chunks, chunks > 1, [&](Index c) {
    Part& part = parts[c];
    part.finite =
        line_kernels().range(numbers.data() + c * kArgumentChunk, std::min(kArgumentChunk, count - c * kArgumentChunk),
                             &part.range.low, &part.range.high);
  });
  Part all;
  for (const Part& part : parts) {
    all.range = {std::min(all.range.low, part.range.low), std::max(all.range.high, part.range.high)};
    all.finite &= part.finite;
  }
  return all;
}

void complain(const char* who, const char* what, std::span<const double> numbers, double least, const char* rule) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    require(numbers[i] >= least && numbers[i] <= kArgumentMost, who, ": number ", i, " of the ", what, " is ",
            numbers[i], ", but must be ", rule, ".");
}

}  // namespace

Range finite_range(const char* who, const char* what, std::span<const double> numbers) {
  const Part part = part_of(numbers);
  if (!part.finite) complain(who, what, numbers, -kArgumentMost, "finite");
  return part.range;
}

Range range_of_strengths(const char* who, std::span<const double> strengths) {
  const Part part = part_of(strengths);
  if (!part.finite || part.range.low < 0) complain(who, "strengths", strengths, 0, "finite and at least 0");
  return part.range;
}

void must_be_as_many(const char* who, const char* what, std::size_t found, std::size_t count, const char* others,
                     bool or_none) {
  require(found == count || (or_none && found == 0), who, ": there are ", found, " ", what, " but ", count, " ", others,
          "; each needs one.");
}

void must_be_positive(const char* who, const char* what, double number) {
  require(number > 0 && number <= kArgumentMost, who, ": ", what, " is ", number, ", but must be finite and above 0.");
}

}  // namespace fovea::fast
