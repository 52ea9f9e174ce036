#pragma once
/// AMX instructions on a processor without them: each is an illegal instruction there; its signal is caught, the
/// instruction is decoded from the machine code and done in plain C++ as the manual says, and the program goes on.
/// So the very code that a processor with AMX will run is run by the tests: shapes, strides, tiles, order.

namespace fovea::test {

/// What the trapped instructions did.
struct AmxRecord {
  long multiplications = 0;  ///< TDPBF16PS
  long loads = 0;            ///< TILELOADD
  bool configured = false;   ///< between LDTILECFG and TILERELEASE
  bool misused = false;      ///< a tile used without a configuration, or a configuration that the manual forbids
};

/// While one lives, this process traps AMX instructions (of one thread at a time).
class AmxTrap {
 public:
  AmxTrap();
  ~AmxTrap();
  AmxTrap(const AmxTrap&) = delete;
  AmxTrap& operator=(const AmxTrap&) = delete;

  /// Whether this machine lacks AMX but can run everything else that the AMX kernels consist of.
  static bool possible();
  const AmxRecord& record() const;
};

}  // namespace fovea::test
