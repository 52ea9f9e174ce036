#include "fovea/core/data/file/hdf5_columns.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kChunkRows = 16384;
constexpr unsigned kDeflateLevel = 4;

bool is_real(StoredNumber stored) { return stored == StoredNumber::float32 || stored == StoredNumber::float64; }

bool fits(std::int64_t number, StoredNumber stored) {
  if (stored == StoredNumber::int8) return number >= -128 && number <= 127;
  return stored != StoredNumber::int32 ||
         (number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max());
}

void write_attribute_text(hid_t object, const std::string& name, const std::string& text) {
  const std::string what = "writing attribute '" + name + "'";
  const Hdf5 type = text_type();
  const Hdf5 space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Hdf5 attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  const char* pointer = text.c_str();
  checked(H5Awrite(attribute, type, &pointer), what);
}

/// An array that grows: what does not fill a chunk waits.
struct Growing {
  std::string name;
  std::optional<StoredNumber> stored;  ///< none: texts
  std::size_t width;
  Hdf5 dataset;
  std::uint64_t rows = 0;  ///< in the file
  std::vector<double> reals;
  std::vector<std::int64_t> wholes;
  std::vector<std::string> texts;

  bool has_reals() const { return stored && is_real(*stored); }
  bool has_wholes() const { return stored && !is_real(*stored); }
  std::size_t waiting() const { return (reals.size() + wholes.size() + texts.size()) / width; }

  /// The first `count` of the waiting rows.
  void write(std::size_t count) {
    const std::string what = "writing " + name;
    hsize_t sizes[2] = {rows + count, width}, start[2] = {rows, 0}, counts[2] = {count, width};
    const int axes = width == 1 ? 1 : 2;
    checked(H5Dset_extent(dataset, sizes), what);
    const Hdf5 space(H5Dget_space(dataset), H5Sclose, what);
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, counts, nullptr), what);
    const Hdf5 memory(H5Screate_simple(axes, counts, nullptr), H5Sclose, what);
    if (!stored) {
      write_texts(memory, space, count, what);
    } else {
      const void* numbers = has_reals() ? static_cast<const void*>(reals.data()) : wholes.data();
      const hid_t type = has_reals() ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
      checked(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, numbers), what);
    }
    const auto gone = static_cast<std::ptrdiff_t>(count * width);
    if (!stored) texts.erase(texts.begin(), texts.begin() + gone);
    if (has_reals()) reals.erase(reals.begin(), reals.begin() + gone);
    if (has_wholes()) wholes.erase(wholes.begin(), wholes.begin() + gone);
    rows += count;
  }

  void write_texts(hid_t memory, hid_t space, std::size_t count, const std::string& what) const {
    std::vector<const char*> pointers;
    for (std::size_t i = 0; i < count; ++i) pointers.push_back(texts[i].c_str());
    checked(H5Dwrite(dataset, text_type(), memory, space, H5P_DEFAULT, pointers.data()), what);
  }
};

Hdf5 new_file(const std::string& path) {
  const Hdf5 creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "preparing a file");
  const Hdf5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "preparing a file");
  checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "preparing a file");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "creating it as HDF5"};
}

/// Texts where no number is said.
Hdf5 new_array(hid_t file, const std::string& name, std::optional<StoredNumber> stored, std::size_t width) {
  const std::string what = "creating " + name;
  const int axes = width == 1 ? 1 : 2;
  const hsize_t none[2] = {0, width}, any[2] = {H5S_UNLIMITED, width}, chunk[2] = {kChunkRows, 1};
  const Hdf5 space(H5Screate_simple(axes, none, any), H5Sclose, what);
  const Hdf5 creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  checked(H5Pset_obj_track_times(creation, false), what);
  checked(H5Pset_chunk(creation, axes, chunk), what);
  if (stored) checked(H5Pset_shuffle(creation), what);  // texts lie in the heap, which is not packed
  if (stored) checked(H5Pset_deflate(creation, kDeflateLevel), what);
  const Hdf5 access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, what);
  checked(H5Pset_chunk_cache(access, 1, 0, 1.0), what);  // what is written goes to the disk, where it may be refused
  std::optional<Hdf5> text;
  if (!stored) text.emplace(text_type());
  return {H5Dcreate2(file, name.c_str(), stored ? stored_number_type(*stored) : static_cast<hid_t>(*text), space,
                     H5P_DEFAULT, creation, access),
          H5Dclose, what};
}

}  // namespace

hid_t stored_number_type(StoredNumber stored) {
  switch (stored) {
    case StoredNumber::float32:
      return H5T_IEEE_F32LE;
    case StoredNumber::float64:
      return H5T_IEEE_F64LE;
    case StoredNumber::int8:
      return H5T_STD_I8LE;
    case StoredNumber::int32:
      return H5T_STD_I32LE;
    default:
      return H5T_STD_I64LE;
  }
}

