#include "fovea/tests/support/ranks/thread_ranks.hpp"

#include <omp.h>

#include <algorithm>
#include <barrier>
#include <thread>

namespace fovea::support {
namespace {

/// What the ranks have in common: each rank's numbers of the call at hand.
struct Table {
  explicit Table(int size) : meeting(size), whole(size), real(size) {}
  std::barrier<> meeting;
  std::vector<std::vector<std::int64_t>> whole;
  std::vector<std::vector<double>> real;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Table& table, Index rank) : table_(table), rank_(rank) {}
  Index rank() const override { return rank_; }
  Index size() const override { return static_cast<Index>(table_.real.size()); }
  void sum(std::span<std::int64_t> numbers) const override {
    join(table_.whole, numbers, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void least(std::span<double> numbers) const override {
    join(table_.real, numbers, [](double a, double b) { return std::min(a, b); });
  }
  void largest(std::span<double> numbers) const override {
    join(table_.real, numbers, [](double a, double b) { return std::max(a, b); });
  }
  std::vector<double> collect(std::span<const double> own) const override {
    table_.real[rank_].assign(own.begin(), own.end());
    table_.meeting.arrive_and_wait();
    std::vector<double> all;
    for (const std::vector<double>& one : table_.real) all.insert(all.end(), one.begin(), one.end());
    table_.meeting.arrive_and_wait();
    return all;
  }

 private:
  template <typename Number, typename Both>
  void join(std::vector<std::vector<Number>>& rows, std::span<Number> numbers, const Both& both) const {
    rows[rank_].assign(numbers.begin(), numbers.end());
    table_.meeting.arrive_and_wait();
    for (const std::vector<Number>& row : rows)  // ranks that bring different amounts are a fault of the caller
      if (row.size() != numbers.size()) std::terminate();
    std::copy(rows[0].begin(), rows[0].end(), numbers.begin());
    for (std::size_t r = 1; r < rows.size(); ++r)
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = both(numbers[k], rows[r][k]);
    table_.meeting.arrive_and_wait();
  }

  Table& table_;
  Index rank_;
};

}  // namespace

void as_ranks(int size, int threads, const std::function<void(const Ranks&)>& work) {
  Table table(size);
  std::vector<std::jthread> all;
  for (int rank = 0; rank < size; ++rank)
    all.emplace_back([&, rank] {
      omp_set_num_threads(threads);
      work(ThreadRanks(table, rank));
    });
}

}  // namespace fovea::support
