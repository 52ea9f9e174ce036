#include "fovea/tests/support/amx_trap.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <signal.h>
#include <ucontext.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "fovea/core/kernels/split_bf16.hpp"

namespace fovea::test {
namespace {

struct Tile {
  unsigned char row[16][64];
};

AmxRecord amx_record;
Tile amx_tiles[8];
struct sigaction action_before;

/// The fields of a VEX instruction of three bytes with an operand, in the manual's words.
struct VexInstruction {
  unsigned prefix, opcode, mod, reg, rm, vvvv;
  std::uintptr_t address;  ///< of the operand in memory, without the index
  std::int64_t stride;     ///< the index, scaled
  int length;
};

std::int64_t register_of(const ucontext_t& context, unsigned number) {
  constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return context.uc_mcontext.gregs[kPlaces[number]];
}

/// An operand in memory: base + displacement, and the index apart.
void decode_address(const ucontext_t& context, const unsigned char* code, bool long_index, bool long_base,
                    VexInstruction& found) {
  std::int64_t base = 0;
  int displacement_bytes = found.mod == 1 ? 1 : found.mod == 2 ? 4 : 0;
  const unsigned base_bit = long_base ? 8 : 0, index_bit = long_index ? 8 : 0;
  bool next_instruction = false;
  if (found.rm == 4) {
    const unsigned sib = code[found.length++];
    const unsigned index = (sib >> 3 & 7) | index_bit;
    if (index != 4) found.stride = register_of(context, index) * (std::int64_t{1} << (sib >> 6));
    if ((sib & 7) == 5 && found.mod == 0)
      displacement_bytes = 4;
    else
      base = register_of(context, (sib & 7) | base_bit);
  } else if (found.rm == 5 && found.mod == 0) {
    displacement_bytes = 4;
    next_instruction = true;
  } else {
    base = register_of(context, found.rm | base_bit);
  }
  if (displacement_bytes == 1) base += static_cast<signed char>(code[found.length]);
  if (displacement_bytes == 4) {
    std::int32_t displacement;
    std::memcpy(&displacement, code + found.length, sizeof displacement);
    base += displacement;
  }
  found.length += displacement_bytes;
  if (next_instruction) base += reinterpret_cast<std::intptr_t>(code) + found.length;
  found.address = static_cast<std::uintptr_t>(base);
}

bool decode(const ucontext_t& context, VexInstruction& found) {
  const auto* code = reinterpret_cast<const unsigned char*>(context.uc_mcontext.gregs[REG_RIP]);
  if (code[0] != 0xc4 || (code[1] & 31) != 2 || (code[2] & 0x84) != 0) return false;  // 0F38, W0, 128
  found = {code[2] & 3U, code[3], code[4] >> 6 & 3U, code[4] >> 3 & 7U, code[4] & 7U, ~(code[2] >> 3U) & 15U, 0, 0, 5};
  if (found.mod != 3) decode_address(context, code, (code[1] & 0x40) == 0, (code[1] & 0x20) == 0, found);
  return true;
}

void configure(const unsigned char* shapes) {
  bool allowed = shapes[0] == 1 && shapes[1] == 0;
  for (int k = 2; k < 16; ++k) allowed = allowed && shapes[k] == 0;
  for (int tile = 0; tile < 16; ++tile) {
    const int bytes = shapes[16 + 2 * tile] + 256 * shapes[17 + 2 * tile], rows = shapes[48 + tile];
    allowed = allowed && bytes == (tile < 8 ? 64 : 0) && rows == (tile < 8 ? 16 : 0);
  }
  amx_record.misused |= !allowed;
  amx_record.configured = true;
  std::memset(amx_tiles, 0, sizeof amx_tiles);
}

float flushed(float x) { return (std::bit_cast<std::uint32_t>(x) & 0x7f800000U) == 0 ? std::copysign(0.0F, x) : x; }

float term(const Tile& tile, int row, int place) {
  std::uint16_t half;
  std::memcpy(&half, tile.row[row] + 2 * place, sizeof half);
  return flushed(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16));
}

void multiply(Tile& c, const Tile& a, const Tile& b) {
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n) {
      float even = 0, odd = 0, sum;
      for (int k = 0; k < 16; ++k) {
        even = flushed(even + term(a, m, 2 * k) * term(b, k, 2 * n));
        odd = flushed(odd + term(a, m, 2 * k + 1) * term(b, k, 2 * n + 1));
      }
      std::memcpy(&sum, c.row[m] + 4 * n, sizeof sum);
      sum = flushed(flushed(sum) + flushed(even + odd));
      std::memcpy(c.row[m] + 4 * n, &sum, sizeof sum);
    }
}

/// Whether it was one of ours.
bool execute(const VexInstruction& it) {
  enum : unsigned { kNone = 0, kF3 = 2, kF2 = 3 };
  auto* memory = reinterpret_cast<unsigned char*>(it.address);
  if (it.opcode == 0x49 && it.prefix == kNone && it.reg == 0 && it.mod != 3) {
    configure(memory);
  } else if (it.opcode == 0x49 && it.prefix == kNone && it.mod == 3) {
    amx_record.configured = false;
  } else if (it.opcode == 0x49 && it.prefix == kF2) {
    amx_record.misused |= !amx_record.configured;
    std::memset(&amx_tiles[it.reg], 0, sizeof(Tile));
  } else if (it.opcode == 0x4b && (it.prefix == kF2 || it.prefix == kF3)) {
    amx_record.misused |= !amx_record.configured;
    amx_record.loads += it.prefix == kF2;
    for (int i = 0; i < 16; ++i) {
      unsigned char *here = memory + i * it.stride, *row = amx_tiles[it.reg].row[i];
      it.prefix == kF2 ? std::memcpy(row, here, 64) : std::memcpy(here, row, 64);
    }
  } else if (it.opcode == 0x5c && it.prefix == kF3) {
    amx_record.misused |= !amx_record.configured;
    ++amx_record.multiplications;
    multiply(amx_tiles[it.reg], amx_tiles[it.rm], amx_tiles[it.vvvv]);
  } else {
    return false;
  }
  return true;
}

void on_illegal_instruction(int, siginfo_t*, void* machine) {
  ucontext_t& context = *static_cast<ucontext_t*>(machine);
  VexInstruction instruction{};
  if (decode(context, instruction) && execute(instruction))
    context.uc_mcontext.gregs[REG_RIP] += instruction.length;
  else
    sigaction(SIGILL, &action_before, nullptr);  // not ours: let it happen again
}

}  // namespace

AmxTrap::AmxTrap() {
  amx_record = {};
  struct sigaction action {};
  action.sa_sigaction = &on_illegal_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, &action_before);
}

AmxTrap::~AmxTrap() { sigaction(SIGILL, &action_before, nullptr); }

bool AmxTrap::possible() {
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512bf16") && !machine_has_amx();
}

const AmxRecord& AmxTrap::record() const { return amx_record; }

}  // namespace fovea::test

#else

namespace fovea::test {

AmxTrap::AmxTrap() {}
AmxTrap::~AmxTrap() {}
bool AmxTrap::possible() { return false; }
const AmxRecord& AmxTrap::record() const {
  static const AmxRecord nothing;
  return nothing;
}

}  // namespace fovea::test

#endif
