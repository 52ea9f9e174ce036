#pragma once
/// Small files of jets that tests make and damage.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::support {

/// A ragged file; an empty list or text is not written.
struct MadeRagged {
  std::vector<std::int64_t> offsets{0, 2, 3, 3};
  std::vector<double> particles{100.25, 0.5, 3.5, 0.125, 50.5, -0.25, -1.5, 0, 80.75, 1.25, 0.75, 0.5};
  std::size_t columns = 4;
  std::string names = "pt[GeV],eta,phi,mass[GeV]";
  std::vector<std::int64_t> label = {1, 0, -1}, pid = {211, 22, -11};
  std::vector<double> truth = {}, real_offsets = {};  ///< real_offsets: in place of the offsets
  std::size_t truth_columns = 4;
};
void write_made_ragged(const std::string& path, const MadeRagged& made);

/// The bytes of an .npy: version 1, this head, and doubles.
std::string made_npy(const std::string& head, const std::vector<double>& numbers);
/// "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2, 4), }"
std::string npy_head_text(const std::string& shape, const std::string& type = "<f8",
                          const std::string& order = "False");
/// A zip of stored members with right checksums.
std::string made_zip(const std::vector<std::pair<std::string, std::string>>& members);
/// Two jets of EnergyFlow's layout.
std::string made_energyflow();

/// The bytes with the `which`-th (from 0) occurrence of a number changed; throws std::logic_error if there is none.
std::string with_bytes_changed(std::string bytes, std::string_view from, std::string_view to, std::size_t which = 0);
template <typename Number>
std::string with_number(std::string bytes, Number from, Number to, std::size_t which = 0) {
  return with_bytes_changed(std::move(bytes), {reinterpret_cast<const char*>(&from), sizeof from},
                            {reinterpret_cast<const char*>(&to), sizeof to}, which);
}

}  // namespace fovea::support
