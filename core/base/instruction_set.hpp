#pragma once
/// The instruction sets that inner loops are compiled for, and which of them this process computes with.

#include <string_view>
#include <vector>

namespace fovea {

enum class InstructionSet { portable, avx2, avx512 };

/// The environment variable that chooses one by its name.
inline constexpr std::string_view kInstructionVariable = "FOVEA_INSTRUCTIONS";

/// "avx512", "avx2" (with fused multiply-adds) or "portable"
std::string_view name_of(InstructionSet set);

/// Those that this machine has and this build knows, the widest first; portable is always among them.
std::vector<InstructionSet> instruction_sets();

/// The set in use: the one that FOVEA_INSTRUCTIONS names, or the widest there is. Found at the first call, which may
/// come before main().
InstructionSet instruction_set();

/// Throws ArgumentError where FOVEA_INSTRUCTIONS names no set, or one that the processor lacks. attend() asks.
void check_instruction_choice();

/// From now on `set`, one of instruction_sets(). For tests and measurements, while nobody else computes.
void use_instruction_set(InstructionSet set);

}  // namespace fovea
