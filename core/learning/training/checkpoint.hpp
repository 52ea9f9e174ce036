#pragma once
/// State that can be saved and restored: one list of names serves both ways.
///
///   void Optimizer::visit(Archive& archive) { archive("steps", steps_); archive("momentum", momentum_); }
///   Dataset data;
///   Archive::saving(data, "training")("epoch", epoch);       data now has "training.epoch"
///   Archive::restoring(data, "training")("epoch", epoch);    the same bits again

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

namespace fovea::learning {

/// Names in the data set are "prefix.name". Restoring throws DataError where a name is missing, or where its type or
/// its length is another. A NaN comes back as the NaN of Dataset; every other number with its bits.
class Archive {
 public:
  static Archive saving(Dataset& data, std::string prefix) { return {&data, nullptr, std::move(prefix)}; }
  static Archive restoring(const Dataset& data, std::string prefix) { return {nullptr, &data, std::move(prefix)}; }
  bool restores() const { return from_ != nullptr; }
  /// For what has a state of its own: names are "prefix.name.NAME".
  Archive within(const std::string& name) const { return {to_, from_, prefix_ + "." + name}; }

  void operator()(const std::string& name, std::int64_t& value);
  void operator()(const std::string& name, double& value);
  void operator()(const std::string& name, std::string& value);
  /// Of any length, also 0.
  void operator()(const std::string& name, std::vector<double>& values);
  void operator()(const std::string& name, std::vector<float>& values);
  /// Of the length that it has.
  void operator()(const std::string& name, std::span<double> values);
  void operator()(const std::string& name, std::span<float> values);
  /// Throws DataError when restoring what was saved with another text: for what must not have changed meanwhile.
  void expect(const std::string& name, const std::string& text);

 private:
  Archive(Dataset* to, const Dataset* from, std::string prefix) : to_(to), from_(from), prefix_(std::move(prefix)) {}
  template <typename Item>
  void scalar(const std::string& name, Item& value);
  template <typename Real>
  void list(const std::string& name, std::vector<Real>& values);
  template <typename Real>
  void fixed_list(const std::string& name, std::span<Real> values);
  template <typename Item>
  const std::vector<Item>& find(const std::string& full_name) const;

  Dataset* to_;
  const Dataset* from_;
  std::string prefix_;
};

}  // namespace fovea::learning
