#include "fovea/experiments/commands/export_figures.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/sweep/sweep_points.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/experiments/exit_codes.hpp"

extern char** environ;

namespace fovea::command {
namespace {

constexpr std::int64_t kDefaultWidth = 1440, kLeastWidth = 100, kMostWidth = 20000;  // pixels of a PNG

/// Runs a program and waits for it; false where there is none of that name.
bool run_program(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int fault = ::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ); fault != 0) {
    if (fault == ENOENT) return false;
    throw std::runtime_error(concat(words[0], ": cannot be run (", std::strerror(fault), ")."));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(concat(words[0], ": could not draw ", words.back(), "; its own message is above."));
  return true;
}

/// FILE.pdf or FILE.png of FILE.svg.
void convert(const std::string& svg, const std::string& drawn, const std::string& format, std::int64_t width) {
  const std::string pixels = std::to_string(width);
  std::vector<std::string> rsvg{"rsvg-convert", "--format", format, "--output", drawn},
      cairo{"cairosvg", "--format", format, "--output", drawn};
  if (format == "png") {
    rsvg.insert(rsvg.end(), {"--width", pixels, "--keep-aspect-ratio"});
    cairo.insert(cairo.end(), {"--output-width", pixels});
  }
  rsvg.push_back(svg), cairo.push_back(svg);
  if (!run_program(std::move(rsvg)) && !run_program(std::move(cairo)))
    throw std::runtime_error(
        concat("export --figures ", format, ": neither rsvg-convert nor cairosvg is installed, one of ",
               "which draws it; install Debian's librsvg2-bin or python3-cairosvg, or take --figures ", "svg."));
}

}  // namespace

int export_figures(const Arguments& arguments, const Results& results) {
  if (!arguments.has("figures")) throw UsageError("--width is about figures; add --figures png.");
  for (const char* option : {"csv", "variable", "graphml", "safetensors", "names", "member"})
    if (arguments.has(option))
      throw UsageError(concat("--figures writes the figures of a result; give it without --", option, "."));
  const std::string format = arguments.text("figures", "");
  if (format != "svg" && format != "pdf" && format != "png")
    throw UsageError(concat("--figures ", format, ": is no format of figures; give svg, pdf or png."));
  if (arguments.has("width") && format != "png")
    throw UsageError(
        concat("--width is in pixels of a PNG, but ", format, " has none; leave it out or add --figures png."));
  const std::int64_t width = arguments.integer("width", kLeastWidth, kDefaultWidth);
  if (width > kMostWidth)
    throw UsageError(concat("--width ", width, ": but must be ", kLeastWidth, " to ", kMostWidth, " pixels."));
  const std::vector<SvgFigure> figures = draw_figures(with_sweep_points(results));
  if (figures.empty()) throw DataError(arguments.positional[0] + ": has no figures.");
  const std::string folder = arguments.text("output", "figures");
  make_folder(folder);
  for (const SvgFigure& figure : figures) {
    const std::string stem = folder + '/' + figure.name;
    write_file(stem + ".svg", figure.svg);
    if (format != "svg") convert(stem + ".svg", stem + '.' + format, format, width);
    std::cout << stem << '.' << format << '\n';
  }
  return kDone;
}

}  // namespace fovea::command
