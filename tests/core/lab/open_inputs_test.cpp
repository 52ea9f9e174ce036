#include "fovea/core/lab/open_inputs.hpp"

#include <atomic>
#include <sstream>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/sweep.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// Adds numbers of a file, from the one at `first` on, times `factor`: `first` says what is read, `factor` does not.
class Sum final : public Experiment {
 public:
  using Numbers = std::vector<double>;
  std::string_view name() const override { return "test.sum"; }
  std::string_view summary() const override { return "a sum"; }
  int result_version() const override { return 1; }
  Schema schema() const override {
    Schema schema;
    schema.file("numbers", "what is added");
    schema.integer("first", 0, Range::at_least(0), "", "place of the first number");
    schema.real("factor", 1, Range::any(), "", "factor");
    return schema;
  }
  Inputs open(const Config& config) const override {
    if (config.text("numbers").empty()) return {};
    ++opened;
    std::istringstream text(read_file(config.text("numbers")));
    Numbers numbers;
    for (double number = 0; text >> number;) numbers.push_back(number);
    numbers.erase(numbers.begin(), numbers.begin() + config.integer("first"));
    return as_inputs(std::move(numbers));
  }
  void check_inputs(const Config& config, const Inputs& inputs) const override {
    ++checked;
    if (inputs.as<Numbers>()->empty()) throw DataError(config.text("numbers") + ": holds no number.");
  }
  void run(const Config& config, Inputs inputs, const Random&, Results& results, Workbench&) const override {
    double sum = 0;
    if (!inputs.empty())
      for (const double number : *inputs.as<Numbers>()) sum += number;
    const std::weak_ptr<const Numbers> held = inputs.as<Numbers>();
    inputs = {};
    freed = held.expired();
    results.scalar("sum", config.real("factor") * sum, "1", "the sum");
  }
  mutable std::atomic<int> opened{0}, checked{0};
  mutable std::atomic<bool> freed{false};
};

/// Written so many seconds ago.
std::string put_numbers(const TemporaryFolder& folder, const std::string& text, int seconds_ago = 100) {
  const std::string path = folder.file("numbers.txt");
  std::ofstream(path, std::ios::binary) << text;
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
  return path;
}

Config sum_of(const std::string& path, std::int64_t first = 0, double factor = 1) {
  Config config = support::config_of(Sum());
  config.set("numbers", path, {});
  config.set("first", first, {});
  config.set("factor", factor, {});
  return config;
}

RunSummary sum_in(const TemporaryFolder& folder, const Sum& sum, const Config& config) {
  RunOptions options;
  options.output = folder.path();
  options.threads = options.jobs = 3;
  return run_experiment(sum, config, "", options, silent_narrator());
}

}  // namespace

TEST_CASE("configs that agree in every key that open() asks for share what it gives", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  OpenInputs opened;
  const auto numbers = opened.of(sum, sum_of(path)).as<Sum::Numbers>();
  CHECK(*numbers == Sum::Numbers{1, 2, 3});
  CHECK(opened.of(sum, sum_of(path, 0, 7)).as<Sum::Numbers>() == numbers);
  CHECK(opened.knows(sum_of(path, 0, 9)));
  CHECK_FALSE(opened.knows(sum_of(path, 2)));
  CHECK(*opened.of(sum, sum_of(path, 2)).as<Sum::Numbers>() == Sum::Numbers{3});
  CHECK(sum.opened == 2);
  CHECK(opened.of(sum, sum_of("")).empty());
}

TEST_CASE("only what was opened last is kept for nobody; what is still in use is found again", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  OpenInputs opened;
  std::weak_ptr<const Sum::Numbers> unused = opened.of(sum, sum_of(path, 0)).as<Sum::Numbers>();
  CHECK_FALSE(unused.expired());
  const auto used = opened.of(sum, sum_of(path, 1)).as<Sum::Numbers>();
  CHECK(unused.expired());
  opened.of(sum, sum_of(path, 2));
  CHECK(opened.of(sum, sum_of(path, 1)).as<Sum::Numbers>() == used);
  CHECK(sum.opened == 3);
  opened.of(sum, sum_of(path, 0));
  CHECK(sum.opened == 4);
}

