#pragma once
/// The one place that knows what a file is by its first bytes, where it is no text that is read here: spreadsheets,
/// tables of other programs, packed files, pictures, documents.

#include <cstddef>
#include <string>
#include <string_view>

namespace fovea::datasets::text {

/// As many first bytes as tell a format.
inline constexpr std::size_t kTellingBytes = 4096;

/// foreign: nobody reads it. arrays: of ROOT or NumPy, which readers of jets know. text: or not known.
enum class FileFormat { text, foreign, hdf5, tiff, arrays };
FileFormat format_of_bytes(std::string_view front);

/// "is an Excel workbook, which is not read here; save its sheet as CSV", or how to unpack it; "" for text and for what
/// is not known.
std::string foreign_format(std::string_view front, const std::string& path);

/// The first bytes of a file, of one that is packed by gzip those of its content; "" for what cannot be read.
std::string front_of(const std::string& path, std::size_t most = kTellingBytes);

}  // namespace fovea::datasets::text
