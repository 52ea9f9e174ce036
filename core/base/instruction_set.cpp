#include "fovea/core/base/instruction_set.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

constexpr InstructionSet kWidestFirst[] = {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::portable};

bool machine_has(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return __builtin_cpu_supports("avx512f");
  if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return set == InstructionSet::portable;
}

template <typename Sets>
std::string names_of(const Sets& sets) {
  std::string names;
  for (const InstructionSet set : sets) names += (names.empty() ? "" : ", ") + std::string(name_of(set));
  return names;
}

struct Choice {
  InstructionSet set;
  std::string complaint = "";  ///< about the variable; empty: none
};

Choice choose() {
  const std::vector<InstructionSet> here = instruction_sets();
  const char* asked = std::getenv(kInstructionVariable.data());
  if (asked == nullptr || *asked == '\0') return {here.front()};
  const std::string who = concat(kInstructionVariable, " is '", asked, "', ");
  const auto found = std::ranges::find(kWidestFirst, std::string_view(asked), &name_of);
  if (found == std::end(kWidestFirst))
    return {here.front(), concat(who, "but must be one of ", names_of(here), "; without it the first is taken.")};
  if (std::ranges::find(here, *found) == here.end())
    return {here.front(), concat(who, "which this processor lacks; it has ", names_of(here), ".")};
  return {*found};
}

const Choice& choice() {
  static const Choice once = choose();
  return once;
}

std::atomic<int> used{-1};

}  // namespace

std::string_view name_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return "avx512";
  return set == InstructionSet::avx2 ? "avx2" : "portable";
}

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  std::ranges::copy_if(kWidestFirst, std::back_inserter(sets), &machine_has);
  return sets;
}

InstructionSet instruction_set() {
  const int now = used.load(std::memory_order_relaxed);
  if (now >= 0) return static_cast<InstructionSet>(now);
  use_instruction_set(choice().set);
  return choice().set;
}

void check_instruction_choice() { require(choice().complaint.empty(), choice().complaint); }

void use_instruction_set(InstructionSet set) { used.store(static_cast<int>(set), std::memory_order_relaxed); }

}  // namespace fovea
