#pragma once
/// Ctrl-C and SIGTERM: the first asks the run to save and stop, the second ends the process at once (files stay whole,
/// because each is renamed into place).

#include "fovea/core/lab/workbench.hpp"

namespace fovea::command {

/// Installs the handlers; until then the signals end the process.
void listen_to_signals();
/// A limit on file sizes then ends in a write that fails, and so in exit code 7, and not in a signal.
void let_writes_fail();
/// The number of the signal that came, or 0.
StopFlag& stop_flag();

}  // namespace fovea::command
