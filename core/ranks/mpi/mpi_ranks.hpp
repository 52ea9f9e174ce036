#pragma once
/// Ranks that are processes started by mpirun or srun. Only the program fovea-mpi links this room.

#include <memory>

#include "fovea/core/ranks/ranks.hpp"

namespace fovea {

/// MPI from beginning to end of a program: one object, made before anything is computed.
class MpiRanks final : public Ranks {
 public:
  MpiRanks(int& argc, char**& argv);
  /// Waits for all ranks, so each has to come to its end; else abandon().
  ~MpiRanks() override;
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  Index rank() const override { return rank_; }
  Index size() const override { return size_; }
  Index on_machine() const override { return on_machine_; }
  Index on_processors() const override { return on_processors_; }
  void sum(std::span<std::int64_t> numbers) const override;
  void least(std::span<double> numbers) const override;
  void largest(std::span<double> numbers) const override;
  std::vector<double> collect(std::span<const double> own) const override;

  /// Whether all ranks come to this call within so many seconds (< 0: any time). It takes no processor meanwhile.
  bool all_end(double seconds) const;
  /// Ends all ranks at once, whatever they do.
  [[noreturn]] void abandon(int code) const;

 private:
  void count_neighbours();

  struct Handles;
  std::unique_ptr<Handles> handles_;
  Index rank_ = 0, size_ = 1, on_machine_ = 1, on_processors_ = 1;
};

}  // namespace fovea