TEST_CASE("what is taken has no other holder", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  OpenInputs opened;
  opened.of(sum, sum_of(path));
  Inputs taken = opened.take(sum, sum_of(path));
  CHECK(sum.opened == 1);
  const std::weak_ptr<const Sum::Numbers> numbers = taken.as<Sum::Numbers>();
  taken = {};
  CHECK(numbers.expired());
}

TEST_CASE("a file that has changed is read again, and one that was just written each time", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  OpenInputs opened;
  const Inputs before = opened.of(sum, sum_of(path));
  put_numbers(folder, "1 2 4");
  CHECK(*opened.of(sum, sum_of(path)).as<Sum::Numbers>() == Sum::Numbers{1, 2, 4});
  CHECK(*before.as<Sum::Numbers>() == Sum::Numbers{1, 2, 3});
  put_numbers(folder, "1 2 5", -60);  // still just written however long the reading takes
  opened.of(sum, sum_of(path));
  CHECK(sum.opened == 3);
  opened.of(sum, sum_of(path));
  CHECK(sum.opened == 4);
  fs::remove(path);
  CHECK_THROWS_AS(opened.of(sum, sum_of(path)), StorageError);
}

TEST_CASE("what a door has looked at is what the experiment finds open", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  OpenInputs opened;
  const Inputs looked =
      opened.look({{"numbers", path}, {"first", std::int64_t{0}}}, path, [] { return as_inputs(Sum::Numbers{7}); });
  CHECK(opened.of(sum, sum_of(path, 0, 5)).as<Sum::Numbers>() == looked.as<Sum::Numbers>());
  CHECK(sum.opened == 0);
  CHECK(*opened.of(sum, sum_of(path, 1)).as<Sum::Numbers>() == Sum::Numbers{2, 3});
  CHECK_THROWS_WITH(looked.as<std::string>(),
                    "inputs: what was opened is not what this experiment reads; hand run() what its own open() gave.");
}

TEST_CASE("a run opens its file once, checks it, and may free it", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  const RunSummary summary = sum_in(folder, sum, sum_of(path));
  CHECK(summary.results.data.at("sum").reals() == std::vector<double>{6});
  CHECK(sum.opened == 1);
  CHECK(sum.checked == 1);
  CHECK(sum.freed);
}

TEST_CASE("a sweep opens a file once for all points that read the same of it", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  const RunSummary summary =
      sum_in(folder, sum, support::config_of(sum, Overrides{{"numbers=" + path}, {"factor=1,2,3,4,5,6"}, {}, {}}));
  CHECK(summary.results.data.at("sum").reals() == std::vector<double>{6, 12, 18, 24, 30, 36});
  CHECK(sum.opened == 1);
  CHECK(sum.checked == 1);
}

TEST_CASE("a sweep over what is read checks each variant before anything is computed", "[lab][inputs]") {
  const TemporaryFolder folder;
  const std::string path = put_numbers(folder, "1 2 3");
  const Sum sum;
  CHECK_THROWS_WITH(
      sum_in(folder, sum,
             support::config_of(sum, Overrides{{"numbers=" + path}, {"first=0,1,2,3", "factor=1,2"}, {}, {}})),
      path + ": holds no number.");
  CHECK(sum.opened == 4);
  CHECK(sum.checked == 4);
  CHECK_FALSE(fs::exists(folder.file("test.sum")));
  const RunSummary summary = sum_in(
      folder, sum, support::config_of(sum, Overrides{{"numbers=" + path}, {"first=0,1,2", "factor=1,2"}, {}, {}}));
  CHECK(summary.results.data.at("sum").reals() == std::vector<double>{6, 12, 5, 10, 3, 6});
}

}  // namespace fovea
