#include "fovea/experiments/signals.hpp"

#include <unistd.h>
#include <csignal>

namespace fovea::command {

namespace {

StopFlag flag{0};
static_assert(StopFlag::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_signal(int number) {
  if (flag.exchange(number) != 0) ::_exit(128 + number);
  constexpr char kSentence[] = "\nfovea: stopping at the next checkpoint; once more to end at once.\n";
  const auto written = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  static_cast<void>(written);
}

}  // namespace

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void let_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

StopFlag& stop_flag() { return flag; }

}  // namespace fovea::command
