#pragma once

namespace fovea::command {

/// OpenMP's idle threads keep a processor busy for milliseconds in the hope of more work. Where other programs want
/// that processor, a run takes two to four times as long; with a short wait it does not, and on an idle machine it is
/// as fast. The library reads this setting once, when it is loaded: hence the second start. Who has chosen is left
/// alone, and so is a command that does not compute.
void start_with_short_waits(int argc, char* argv[]);

}  // namespace fovea::command
