#include <sys/wait.h>

#include <cstdlib>

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr int kNoXarray = 77;

/// What tests/python/xarray_test.py expects.
Dataset sample_for_xarray() {
  Dataset data;
  data.add({"branch", {"branch"}, std::vector<std::string>{"cooling", "heating"}, "", "direction of the sweep", {}});
  data.add({"seed", {"seed"}, std::vector<std::int64_t>{1, 2, 3}, "1", "seed", {}});
  data.add({"temperature", {"temperature"}, std::vector<double>{0.1, 0.2, 0.3, 0.4}, "1", "softmax temperature", {}});
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back(i);
  values.back() = std::numeric_limits<double>::quiet_NaN();
  data.add({"variance", {"branch", "seed", "temperature"}, values, "1", "variance of the opinions", {}});
  values.resize(12);
  data.add({"variance_of_one_branch", {"seed", "temperature"}, values, "1", "variance of the opinions", {}});
  data.add({"critical", {}, std::vector<double>{0.25}, "1", "critical temperature", {}});
  data.dimension("agent", 3);
  data.dimension("nothing", 0);
  data.add({"group",
            {"agent"},
            std::vector<std::uint8_t>{0, 1, 1},
            "",
            "side",
            {{"flag_values", "0, 1"}, {"flag_meanings", "Mr._Hi Officer"}}});
  data.add({"name", {"agent"}, std::vector<std::string>{"", "\xC3\x9Cn\xC3\xAF", "c"}, "", "name", {}});
  data.add({"empty", {"nothing"}, std::vector<double>{}, "1", "nothing at all", {}});
  data.attributes["title"] = "a sample";
  data.documents = {{"config.toml", "seed = 1\n"}, {"large", std::string(100'000, 'x')}};
  return data;
}

}  // namespace

TEST_CASE("xarray opens a result without further argument, with coordinates, units, names and plots",
          "[xarray][long]") {
  const support::TemporaryFolder folder;
  write_dataset(folder.file("sample.h5"), sample_for_xarray());
  const std::string script = support::source("python/xarray_test.py");
  const std::string command =
      "/usr/bin/python3 '" + script + "' '" + folder.file("sample.h5") + "' > '" + folder.file("output") + "' 2>&1";
  // A sanitizer that was preloaded here would only slow Python down.
  const int status =
      std::system(("env -u LD_PRELOAD OMP_NUM_THREADS=1 MPLCONFIGDIR='" + folder.path() + "' " + command).c_str());
  INFO(support::text_of(folder.file("output")));
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoXarray)
    WARN("no xarray here: not tested");
  else
    CHECK(WEXITSTATUS(status) == 0);
}
