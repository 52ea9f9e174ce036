#include "fovea/tests/support/tasks/record_task.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "fovea/core/base/error.hpp"

namespace fovea::support {

namespace {

const std::vector<std::string> kKinds{"albumin", "lactate", "surgery"};

study::Cases no_records() {
  study::Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.time_unit = "h";
  cases.values.resize(0, 1);
  return cases;
}

/// The events of one case in the order of their times.
struct Record {
  std::vector<std::pair<double, std::uint16_t>> events;
  std::vector<float> values;
};

void put_record(study::Cases& cases, std::vector<float>& values, Record record) {
  std::vector<std::size_t> order(record.events.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return record.events[a].first < record.events[b].first; });
  for (const std::size_t i : order) {
    cases.times.push_back(record.events[i].first);
    cases.kinds.push_back(record.events[i].second);
    values.push_back(record.values[i]);
  }
  cases.offsets.push_back(cases.tokens() + static_cast<Index>(order.size()));
  cases.ends.push_back(10);
}

/// Lines "id,hour,class,value[,target]", those of an id together.
study::Cases read_records(const std::vector<std::string>& paths) {
  struct Line {
    std::string id, kind;
    double hour = 0, value = NAN, target = NAN;
  };
  std::vector<Line> lines;
  study::Cases cases = no_records();
  for (const std::string& path : paths) {
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) {
      std::istringstream words(text);
      std::string hour, value, target;
      Line line;
      std::getline(std::getline(std::getline(words, line.id, ','), hour, ','), line.kind, ',');
      std::getline(std::getline(words, value, ','), target, ',');
      line.hour = std::stod(hour);
      if (!value.empty()) line.value = std::stod(value);
      if (!target.empty()) line.target = std::stod(target);
      cases.classes.push_back(line.kind);
      lines.push_back(line);
    }
  }
  std::sort(cases.classes.begin(), cases.classes.end());
  cases.classes.erase(std::unique(cases.classes.begin(), cases.classes.end()), cases.classes.end());
  std::vector<float> values;
  for (std::size_t i = 0; i < lines.size();) {
    Record record;
    const std::string id = lines[i].id;
    cases.ids.push_back(id);
    cases.targets.push_back(lines[i].target);
    for (; i < lines.size() && lines[i].id == id; ++i) {
      const auto kind = std::lower_bound(cases.classes.begin(), cases.classes.end(), lines[i].kind);
      record.events.emplace_back(lines[i].hour, static_cast<std::uint16_t>(kind - cases.classes.begin()));
      record.values.push_back(static_cast<float>(lines[i].value));
    }
    put_record(cases, values, std::move(record));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), cases.tokens(), 1);
  return cases;
}

class Records : public study::LearnedTask {
 public:
  std::string_view name() const override { return "toy.record"; }
  std::string_view summary() const override { return "does the last lactate or the surgery decide?"; }
  int result_version() const override { return 1; }
  std::string data_key() const override { return "data.records"; }
  void keys(Schema& schema) const override {
    schema.files("data.records", "lines of events; none: records are simulated");
    schema.integer("data.cases", 400, Range::between(10, 1e7), "", "simulated records");
  }
  study::Target target(const Config&) const override { return {.name = "died", .classes = {"lives", "dies"}}; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    const std::vector<std::string>& paths = config.texts("data.records");
    return study::reader_of(paths.empty() ? simulated_records(config.integer("data.cases"), random)
                                          : read_records(paths));
  }
};

}  // namespace

study::Cases simulated_records(Index count, const Random& random) {
  study::Cases cases = no_records();
  cases.classes = kKinds;
  std::vector<float> values;
  for (Index b = 0; b < count; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    const auto events = static_cast<std::uint64_t>(2 + 6 * random.uniform(entity, 0));
    Record record;
    double last = 0, latest = -1, operated = 0;
    for (std::uint64_t i = 1; i <= events; ++i) {
      const double hour = 10 * random.uniform(entity, 10 * i), draw = random.uniform(entity, 10 * i + 1);
      const auto kind = static_cast<std::uint16_t>(draw < 0.5 ? 1 : draw < 0.85 ? 0 : 2);
      double value = (kind == 1 ? 4.0 : 30.0) + (kind == 1 ? 2.0 : 5.0) * random.normal(entity, 10 * i + 2);
      if (kind == 0 && random.uniform(entity, 10 * i + 3) < 0.004) value *= 100;
      if (kind == 1 && hour > latest) latest = hour, last = (value - 4) / 2;
      if (kind == 2) operated = 1;
      record.events.emplace_back(hour, kind);
      record.values.push_back(kind == 2 ? NAN : static_cast<float>(value));
    }
    put_record(cases, values, std::move(record));
    const double odds = 2 * last + 2 * operated - 1;
    cases.targets.push_back(random.uniform(entity, 5000) < 1 / (1 + std::exp(-odds)) ? 1 : 0);
    cases.ids.push_back(concat("stay ", b + 1));
    cases.groups.push_back(concat("patient ", b / 2 + 1));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), cases.tokens(), 1);
  return cases;
}

std::unique_ptr<study::LearnedTask> record_task() { return std::make_unique<Records>(); }

}  // namespace fovea::support
