#include "fovea/core/learning/model/safetensors_header.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr std::size_t kMostDimensions = 32;

/// Takes the events of the parser; any that the format does not know ends it.
class HeaderReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(SafetensorsHeader& header) : header_(header) {}
  const std::string& complaint() const { return complaint_; }

  bool null() override { return refuse("null is not allowed here"); }
  bool boolean(bool) override { return refuse("true or false is not allowed here"); }
  bool number_integer(number_integer_t value) override { return refuse(concat(value, " is negative")); }
  bool number_float(number_float_t, const string_t& text) override {
    return refuse(concat(shown_name(text), " is no whole number below 2^64"));
  }
  bool binary(binary_t&) override { return refuse("binary data is not allowed here"); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t& text) override;
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return refuse(concat("is no valid JSON (byte ", position, ")"));
  }

 private:
  enum class Place { outside, file, metadata, tensor, shape, offsets };

  bool refuse(const std::string& why) {
    if (complaint_.empty()) complaint_ = (name_.empty() ? "" : "'" + shown_name(name_) + "': ") + why;
    return false;
  }
  bool begin_member(const std::string& member);
  bool finish_tensor();

  SafetensorsHeader& header_;
  Place place_ = Place::outside;
  std::set<std::string> names_;  ///< of tensors
  std::string name_;             ///< of the tensor
  std::string member_;           ///< of the tensor or of the metadata
  std::set<std::string> members_;
  std::vector<std::uint64_t> offsets_;
  bool metadata_seen_ = false;
  std::string complaint_;
};

bool HeaderReader::number_unsigned(number_unsigned_t value) {
  if (place_ == Place::shape) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return refuse(concat("a dimension of ", value, " is too large"));
    header_.tensors.back().shape.push_back(static_cast<std::int64_t>(value));
    return header_.tensors.back().shape.size() <= kMostDimensions || refuse("has more than 32 dimensions");
  }
  if (place_ == Place::offsets && offsets_.size() < 2) {
    offsets_.push_back(value);
    return true;
  }
  return refuse(concat("the number ", value, " is not allowed here"));
}

bool HeaderReader::string(string_t& text) {
  if (place_ == Place::tensor && member_ == "dtype") {
    header_.tensors.back().dtype = text;
    return true;
  }
  if (place_ != Place::metadata) return refuse(concat("the text '", shown_name(text), "' is not allowed here"));
  return header_.metadata.emplace(member_, text).second ||
         refuse(concat("the metadata '", shown_name(member_), "' occurs twice"));
}

bool HeaderReader::start_object(std::size_t) {
  if (place_ == Place::outside) {
    place_ = Place::file;
    return true;
  }
  if (place_ != Place::file) return refuse("an object is not allowed here");
  if (name_ == kMetadata) {
    place_ = Place::metadata;
    return true;
  }
  place_ = Place::tensor;
  members_.clear();
  header_.tensors.push_back({name_, "", {}, 0, 0});
  return true;
}

bool HeaderReader::key(string_t& text) {
  if (place_ == Place::file) {
    name_ = text;
    if (name_ != kMetadata)
      return !text.empty() && text.find('\0') == std::string::npos && names_.insert(text).second
                 ? true
                 : refuse("a name must not be empty, contain a NUL or occur twice");
    const bool first = !metadata_seen_;
    metadata_seen_ = true;
    return first || refuse("occurs twice");
  }
  member_ = text;
  return place_ == Place::metadata || begin_member(text);
}

bool HeaderReader::begin_member(const std::string& member) {
  const bool known = member == "dtype" || member == "shape" || member == "data_offsets";
  if (!known) return refuse(concat("has an unknown member '", shown_name(member), "'"));
  return members_.insert(member).second || refuse(concat("has its ", member, " twice"));
}

bool HeaderReader::end_object() {
  if (place_ == Place::tensor && members_.size() != 3) return refuse("needs dtype, shape and data_offsets");
  place_ = place_ == Place::file ? Place::outside : Place::file;
  name_.clear();
  return true;
}

bool HeaderReader::start_array(std::size_t) {
  if (place_ != Place::tensor || member_ == "dtype") return refuse("an array is not allowed here");
  place_ = member_ == "shape" ? Place::shape : Place::offsets;
  offsets_.clear();
  return true;
}

bool HeaderReader::end_array() {
  if (place_ == Place::offsets) {
    if (offsets_.size() != 2) return refuse("data_offsets must be two numbers");
    header_.tensors.back().begin = offsets_[0];
    header_.tensors.back().end = offsets_[1];
  }
  place_ = Place::tensor;
  return true;
}

}  // namespace

std::string shown_name(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  const auto continues = [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0u) == 0x80u; };
  std::size_t length = std::min(name.size(), kLongest);
  while (length < name.size() && length > 0 && continues(name[length])) --length;  // no half letter of UTF-8
  std::string shown = name.substr(0, length);
  for (char& letter : shown)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = '?';
  return length < name.size() ? shown + "..." : shown;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& path) {
  SafetensorsHeader header;
  HeaderReader reader(header);
  if (!nlohmann::json::sax_parse(text, &reader))
    throw DataError(concat(path, ": the header of this SafeTensors file is damaged: ", reader.complaint(), "."));
  return header;
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
  nlohmann::ordered_json text = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) text[kMetadata] = header.metadata;
  for (const TensorHeader& tensor : header.tensors) {
    require(!tensor.name.empty() && tensor.name != kMetadata && tensor.name.find('\0') == std::string::npos &&
                !text.contains(tensor.name),
            "safetensors: '", shown_name(tensor.name),
            "' cannot be the name of a tensor; it must not be empty, '__metadata__', contain a NUL or occur twice.");
    text[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, tensor.end}}};
  }
  try {
    return text.dump();
  } catch (const nlohmann::json::exception&) {
    throw ArgumentError("safetensors: a name or the metadata are not UTF-8; they must be.");
  }
}

}  // namespace fovea::learning
