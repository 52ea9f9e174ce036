#include "fovea/core/learning/model/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/learning/model/safetensors_header.hpp"

namespace fovea::learning {

namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of the files are little-endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;

template <typename Item>
std::vector<Item> as_they_are(std::string_view bytes) {
  std::vector<Item> values(bytes.size() / sizeof(Item));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <typename From, typename To, typename Convert>
std::vector<To> converted(std::string_view bytes, const Convert& convert) {
  const std::vector<From> stored = as_they_are<From>(bytes);
  std::vector<To> values(stored.size());
  std::transform(stored.begin(), stored.end(), values.begin(), convert);
  return values;
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
float from_f16(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, fraction = bits & 0x3ffu;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * static_cast<float>(fraction) * 0x1p-24f;
  const std::uint32_t wide = exponent == 0x1f ? 0xff : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

struct ElementType {
  std::string_view name;
  std::size_t bytes;
  Tensor::Values (*read)(std::string_view bytes);
};

constexpr ElementType kElementTypes[] = {
    {"BF16", 2, [](std::string_view b) -> Tensor::Values { return converted<std::uint16_t, float>(b, &from_bf16); }},
    {"F16", 2, [](std::string_view b) -> Tensor::Values { return converted<std::uint16_t, float>(b, &from_f16); }},
    {"F32", 4, [](std::string_view b) -> Tensor::Values { return as_they_are<float>(b); }},
    {"F64", 8, [](std::string_view b) -> Tensor::Values { return as_they_are<double>(b); }},
    {"I32", 4,
     [](std::string_view b) -> Tensor::Values {
       return converted<std::int32_t, std::int64_t>(b, [](std::int32_t x) { return std::int64_t{x}; });
     }},
    {"I64", 8, [](std::string_view b) -> Tensor::Values { return as_they_are<std::int64_t>(b); }},
    {"U8", 1, [](std::string_view b) -> Tensor::Values { return as_they_are<std::uint8_t>(b); }},
};

constexpr const char* kWritten[] = {"F32", "F64", "I64", "U8"};  // in the order of Tensor::Values

[[noreturn]] void refuse(const std::string& path, const TensorHeader& tensor, const std::string& why) {
  throw DataError(concat(path, ": '", shown_name(tensor.name), "' ", why, "."));
}

const ElementType& element_type(const TensorHeader& tensor, const std::string& path) {
  for (const ElementType& type : kElementTypes)
    if (type.name == tensor.dtype) return type;
  refuse(path, tensor,
         concat("has dtype '", shown_name(tensor.dtype), "', but only BF16, F16, F32, F64, I32, I64 and U8 are known"));
}

/// The bytes that a tensor of this shape takes; refuses what 64 bits cannot count.
std::uint64_t bytes_of_shape(const TensorHeader& tensor, std::size_t element, const std::string& path) {
  std::uint64_t bytes = element;
  for (const std::int64_t size : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
      refuse(path, tensor, "has a shape of more than 2^64 bytes");
  return bytes;
}

std::vector<TensorHeader> in_order_of_bytes(std::vector<TensorHeader> tensors) {
  std::stable_sort(tensors.begin(), tensors.end(), [](const TensorHeader& a, const TensorHeader& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  return tensors;
}

/// Splits a file in its header's text and the bytes behind it.
std::pair<std::string_view, std::string_view> split(std::string_view bytes, const std::string& path) {
  if (bytes.size() < kLengthBytes)
    throw DataError(concat(path, ": has ", bytes.size(), " bytes, but a SafeTensors file has at least 8."));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLongestHeader || length > bytes.size() - kLengthBytes)
    throw DataError(concat(path, ": its header should have ", length, " bytes, but must have at most ",
                           std::min<std::uint64_t>(kLongestHeader, bytes.size() - kLengthBytes),
                           "; this is no SafeTensors file, or it was cut off."));
  const std::string_view header = bytes.substr(kLengthBytes, length);
  if (!header.starts_with('{')) throw DataError(concat(path, ": its header does not begin with '{'."));
  return {header, bytes.substr(kLengthBytes + length)};
}

}  // namespace

TensorFile parse_safetensors(std::string_view bytes, const std::string& path) {
  const auto [text, data] = split(bytes, path);
  SafetensorsHeader header = parse_safetensors_header(text, path);
  TensorFile file{{}, std::move(header.metadata)};
  std::uint64_t filled = 0;
  for (TensorHeader& tensor : in_order_of_bytes(std::move(header.tensors))) {
    const ElementType& type = element_type(tensor, path);
    if (tensor.begin != filled || tensor.end < tensor.begin || tensor.end > data.size())
      refuse(path, tensor,
             concat("has bytes ", tensor.begin, " to ", tensor.end, " of ", data.size(), ", but must begin at ", filled,
                    ", where the one before it ends, and lie within"));
    const std::uint64_t needed = bytes_of_shape(tensor, type.bytes, path);
    if (tensor.end - tensor.begin != needed)
      refuse(path, tensor, concat("has ", tensor.end - tensor.begin, " bytes, but its shape needs ", needed));
    filled = tensor.end;
    file.tensors.push_back(
        {std::move(tensor.name), std::move(tensor.shape), type.read(data.substr(tensor.begin, needed))});
  }
  if (filled != data.size())
    throw DataError(concat(path, ": has ", data.size() - filled, " bytes at the end that belong to no tensor."));
  return file;
}

TensorFile read_safetensors(const std::string& path) { return parse_safetensors(read_file(path), path); }

std::string safetensors_bytes(const TensorFile& file) {
  SafetensorsHeader header{{}, file.metadata};
  std::string data;
  for (const std::size_t width : {8u, 4u, 1u}) {  // the widest first: all stay aligned
    for (const Tensor& tensor : file.tensors) {
      std::visit(
          [&](const auto& values) {
            const std::size_t element = sizeof(values[0]);
            if (element != width) return;
            TensorHeader entry{tensor.name, kWritten[tensor.values.index()], tensor.shape, data.size(), 0};
            std::uint64_t count = 1;
            for (const std::int64_t size : tensor.shape)
              require(size >= 0 && !__builtin_mul_overflow(count, static_cast<std::uint64_t>(size), &count),
                      "safetensors: the shape of '", tensor.name, "' has the dimension ", size, ".");
            require(count == values.size(), "safetensors: the shape of '", tensor.name, "' needs ", count,
                    " values, but there are ", values.size(), ".");
            if (count > 0) data.append(reinterpret_cast<const char*>(values.data()), count * element);
            entry.end = data.size();
            header.tensors.push_back(std::move(entry));
          },
          tensor.values);
    }
  }
  std::string text = safetensors_header_text(header);
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  require(text.size() <= kLongestHeader, "safetensors: the header has ", text.size(), " bytes, but may have 1e8.");
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  return bytes + text + data;
}

void write_safetensors(const std::string& path, const TensorFile& file) { write_file(path, safetensors_bytes(file)); }

}  // namespace fovea::learning
