#include "fovea/tests/benchmarks/ours/opinion_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/datasets/network/network_file.hpp"

namespace fovea::bench {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_for_writing(const std::string& path) {
  File file(std::fopen(path.c_str(), "w"), &std::fclose);
  require(file != nullptr, path, ": cannot be written.");
  return file;
}

class FileWork : public Work {
 public:
  void write(const std::string&) const override {}
  std::vector<float> answer() const override { return {static_cast<float>(rows())}; }
  double pairs() const override { return bytes(); }
  double largest_error() const override { throw ArgumentError("request: files have no error."); }
  virtual double bytes() const = 0;
};

class EdgeListReading : public FileWork {
 public:
  explicit EdgeListReading(const Request& request) : lines_(request.count("lines")) {
    const Random random(4);
    const auto nodes = static_cast<std::uint64_t>(std::max<Index>(lines_ / 10, 2));
    const File file = open_for_writing("edges.csv");
    std::fputs("source,target\n", file.get());
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(lines_); ++k) {
      const auto [first, second] = random.block(k);
      std::fprintf(file.get(), "%llu,%llu\n", static_cast<unsigned long long>(first % nodes),
                   static_cast<unsigned long long>(second % nodes));
    }
  }
  void run() override {
    const datasets::network::Adjacency rows = datasets::network::outgoing(datasets::network::read_network("edges.csv"));
    entries_ = static_cast<Index>(rows.neighbours.size());
  }
  std::vector<double> answer_in_double() const override { return {static_cast<double>(entries_)}; }
  Index rows() const override { return lines_; }
  double bytes() const override { return static_cast<double>(std::filesystem::file_size("edges.csv")); }

 private:
  Index lines_, entries_ = 0;
};

class Storing : public FileWork {
 public:
  explicit Storing(const Request& request)
      : states_(request.count("states")), agents_(request.count("agents")), as_text_(request.text("as") == "text") {
    const Random random(5);
    opinions_.resize(states_ * agents_);
    for (std::size_t k = 0; k < opinions_.size(); ++k) opinions_[k] = static_cast<float>(random.uniform(k));
  }
  void run() override {
    std::filesystem::create_directories(folder());
    as_text_ ? write_text() : write_one_file();
  }
  Index rows() const override { return states_; }
  double bytes() const override {
    double sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
      sum += static_cast<double>(entry.file_size());
    return sum;
  }

 private:
  std::string folder() const { return as_text_ ? "states_as_text" : "states"; }
  void write_one_file() const {
    Dataset data;
    data.dimension("step", states_);
    data.dimension("agent", agents_);
    data.add({"opinion", {"step", "agent"}, opinions_, "1", "opinion of each agent", {}});
    write_dataset(folder() + "/states.h5", data);
  }
  void write_text() const {
    for (Index state = 0; state < states_; ++state) {
      const File file = open_for_writing(concat(folder(), "/opinions_", state, ".txt"));
      std::fputs("# idx_agent, opinion\n", file.get());
      for (Index i = 0; i < agents_; ++i)
        std::fprintf(file.get(), "%5lld, %25.16g\n", static_cast<long long>(i),
                     static_cast<double>(opinions_[state * agents_ + i]));
    }
  }

  Index states_, agents_;
  bool as_text_;
  std::vector<float> opinions_;
};

}  // namespace

std::unique_ptr<Work> edge_list_work(const Request& request) { return std::make_unique<EdgeListReading>(request); }
std::unique_ptr<Work> states_work(const Request& request) { return std::make_unique<Storing>(request); }

}  // namespace fovea::bench
