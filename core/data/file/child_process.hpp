#pragma once
/// What the children that read files of others have in common: silence, limits, and how their parent hears of them.
/// Internal to core/data/file.

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>

namespace fovea {

/// Whatever happens in the child is an answer, not news: no handler of the parent runs, and nothing is printed. Signals
/// that ask to stop are the parent's to hear; it ends the child.
void silence_child();

/// Now, and the most that may be asked for later.
void limit_resource(int resource, rlim_t now, rlim_t later);

/// Limits the memory that this process may ask for (not under a sanitizer, which needs the address space for itself).
void limit_memory(rlim_t now, rlim_t later);

/// Bytes of address space in use, which a limit of memory comes on top of; 0 if it cannot be told.
std::size_t address_space_in_use();

/// A quarter of the machine's memory, in bytes.
std::size_t quarter_of_the_machine();

/// The processor time that a process has taken so far.
std::chrono::steady_clock::duration processor_time_of(pid_t process);

/// Waits for the end of a child, which is killed first if so wanted; its status as waitpid() tells it.
int wait_for_child(pid_t child, bool kill_it);

/// "made the HDF5 library hang" or "... crash", for a child that ended with this status before it was done.
std::string what_happened(int status, bool ended_by_itself, const std::string& library = "HDF5");

/// The operating system's sentence for an error number.
std::string system_reason(int error);

}  // namespace fovea
