#pragma once
/// SafeTensors files (github.com/huggingface/safetensors): named arrays for exchange with PyTorch, NumPy and others.
///
/// 8 bytes: the length of the header, little-endian; the header: a JSON object, name -> {"dtype", "shape",
/// "data_offsets": [begin, end]}, and "__metadata__": text -> text; then the bytes of the arrays, little-endian, last
/// dimension fastest.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fovea/core/learning/parameters.hpp"

namespace fovea::learning {

struct Tensor {
  /// F32, F64, I64 and U8 in a file; F16 and BF16 are read as float, I32 as int64. All exactly.
  using Values =
      std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>>;
  std::string name;
  std::vector<std::int64_t> shape;  ///< empty for a single number
  Values values;                    ///< as many as the product of the shape
};

struct TensorFile {
  std::vector<Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// The bytes of a file; arrays of the widest numbers come first, so that all are aligned. Throws ArgumentError where a
/// name occurs twice, is "__metadata__" or no UTF-8, or a shape does not fit its values.
std::string safetensors_bytes(const TensorFile& file);
void write_safetensors(const std::string& path, const TensorFile& file);

/// Reads what anybody may have written, in the order of the bytes. Throws DataError (path: what is wrong) unless all of
/// this holds: the header has at most 100 MB, lies within the file, and is a JSON object in UTF-8 with nothing but the
/// members above, each once; the arrays' ranges follow one another without gap or overlap from the first byte after the
/// header to the last of the file, and are as long as shape and dtype say. Takes no more memory than a few times the
/// file's size.
TensorFile parse_safetensors(std::string_view bytes, const std::string& path);
TensorFile read_safetensors(const std::string& path);

/// A model: each parameter under its name, rows x columns. PyTorch keeps the weight of a linear layer the other way
/// round (columns x rows).
template <typename Real>
TensorFile tensors_of(const Parameters<Real>& parameters);

/// The values of a file for a model that is there already: every parameter must be in the file with its shape (a 1 x C
/// parameter also as C, a 1 x 1 as a single number) and finite floating-point values, and nothing else may be.
/// Throws DataError that names path and parameter; the parameters are then as before.
template <typename Real>
void load_tensors(const TensorFile& file, const std::string& path, Parameters<Real>& parameters);

}  // namespace fovea::learning
