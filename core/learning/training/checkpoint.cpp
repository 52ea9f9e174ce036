#include "fovea/core/learning/training/checkpoint.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

template <typename Item>
const std::vector<Item>& Archive::find(const std::string& full_name) const {
  if (!from_->has(full_name))
    throw DataError(concat("checkpoint: there is no /", full_name, "; it belongs to another run."));
  const auto* const values = std::get_if<std::vector<Item>>(&from_->at(full_name).values);
  if (!values) throw DataError(concat("checkpoint: /", full_name, " is of another type; it belongs to another run."));
  return *values;
}

template <typename Item>
void Archive::scalar(const std::string& name, Item& value) {
  const std::string full_name = prefix_ + "." + name;
  if (to_) {
    to_->add({full_name, {}, std::vector<Item>{value}, std::is_same_v<Item, std::string> ? "" : "1", name, {}});
    return;
  }
  const std::vector<Item>& saved = find<Item>(full_name);
  if (saved.size() != 1) throw DataError(concat("checkpoint: /", full_name, " must be one value."));
  value = saved[0];
}

template <typename Real>
void Archive::list(const std::string& name, std::vector<Real>& values) {
  const std::string full_name = prefix_ + "." + name;
  if (to_) {
    to_->dimension(full_name + "_entry", values.size());
    to_->add({full_name, {full_name + "_entry"}, values, "1", name, {}});
  } else {
    values = find<Real>(full_name);
  }
}

template <typename Real>
void Archive::fixed_list(const std::string& name, std::span<Real> values) {
  std::vector<Real> copy(values.begin(), values.end());
  list(name, copy);
  if (copy.size() != values.size())
    throw DataError(concat("checkpoint: /", prefix_, ".", name, " has ", copy.size(), " values, but must have ",
                           values.size(), "; it belongs to another run."));
  std::copy(copy.begin(), copy.end(), values.begin());
}

void Archive::operator()(const std::string& name, std::int64_t& value) { scalar(name, value); }
void Archive::operator()(const std::string& name, double& value) { scalar(name, value); }
void Archive::operator()(const std::string& name, std::string& value) { scalar(name, value); }
void Archive::operator()(const std::string& name, std::vector<double>& values) { list(name, values); }
void Archive::operator()(const std::string& name, std::vector<float>& values) { list(name, values); }
void Archive::operator()(const std::string& name, std::span<double> values) { fixed_list(name, values); }
void Archive::operator()(const std::string& name, std::span<float> values) { fixed_list(name, values); }

void Archive::expect(const std::string& name, const std::string& text) {
  std::string saved = text;
  scalar(name, saved);
  if (saved != text)
    throw DataError(concat("checkpoint: /", prefix_, ".", name, " is '", saved, "', but must be '", text,
                           "'; it belongs to another run."));
}

}  // namespace fovea::learning
