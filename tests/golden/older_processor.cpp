/// Preloaded (LD_PRELOAD), this makes a program compute as on an older processor. What GCC's run-time library notes
/// about the processor (`__cpu_model`, read by __builtin_cpu_supports) is written before that library looks for itself,
/// which it does only while nothing is noted; instructions that are not said to be there are then not chosen.
///
///   FOVEA_CPU_MODEL      where __cpu_model lies in the program, as `nm` says, in hexadecimal digits
///   FOVEA_CPU_FEATURES   its bits in hexadecimal digits, see processor_features in GCC's cpuinfo.h

#include <link.h>

#include <cstdlib>

namespace {

struct CpuModel {
  unsigned vendor, type, subtype, features;
};

int take_first(dl_phdr_info* object, std::size_t, void* start) {
  *static_cast<ElfW(Addr)*>(start) = object->dlpi_addr;
  return 1;  // the program itself comes first
}

__attribute__((constructor)) void note_older_processor() {
  const char *place = std::getenv("FOVEA_CPU_MODEL"), *features = std::getenv("FOVEA_CPU_FEATURES");
  if (place == nullptr || features == nullptr) return;
  ElfW(Addr) start = 0;
  dl_iterate_phdr(take_first, &start);
  auto* model = reinterpret_cast<CpuModel*>(start + std::strtoul(place, nullptr, 16));
  model->vendor = 1;  // any but 0 says that the processor is known
  model->features = static_cast<unsigned>(std::strtoul(features, nullptr, 16));
}

}  // namespace
