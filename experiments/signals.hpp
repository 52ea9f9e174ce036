#pragma once
/// Signals that ask a run to save and stop: Ctrl-C, SIGTERM, SIGHUP (the terminal is gone), and the warnings of batch
/// systems, SIGUSR1, SIGUSR2 and SIGXCPU. A second Ctrl-C or SIGTERM ends the process at once (files stay whole,
/// because each is renamed into place); a warning may come as often as it likes.

namespace fovea::command {

/// Installs the handlers, which set process_stop_flag(); until then the signals end the process. Those that whoever
/// started us had ignored stay so, as SIGHUP under nohup; Ctrl-C and SIGTERM are always heard.
void listen_to_signals();
/// A limit on file sizes then ends in a write that fails, and so in exit code 7, and not in a signal.
void let_writes_fail();

}  // namespace fovea::command
