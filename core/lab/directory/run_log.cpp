#include "fovea/core/lab/directory/run_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <iomanip>
#include <sstream>

namespace fovea {
namespace {

/// Not open if the disk refuses. Throws like check().
Descriptor open_log(const Place& place, int flags) {
  Descriptor file = open_place(place, flags);
  if (file.is_open()) refuse_second_name(place, file);
  return file;
}

}  // namespace

void RunLog::check() const { open_log(place_, O_RDONLY); }

void RunLog::line(const std::string& text) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::ostringstream line;
  line << std::fixed << std::setprecision(3) << std::setw(10) << elapsed.count() << "  " << text << '\n';
  const std::lock_guard lock(mutex_);
  try {
    const Descriptor file = open_log(place_, O_WRONLY | O_APPEND | O_CREAT);
    const std::string bytes = line.str();
    if (!file.is_open() || ::write(file.number(), bytes.data(), bytes.size()) < 0) return;  // the log may be lost
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace fovea
