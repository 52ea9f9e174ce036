#pragma once
/// Whether the program runs under a sanitizer. Asked when it runs, not when it is compiled: the tests themselves are
/// compiled without (tests.cmake), and the linker decides.

extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __tsan_init();
}

namespace fovea::support {

/// AddressSanitizer has an allocator of its own, which keeps what is freed for a while.
inline bool address_sanitizer() { return &__asan_init != nullptr; }

inline bool any_sanitizer() { return address_sanitizer() || &__tsan_init != nullptr; }

}  // namespace fovea::support
