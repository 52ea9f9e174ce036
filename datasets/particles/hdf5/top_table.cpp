// The Top Tagging reference table: a pandas "table" with compound rows whose blocks have named columns.

#include <algorithm>
#include <map>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/hdf5/padded.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr const char* kTable = "/table/table";

class TopTableReader final : public PaddedReader {
 public:
  TopTableReader(RowsFile file, const ReadOptions& options) : PaddedReader(std::move(file), options) {
    table_ = file_->find(kTable);
    if (!table_->problem.empty()) throw DataError(concat(path(), ": ", kTable, " ", table_->problem, "."));
    if (table_->kind != Hdf5Kind::compound || table_->shape.size() != 1)
      throw DataError(concat(path(), ": ", kTable,
                             " has no compound rows, but must be a table as pandas writes it (format = 'table')."));
    facts_.format = "Top Tagging reference table (pandas, HDF5)";
    facts_.sets = static_cast<Index>(table_->rows());
    row_bytes_ = std::max<std::uint64_t>(1, table_->row_bytes);
    scale_ = scale_of_unit(options, facts_);
    find_columns();
  }

 private:
  /// Where a column stands: a column of a block.
  struct Column {
    std::size_t block = 0;
    Index column = 0;
  };
  struct Slot {
    Column energy, px, py, pz;
  };

  void find_columns() {
    for (const Hdf5Field& field : table_->fields) {
      const std::string names = table_->attribute(field.name + "_kind");
      if (!field.name.starts_with("values_block_") || names.empty()) continue;
      name_columns(field, names);
    }
    for (int i = 0; columns_.contains(concat("E_", i)); ++i)
      slots_.push_back(
          {column(concat("E_", i)), column(concat("PX_", i)), column(concat("PY_", i)), column(concat("PZ_", i))});
    if (slots_.empty())
      throw DataError(concat(path(), ": ", kTable, " has no columns E_0, PX_0, PY_0, PZ_0, which it must have."));
    has_label_ = columns_.contains("is_signal_new");
    has_part_ = columns_.contains("ttv");
    facts_.truth = columns_.contains("truthE");
    if (has_label_) facts_.classes = {"QCD", "top"};
    if (!has_label_) take_label_option();
    if (has_part_) facts_.parts = {"training", "validation", "test"};
    if (facts_.truth) {
      truth_ = {column("truthE"), column("truthPX"), column("truthPY"), column("truthPZ")};
      facts_.truth_columns = "top";
    }
    facts_.notes.push_back(concat("at most ", slots_.size(), " leading constituents a jet"));
    facts_.notes.push_back("the file names no unit: GeV is what the reference sample has");
  }

  void name_columns(const Hdf5Field& field, const std::string& pickled) {
    const auto refuse = [&](const std::string& what) {
      throw DataError(concat(path(), ": ", kTable, ": the attribute ", field.name, "_kind ", what, "."));
    };
    std::vector<std::string> names;
    try {
      names = pickled_names(pickled);
    } catch (const std::length_error&) {
      refuse("is no list of column names that is understood; write the table with pandas (format = 'table')");
    }
    if (names.size() != field.width || (field.kind != Hdf5Kind::integers && field.kind != Hdf5Kind::reals))
      refuse(concat("names ", counted(std::ssize(names), "column"), ", but the block has ", field.width,
                    " numbers in a row"));
    for (std::size_t i = 0; i < names.size(); ++i) columns_[names[i]] = {blocks_.size(), static_cast<Index>(i)};
    blocks_.push_back(field.name);
  }

  Column column(const std::string& name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end())
      throw DataError(concat(path(), ": ", kTable, " has no column ", name, ", which it must have."));
    return found->second;
  }

  void take_rows(Index first, Index end, SetCollector& collector, ParticleSets& others) override {
    std::vector<Matrix<double>> blocks;
    for (const std::string& block : blocks_) blocks.push_back(rows_of(*file_, *table_, first, end, block));
    const Index before = others.truth.rows();
    if (facts_.truth) others.truth.conservativeResize(before + end - first, 4);
    for (Index set = first; set < end; ++set) {
      const auto at = [&](Column place) { return blocks[place.block](set - first, place.column); };
      bool ended = false;
      for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& slot = slots_[i];
        const Momentum p{at(slot.px) * scale_, at(slot.py) * scale_, at(slot.pz) * scale_, at(slot.energy) * scale_};
        const ParticleSpot where = spot(kTable, set, static_cast<Index>(i));
        const bool is_empty = p == Momentum{};
        check_slot(is_empty, ended, where);
        if (!is_empty) collector.add(checked_momentum(p, where, repairs_));
      }
      collector.end_set();
      if (has_label_)
        others.labels.push_back(checked_label(at(column("is_signal_new")), facts_.classes, spot(kTable, set)));
      if (has_part_) others.parts.push_back(part_of(at(column("ttv")), set));
      if (facts_.truth) {
        const Momentum p{at(truth_.px), at(truth_.py), at(truth_.pz), at(truth_.energy)};
        const ParticleSpot where = spot(kTable, set);
        Repairs unseen;
        const Momentum good = checked_momentum(p, where, unseen);
        others.truth.row(before + set - first) << good.px * scale_, good.py * scale_, good.pz * scale_,
            good.energy * scale_;
      }
    }
    if (!has_label_) add_labels(nullptr, first, end, others);
  }

  std::int32_t part_of(double part, Index set) const {
    if (part != 0 && part != 1 && part != 2)
      spot(kTable, set).refuse(concat("ttv is ", part, ", but must be 0 (training), 1 (validation) or 2 (test)"));
    return static_cast<std::int32_t>(part);
  }

  const Hdf5Entry* table_ = nullptr;
  std::vector<std::string> blocks_;
  std::map<std::string, Column> columns_;
  std::vector<Slot> slots_;
  Slot truth_;
  bool has_label_ = false, has_part_ = false;
};

}  // namespace

bool is_top_table(const Hdf5Rows& file) { return file.find(kTable) != nullptr; }

std::unique_ptr<ParticleReader> open_top_table(RowsFile file, const ReadOptions& options) {
  return std::make_unique<TopTableReader>(std::move(file), options);
}

}  // namespace fovea::datasets::particles::hdf5
