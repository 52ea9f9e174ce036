#include "fovea/core/lab/directory/run_log.hpp"

#include <fstream>
#include <iomanip>
#include <sstream>

namespace fovea {

void RunLog::line(const std::string& text) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::ostringstream line;
  line << std::fixed << std::setprecision(3) << std::setw(10) << elapsed.count() << "  " << text << '\n';
  const std::lock_guard lock(mutex_);
  std::ofstream(path_, std::ios::app) << line.str();
}

}  // namespace fovea
