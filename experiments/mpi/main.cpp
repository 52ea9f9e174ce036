/// The command `fovea-mpi`: `fovea`, of which several processes compute one run together.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "fovea/core/ranks/mpi/mpi_ranks.hpp"
#include "fovea/experiments/commands/front_door.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/short_waits.hpp"

namespace fovea::command {
namespace {

constexpr double kSameError = 2;  // seconds in which the others come to an error of them all, such as a wrong config

/// What a rank other than 0 would say is kept, in case that it alone has something to say.
class Silence {
 public:
  Silence() : loud_(::dup(STDERR_FILENO)), kept_(::memfd_create("stderr", MFD_CLOEXEC)) {
    if (kept_ >= 0) ::dup2(kept_, STDERR_FILENO);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) std::fclose(stdout);
  }
  ~Silence() {
    if (loud_ >= 0) ::close(loud_);
    if (kept_ >= 0) ::close(kept_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

  void speak() const {
    std::array<char, 4096> text{};
    ::lseek(kept_, 0, SEEK_SET);
    for (ssize_t count = 0; (count = ::read(kept_, text.data(), text.size())) > 0;)
      if (::write(loud_, text.data(), count) < 0) return;
  }

 private:
  int loud_, kept_;
};

bool fails(int code) { return code != kDone && code != kDiffers && code != kSomePointsFailed; }

int enter_together(const MpiRanks& ranks, const std::vector<std::string>& words) {
  std::optional<Silence> silence;
  if (ranks.rank() > 0) silence.emplace();
  const int code = enter(words, {"fovea-mpi", &ranks});
  // Of all that end together rank 0 tells the code: mpirun stops the others when one ends with an error.
  if (ranks.all_end(fails(code) ? kSameError : -1)) return ranks.rank() == 0 ? code : int{kDone};
  if (silence) silence->speak();
  ranks.abandon(code);
}

}  // namespace
}  // namespace fovea::command

int main(int argc, char* argv[]) {
  fovea::command::start_with_short_waits(argc, argv);
  const fovea::MpiRanks ranks(argc, argv);
  return fovea::command::enter_together(ranks, {argv + 1, argv + argc});
}
