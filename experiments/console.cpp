#include "fovea/experiments/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/lines.hpp"

namespace fovea::command {

namespace {

constexpr std::size_t kBarWidth = 30;

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && (kind == nullptr || std::string(kind) != "dumb");
}

std::size_t terminal_width(int file) {
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string digits(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

Console::Console(const Arguments& arguments)
    : quiet_(arguments.has("quiet")),
      verbose_(arguments.has("verbose")),
      terminal_(is_terminal()),
      colours_(terminal_ && !set("NO_COLOR")) {}

Console::~Console() { clear(); }

void Console::say(const std::string& sentence) {
  if (!quiet_) line(sentence);
}

void Console::detail(const std::string& sentence) {
  if (verbose_ && !quiet_) line(sentence);
}

void Console::progress(const Progress& progress) {
  if (quiet_) return;
  if (!terminal_) {
    if (progress.elapsed_seconds < next_line_ - kBetweenLines) next_line_ = kFirstLine;  // the next run
    if (progress.elapsed_seconds < next_line_) return;
    next_line_ = kBetweenLines * (1 + std::floor(progress.elapsed_seconds / kBetweenLines));
    return line(progress_text(progress));
  }
  const std::string text = bar_text(progress, terminal_width(STDERR_FILENO) - 1);
  std::cerr << '\r' << (colours_ ? "\033[36m" : "") << text << (colours_ ? "\033[0m" : "") << "\033[K" << std::flush;
  bar_shown_ = true;
}

void Console::clear() {
  if (bar_shown_) std::cerr << "\r\033[K" << std::flush;
  bar_shown_ = false;
}

void Console::line(const std::string& text) {
  clear();
  std::cerr << plain_minus(text) << '\n';
}

std::size_t output_width() { return ::isatty(STDOUT_FILENO) == 0 ? 0 : terminal_width(STDOUT_FILENO); }

std::string sentence(const std::string& text, std::size_t indent) { return in_lines(text, output_width(), indent); }

std::string plain_minus(std::string text) {
  constexpr std::string_view kMinus = "\u2212";
  for (std::size_t at = 0; (at = text.find(kMinus, at)) != std::string::npos; ++at)
    text.replace(at, kMinus.size(), "-");
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 1) return digits("%.2g s", seconds);
  if (seconds < 60) return digits("%.0f s", seconds);
  const double minutes = std::floor(seconds / 60);
  if (minutes < 60) return digits("%.0f min ", minutes) + digits("%.0f s", seconds - 60 * minutes);
  const double hours = std::floor(minutes / 60);
  return digits("%.0f h ", hours) + digits("%.0f min", minutes - 60 * hours);
}

std::string bytes_text(double bytes) {
  const std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return digits(bytes < 10 && unit > 0 ? "%.1f " : "%.0f ", bytes) + units[unit];
}

std::string progress_text(const Progress& progress) {
  std::string text = digits("%.0f %%", std::floor(100 * progress.fraction));
  if (progress.total > 1) text += concat(", ", progress.finished, " of ", progress.total, " points");
  if (progress.failed > 0) text += concat(", ", progress.failed, " failed");
  text += ", " + duration_text(progress.elapsed_seconds) + " so far";
  if (progress.seconds_left) text += ", " + duration_text(*progress.seconds_left) + " left at this pace";
  return text;
}

std::string bar_text(const Progress& progress, std::size_t width) {
  const auto filled = static_cast<std::size_t>(progress.fraction * static_cast<double>(kBarWidth));
  std::string text = "[" + std::string(filled, '=') + std::string(kBarWidth - std::min(kBarWidth, filled), ' ') + "]";
  text += digits(" %.0f %%", std::floor(100 * progress.fraction));
  if (progress.total > 1) text += concat("  ", progress.finished, " of ", progress.total, " points");
  if (progress.failed > 0) text += concat("  ", progress.failed, " failed");
  if (progress.total > 1 && progress.elapsed_seconds > 0 && progress.seconds_left) {
    const double left = static_cast<double>(progress.total) * (1 - progress.fraction);
    if (*progress.seconds_left > 0) text += digits("  %.2g points/s", left / *progress.seconds_left);
  } else if (progress.seconds_left && *progress.seconds_left > 0) {
    text += digits("  %.2g %%/s", 100 * (1 - progress.fraction) / *progress.seconds_left);
  }
  if (progress.seconds_left) text += "  " + duration_text(*progress.seconds_left) + " left";
  return text.substr(0, width);
}

}  // namespace fovea::command
