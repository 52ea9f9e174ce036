#include "fovea/experiments/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "fovea/core/base/stop_flag.hpp"

namespace fovea::command {

namespace {

StopFlag insisted{0};
static_assert(StopFlag::is_always_lock_free, "a signal handler may only touch lock-free atomics");

constexpr unsigned kPatience = 9;  // seconds that a person waits for a checkpoint after Ctrl-C

/// A person, or a program that has lost its patience, sends these again; the others are warnings that may come twice.
bool insists(int number) { return number == SIGINT || number == SIGTERM; }

template <std::size_t N>
void write_out(const char (&sentence)[N]) {
  const auto written = ::write(STDERR_FILENO, sentence, N - 1);
  static_cast<void>(written);
}

extern "C" void on_signal(int number) {
  if (insists(number) && insisted.exchange(number) != 0) ::_exit(128 + number);
  int none = 0;
  if (!process_stop_flag().compare_exchange_strong(none, number) && !insists(number)) return;
  std::signal(SIGPIPE, SIG_IGN);  // who read our words may have gone with the terminal; the checkpoint must be saved
  if (number == SIGINT) ::alarm(kPatience);
  write_out("\nfovea: stopping at the next checkpoint; Ctrl-C or SIGTERM once more to end at once.\n");
}

/// No checkpoint came: what lies on the disk is whole at any time, and a person is not kept.
extern "C" void on_lost_patience(int) {
  if (process_saving() > 0) {
    ::alarm(1);
    return;
  }
  write_out(
      "fovea: ended, as no checkpoint came; 'fovea resume' takes a run up from its last one, or from its start.\n");
  ::_exit(128 + SIGINT);
}

void listen_to(int number, bool even_if_ignored) {
  struct sigaction action {};
  if (!even_if_ignored && sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGPIPE);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void listen_to_signals() {
  std::signal(SIGALRM, on_lost_patience);
  for (const int number : {SIGINT, SIGTERM}) listen_to(number, true);
  for (const int number : {SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) listen_to(number, false);
}

void let_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace fovea::command
