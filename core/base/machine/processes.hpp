#pragma once
/// Names a process so that others who share its disk can tell whether it has ended.

#include <string>

namespace fovea {

/// Where the number of this process means something: the host's name and, in a container, the number of its
/// namespace of processes. Two hosts may have one name: then the living may look dead to each other.
const std::string& process_host();

/// 16 hexadecimal digits that no other process has, be it on another host under the same number.
const std::string& process_word();

/// Whether no process with this number lives on this host; false where it cannot be told.
bool process_ended(long number);

}  // namespace fovea
