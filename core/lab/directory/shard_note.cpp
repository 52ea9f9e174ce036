#include "fovea/core/lab/directory/shard_note.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

using OrderedJson = nlohmann::ordered_json;

void write_shard_note(const RunDirectory& directory, const ShardNote& note) {
  const OrderedJson json = {{"shard", note.index},     {"of", note.count},      {"host", note.host},
                            {"process", note.process}, {"points", note.points}, {"finished", note.finished},
                            {"last", note.last},       {"at", note.at}};
  make_folder(directory.shards());
  write_file(directory.shards() / concat(note.index, "-of-", note.count, ".json"),
             json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n');
}

std::vector<ShardNote> find_shard_notes(const RunDirectory& directory) {
  std::vector<ShardNote> notes;
  for (const std::string& name : names_in(directory.shards())) {
    if (!name.ends_with(".json")) continue;
    try {
      const OrderedJson json = OrderedJson::parse(read_file(directory.shards() / name));
      notes.push_back({json.at("shard"), json.at("of"), json.at("host"), json.at("process"), json.at("points"),
                       json.at("finished"), json.at("last"), json.at("at")});
    } catch (const StorageError&) {
      continue;
    } catch (const OrderedJson::exception&) {
      continue;
    }
  }
  std::sort(notes.begin(), notes.end(), [](const ShardNote& a, const ShardNote& b) {
    return std::tie(a.count, a.index) < std::tie(b.count, b.index);
  });
  return notes;
}

}  // namespace fovea
