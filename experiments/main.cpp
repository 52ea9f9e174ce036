/// The command `fovea`: everything that prints or exits is in this folder.

#include "fovea/experiments/commands/front_door.hpp"
#include "fovea/experiments/short_waits.hpp"

int main(int argc, char* argv[]) {
  fovea::command::start_with_short_waits(argc, argv);
  return fovea::command::enter({argv + 1, argv + argc});
}