struct Hdf5Columns::State {
  explicit State(const Place& chosen) : place(chosen), temporary(write_temporary(chosen, "")) {}
  ~State() { give_up(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void give_up() noexcept {
    const Hdf5Lock lock;
    arrays.clear();
    file.reset();
    if (!is_done) discard(temporary);
    is_done = true;
  }

  /// HDF5's complaints as those of the disk; the file is given up.
  template <typename Action>
  void guarded(const Action& action) {
    require(!is_done, "Hdf5Columns: ", place, " is finished, or was given up; nothing can be added.");
    std::string reason;
    {
      const Hdf5Lock lock;
      try {
        action();
        return;
      } catch (const Hdf5Error& error) {
        reason = error.what();
      }
    }
    give_up();
    throw StorageError(concat(place, ": cannot be written: ", reason, "; free some space or choose another folder."));
  }

  Place place, temporary;
  std::optional<Hdf5> file;
  std::vector<Growing> arrays;
  bool is_done = false;
};

Hdf5Columns::Hdf5Columns(const Place& place) : state_(std::make_unique<State>(place)) {
  state_->guarded([&] { state_->file.emplace(new_file(state_->temporary.path())); });
}

Hdf5Columns::~Hdf5Columns() = default;

std::size_t Hdf5Columns::add(const std::string& name, StoredNumber stored, std::size_t width) {
  require(width >= 1, "Hdf5Columns: '", name, "' has rows of no number; give each at least one.");
  state_->guarded([&] {
    state_->arrays.push_back({name, stored, width, new_array(*state_->file, name, stored, width), 0, {}, {}, {}});
  });
  return state_->arrays.size() - 1;
}

void Hdf5Columns::append(std::size_t array, std::span<const double> numbers) {
  Growing& growing = state_->arrays.at(array);
  require(growing.has_reals() && numbers.size() % growing.width == 0, "Hdf5Columns: ", numbers.size(),
          " reals do not fit '", growing.name, "', which has ", growing.width, " a row.");
  state_->guarded([&] {
    for (std::size_t done = 0; done < numbers.size();) {
      const std::size_t room = kChunkRows * growing.width - growing.reals.size();
      const std::span<const double> part = numbers.subspan(done, std::min(room, numbers.size() - done));
      growing.reals.insert(growing.reals.end(), part.begin(), part.end());
      if (growing.waiting() == kChunkRows) growing.write(kChunkRows);
      done += part.size();
    }
  });
}

void Hdf5Columns::append(std::size_t array, std::span<const std::int64_t> numbers) {
  Growing& growing = state_->arrays.at(array);
  require(growing.has_wholes() && numbers.size() % growing.width == 0, "Hdf5Columns: ", numbers.size(),
          " whole numbers do not fit '", growing.name, "', which has ", growing.width, " a row.");
  for (const std::int64_t number : numbers)
    require(fits(number, *growing.stored), "Hdf5Columns: ", number, " does not fit '", growing.name, "'.");
  state_->guarded([&] {
    for (std::size_t done = 0; done < numbers.size();) {
      const std::size_t room = kChunkRows * growing.width - growing.wholes.size();
      const std::span<const std::int64_t> part = numbers.subspan(done, std::min(room, numbers.size() - done));
      growing.wholes.insert(growing.wholes.end(), part.begin(), part.end());
      if (growing.waiting() == kChunkRows) growing.write(kChunkRows);
      done += part.size();
    }
  });
}

std::size_t Hdf5Columns::add_texts(const std::string& name) {
  state_->guarded([&] {
    state_->arrays.push_back({name, std::nullopt, 1, new_array(*state_->file, name, std::nullopt, 1), 0, {}, {}, {}});
  });
  return state_->arrays.size() - 1;
}

void Hdf5Columns::append(std::size_t array, std::span<const std::string> texts) {
  Growing& growing = state_->arrays.at(array);
  require(!growing.stored, "Hdf5Columns: '", growing.name, "' has numbers and no texts.");
  state_->guarded([&] {
    for (const std::string& text : texts) {
      growing.texts.push_back(text);
      if (growing.waiting() == kChunkRows) growing.write(kChunkRows);
    }
  });
}

void Hdf5Columns::attribute(std::size_t array, const std::string& name, const std::string& text) {
  state_->guarded([&] { write_attribute_text(state_->arrays.at(array).dataset, name, text); });
}

void Hdf5Columns::attribute(const std::string& name, const std::string& text) {
  state_->guarded([&] { write_attribute_text(*state_->file, name, text); });
}

void Hdf5Columns::finish() {
  state_->guarded([&] {
    for (Growing& growing : state_->arrays) {
      if (growing.waiting() > 0) growing.write(growing.waiting());
      growing.dataset.close("closing " + growing.name);
    }
    state_->arrays.clear();
    checked(H5Fflush(*state_->file, H5F_SCOPE_GLOBAL), "writing the file");
    state_->file->close("closing the file");
    state_->file.reset();
  });
  state_->is_done = true;  // from here on the file is publish_file()'s, which takes it away if the disk refuses
  publish_file(state_->temporary, state_->place);
}

}  // namespace fovea
