#include "fovea/domains/lag/door/lags.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

const std::filesystem::file_time_type kLongAgo = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);

/// Another text of the same length, so that only its reading tells.
void put_table(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  std::filesystem::last_write_time(path, kLongAgo);
}

std::vector<std::string> settings_of(const Request& request, const std::vector<std::string>& further = {}) {
  std::vector<std::string> set;
  for (const Setting& setting : request.settings) set.push_back(setting.key_and_value);
  set.insert(set.end(), further.begin(), further.end());
  return set;
}

}  // namespace

TEST_CASE("what lags has read to choose the experiment is not read again", "[lag][inputs]") {
  const TemporaryFolder folder;
  Arguments arguments;
  arguments.positional = {std::filesystem::relative(folder.file("s.csv")).string()};
  put_table(folder.file("s.csv"), "a,b\n1,2\n2,1\n4,3\n3,5\n");
  OpenInputs opened;
  const Request request = door::lags().ask(arguments, opened, silent_narrator());
  CHECK(request.experiment == "lag.discover");
  put_table(folder.file("s.csv"), "a,b\n1,2\n2,1\n4,3\n3,7\n");
  const auto experiment = discover::make_discover();
  const auto found = [&](const Config& config) {
    return series::opened_series(opened.of(*experiment, config))->table.values(3, 0);
  };
  CHECK(series::opened_series(opened.of(*experiment, support::config_of(request.experiment, settings_of(request))))
            ->table.values(3, 1) == 5);
  CHECK(found(support::config_of(request.experiment, settings_of(request, {"data.columns=[\"b\"]"}))) ==
        7);  // another reading of it
}

TEST_CASE("lags asks lag.pair about uneven times, and hands on what it read", "[lag][inputs]") {
  const TemporaryFolder folder;
  Arguments arguments;
  arguments.positional = {folder.file("s.csv")};
  put_table(folder.file("s.csv"),
            "series,t,y,dy\na,1,2,.1\na,2,2,.1\na,4,3,.1\na,9,3,.1\nb,1,2,.1\nb,3,2,.1\nb,4,3,.1\nb,8,3,.1\n");
  OpenInputs opened;
  const Request request = door::lags().ask(arguments, opened, silent_narrator());
  CHECK(request.experiment == "lag.pair");
  put_table(folder.file("s.csv"),
            "series,t,y,dy\na,1,7,.1\na,2,2,.1\na,4,3,.1\na,9,3,.1\nb,1,2,.1\nb,3,2,.1\nb,4,3,.1\nb,8,3,.1\n");
  const auto file = series::opened_series(
      opened.of(*pair::make_pair(), support::config_of(request.experiment, settings_of(request))));
  CHECK(file->groups[0].curves[0].value[0] == 2);
}
