#include "fovea/datasets/particles/text/line_reader.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::text {

namespace {

constexpr std::size_t kLineBuffer = std::size_t{1} << 18, kLongestLine = std::size_t{1} << 24;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

using fovea::datasets::text::shown_text;

std::string_view without_plus(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

}  // namespace

bool is_number(std::string_view text, double& value) {
  const std::string_view digits = without_plus(text);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range && stop == digits.data() + digits.size() &&
      digits.find("e-") != std::string_view::npos) {
    value = 0;  // below the least double
    return true;
  }
  return error == std::errc() && stop == digits.data() + digits.size();
}

bool is_whole(std::string_view text, std::int64_t& value) {
  const std::string_view digits = without_plus(text);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && stop == digits.data() + digits.size();
}

bool LineReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ > kLongestLine) {
    ++number_;
    refuse(concat("is longer than ", kLongestLine, " bytes; is this a text of events?"));
  }
  if (buffer_.size() < end_ + kLineBuffer) buffer_.resize(end_ + kLineBuffer);
  const std::size_t done = stream_.read(buffer_.data() + end_, kLineBuffer);
  end_ += done;
  return done > 0;
}

bool LineReader::next() {
  std::size_t looked = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_ + looked;
    const auto* stop =
        end_ == begin_ + looked ? nullptr : static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - looked));
    looked = stop == nullptr ? end_ - begin_ : static_cast<std::size_t>(stop - buffer_.data()) - begin_;
    if (stop == nullptr && refill()) continue;
    if (stop == nullptr && looked == 0) return false;
    break;
  }
  line_ = {buffer_.data() + begin_, looked};
  begin_ = std::min(end_, begin_ + looked + 1);
  ++number_;
  if (number_ == 1 && line_.starts_with(kByteOrderMark)) line_.remove_prefix(kByteOrderMark.size());
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (std::memchr(line_.data(), '\0', line_.size()) != nullptr) refuse("holds a NUL byte; is this a text file?");
  return true;
}

void LineReader::refuse(const std::string& sentence) const {
  throw DataError(concat(path_, ":line ", number_, ": ", sentence));
}

std::string_view LineFields::word() {
  const std::size_t first = rest_.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    rest_ = {};
    return {};
  }
  const std::size_t end = std::min(rest_.size(), rest_.find_first_of(" \t", first));
  const std::string_view found = rest_.substr(first, end - first);
  rest_.remove_prefix(end);
  return found;
}

std::string_view LineFields::word(std::string_view name) {
  const std::string_view found = word();
  if (found.empty()) reader_.refuse(concat(whose_, " has no ", name, "; the line ends before it. It may be cut."));
  return found;
}

double LineFields::number(std::string_view name) {
  const std::string_view found = word(name);
  double value = 0;
  if (!is_number(found, value))
    reader_.refuse(concat(name, " of ", whose_, " is '", shown_text(found), "', but must be a number."));
  if (!std::isfinite(value))
    reader_.refuse(
        concat(name, " of ", whose_, " is ", shown_text(found), ", but must be finite; leave this event out."));
  return value;
}

std::int64_t LineFields::whole(std::string_view name) {
  const std::string_view found = word(name);
  std::int64_t value = 0;
  if (!is_whole(found, value))
    reader_.refuse(concat(name, " of ", whose_, " is '", shown_text(found), "', but must be a whole number."));
  return value;
}

void LineFields::skip(std::int64_t count, std::string_view name) {
  for (std::int64_t i = 0; i < count; ++i) word(name);  // ends with the line, whatever the count claims
}

}  // namespace fovea::datasets::particles::text
