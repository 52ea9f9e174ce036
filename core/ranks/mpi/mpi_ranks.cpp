#include "fovea/core/ranks/mpi/mpi_ranks.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

#include "fovea/core/base/error.hpp"

namespace fovea {

struct MpiRanks::Handles {
  MPI_Comm work = MPI_COMM_NULL, end = MPI_COMM_NULL;  ///< two, as a rank may end while others work
};

namespace {

int mpi_count(std::size_t count) {
  require(count <= std::numeric_limits<int>::max(), "MpiRanks: ", count, " numbers at once, but MPI sends up to 2^31.");
  return static_cast<int>(count);
}

template <typename Number>
void reduce(std::span<Number> numbers, MPI_Datatype type, MPI_Op how, MPI_Comm work) {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), mpi_count(numbers.size()), type, how, work);
}

}  // namespace

MpiRanks::MpiRanks(int& argc, char**& argv) : handles_(std::make_unique<Handles>()) {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // errors end the job: MPI's default
  MPI_Comm_dup(MPI_COMM_WORLD, &handles_->work);
  MPI_Comm_dup(MPI_COMM_WORLD, &handles_->end);
  MPI_Comm_rank(handles_->work, &rank);
  MPI_Comm_size(handles_->work, &size);
  rank_ = rank;
  size_ = size;
  count_neighbours();
}

MpiRanks::~MpiRanks() {
  MPI_Comm_free(&handles_->work);
  MPI_Comm_free(&handles_->end);
  MPI_Finalize();
}

void MpiRanks::count_neighbours() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(handles_->work, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int count = 1;
  MPI_Comm_size(machine, &count);
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  std::vector<cpu_set_t> all(count);
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, machine);
  on_machine_ = count;
  on_processors_ = std::count_if(all.begin(), all.end(), [&](const cpu_set_t& one) { return CPU_EQUAL(&one, &own); });
  MPI_Comm_free(&machine);
}

void MpiRanks::sum(std::span<std::int64_t> numbers) const { reduce(numbers, MPI_INT64_T, MPI_SUM, handles_->work); }
void MpiRanks::least(std::span<double> numbers) const { reduce(numbers, MPI_DOUBLE, MPI_MIN, handles_->work); }
void MpiRanks::largest(std::span<double> numbers) const { reduce(numbers, MPI_DOUBLE, MPI_MAX, handles_->work); }

std::vector<double> MpiRanks::collect(std::span<const double> own) const {
  const int count = mpi_count(own.size());
  std::vector<int> counts(size_), places(size_);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, handles_->work);
  std::size_t total = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    places[rank] = mpi_count(total);
    total += counts[rank];
  }
  std::vector<double> all(total);
  MPI_Allgatherv(own.data(), count, MPI_DOUBLE, all.data(), counts.data(), places.data(), MPI_DOUBLE, handles_->work);
  return all;
}

bool MpiRanks::all_end(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(handles_->end, &request);
  for (;;) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    if (seconds >= 0 && std::chrono::duration<double>(Clock::now() - begin).count() > seconds) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void MpiRanks::abandon(int code) const {
  MPI_Abort(handles_->work, code);
  std::_Exit(code);
}

}  // namespace fovea
