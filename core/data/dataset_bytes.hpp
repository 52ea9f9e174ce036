#pragma once
/// A Dataset as one canonical string of bytes: what content_hash() hashes, and how a child process hands one back.
///
/// Little-endian throughout. A text is its length (uint64) and its bytes. In this order: the word "fovea-dataset-1";
/// the dimensions (count; name, size); the variables (count; name, dimensions, type number, count, values, units,
/// long_name, attributes); the attributes (count; name, text; with the Conventions that a file has); the documents (the
/// same).

#include <functional>
#include <string>
#include <string_view>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// The attribute "Conventions" of every file and of the canonical bytes, unless the data set has its own.
inline constexpr const char* kConventions = "CF-1.10";

/// Hands the canonical bytes to `take`, piece by piece; large arrays are not copied.
void write_canonical(const Dataset& data, const std::function<void(std::string_view)>& take);

/// Likewise what numbers_hash() and words_hash() are taken of, each in the encoding above with a first word of its own,
/// dimensions and variables in the order of their names: the dimensions and the variables (name, dimensions, type
/// number, count, values, units); the variables (name, long_name, attributes), the attributes and the documents.
void write_numbers(const Dataset& data, const std::function<void(std::string_view)>& take);
void write_words(const Dataset& data, const std::function<void(std::string_view)>& take);

/// The data set of canonical bytes. Throws DataError if they are not whole; never reads outside of them.
Dataset read_canonical(std::string_view bytes);

}  // namespace fovea
