#include "fovea/core/base/stop_flag.hpp"

namespace fovea {

StopFlag& process_stop_flag() {
  static constinit StopFlag flag{0};  // without a guard: a signal handler asks for it
  return flag;
}

StopFlag& process_saving() {
  static constinit StopFlag flag{0};
  return flag;
}

}  // namespace fovea
