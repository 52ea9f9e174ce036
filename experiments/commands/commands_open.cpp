/// open: the page of a run, in whatever shows pages here.

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOpener = "xdg-open";

bool has_display() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return true;
  return false;
}

/// Starts what the desktop shows pages with, its output left aside; false where there is none.
bool show(std::string page) {
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  for (const int file : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&quiet, file, "/dev/null", O_WRONLY, 0);
  std::string opener = kOpener;
  const std::array<char*, 3> words{opener.data(), page.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, kOpener, &quiet, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&quiet);
  return error == 0;
}

/// The page of a run, or a page itself.
std::string page_of(const std::string& path) {
  if (!fs::exists(path)) throw DataError(concat(path, ": there is no such run or page."));
  if (fs::is_regular_file(path)) {
    if (!path.ends_with(".html")) throw DataError(concat(path, ": is no page; give a run or its report.html."));
    return path;
  }
  const RunDirectory run(path);
  if (!is_file(run.report()))
    throw DataError(concat(path, ": contains no report.html; if it is a run, finish it with: fovea resume ", path));
  return run.report().path();
}

/// The newer one of the pages that `fovea run DOMAIN` leaves.
std::string page_of_domain(const std::string& domain) {
  const std::string page = "runs/" + domain + ".html", preview = "runs/" + domain + "-quick.html";
  std::error_code error;
  if (!fs::exists(page, error)) return fs::exists(preview, error) ? preview : page;
  return fs::exists(preview, error) && fs::last_write_time(preview) > fs::last_write_time(page) ? preview : page;
}

int open_page(const Arguments& arguments) {
  Console console(arguments);
  std::string word = arguments.positional.empty() ? "" : arguments.positional[0];
  if (find_domain(word) != nullptr && !fs::exists(word)) word = page_of_domain(word);
  const std::string page = page_of(run_called(word, Wanted::report, console));
  const std::string whole = fs::absolute(page).lexically_normal().string();
  if (!has_display()) {
    console.say("there is no display here; open the page in any browser:");
  } else if (!show(whole)) {
    console.say(concat("there is no ", kOpener, " here; open the page in any browser:"));
  }
  std::cout << whole << '\n';
  return kDone;
}

}  // namespace

std::vector<Command> open_commands() {
  return {{"open",
           "show the page of a run, by default of the last one",
           "[RUN]",
           0,
           1,
           {"fovea open", "fovea open temperature", "fovea open mechanism"},
           {},
           "RUN is a run directory, a page, a domain, or the name of an experiment or a config: then its last run in "
           "runs.\n"
           "The page is opened by xdg-open where there is a display; its path is printed in any case.",
           &open_page}};
}

}  // namespace fovea::command
