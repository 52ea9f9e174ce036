/// The command `fovea`: everything that prints or exits is in this folder.

#include "fovea/experiments/front_door.hpp"

int main(int argc, char* argv[]) { return fovea::command::enter({argv + 1, argv + argc}); }
