/// NRRD with attached data: a text header, an empty line, the voxels (teem.sourceforge.net/nrrd/format.html).

#include <zlib.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::images {

namespace {

struct NrrdType {
  VoxelType type;
  const char* names;  ///< with a comma on both sides
};
constexpr std::array kNrrdTypes{
    NrrdType{VoxelType::int8, ",signed char,int8,int8_t,"},
    NrrdType{VoxelType::uint8, ",uchar,unsigned char,uint8,uint8_t,"},
    NrrdType{VoxelType::int16, ",short,short int,signed short,signed short int,int16,int16_t,"},
    NrrdType{VoxelType::uint16, ",ushort,unsigned short,unsigned short int,uint16,uint16_t,"},
    NrrdType{VoxelType::int32, ",int,signed int,int32,int32_t,"},
    NrrdType{VoxelType::uint32, ",uint,unsigned int,uint32,uint32_t,"},
    NrrdType{VoxelType::int64,
             ",longlong,long long,long long int,signed long long,signed long long int,int64,int64_t,"},
    NrrdType{VoxelType::uint64, ",ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t,"},
    NrrdType{VoxelType::float32, ",float,"},
    NrrdType{VoxelType::float64, ",double,"}};

struct NrrdHead {
  std::string path;
  std::map<std::string, std::string> fields;  ///< names in lower case without blanks
  std::size_t first_voxel = 0;

  std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
  }
  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw DataError(concat(path, ": ", parts...));
  }
};

NrrdHead nrrd_head(const std::string& path, std::string_view bytes) {
  NrrdHead head{path, {}, 0};
  std::size_t at = bytes.find('\n');
  while (at != std::string_view::npos) {
    const std::size_t start = at + 1;
    at = bytes.find('\n', start);
    if (at == std::string_view::npos) break;
    std::string_view line = bytes.substr(start, at - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    head.first_voxel = at + 1;
    if (line.empty()) return head;
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string_view::npos) continue;  // a comment, or key:=value
    std::string name;
    for (const char letter : line.substr(0, colon))
      if (letter != ' ') name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    line.remove_prefix(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
    head.fields[name == "datafile" ? "datafile" : name] = line.substr(0, line.find_last_not_of(' ') + 1);
  }
  throw DamagedFile(concat(path, ": ends in its header; it was cut, get it again."));
}

/// The numbers of "(1,0,0)" or "1 2 3"; throws for what is no number.
std::vector<double> nrrd_numbers(const NrrdHead& head, const std::string& name, std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char letter) { return std::string_view("(),").find(letter) != std::string_view::npos; }, ' ');
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    const auto number = rasters::number_in(word);
    if (!number) head.refuse("its field '", name, "' holds '", word, "', which is no number.");
    numbers.push_back(*number);
  }
  return numbers;
}

/// An axis of the file: its size and direction in space, none where it is of another kind.
struct NrrdAxis {
  Index size = 1;
  std::vector<double> direction;
};

std::vector<NrrdAxis> nrrd_axes(const NrrdHead& head) {
  std::vector<NrrdAxis> axes;
  constexpr double kMostSize = 1e15;
  for (const double size : nrrd_numbers(head, "sizes", head.field("sizes"))) {
    if (!(size >= 1 && size < kMostSize)) head.refuse("the header states a size of ", size, "; a size is 1 or more.");
    axes.push_back({static_cast<Index>(size), {}});
  }
  if (axes.empty()) head.refuse("has no sizes; the header is damaged.");
  std::istringstream directions(head.field("spacedirections"));
  std::size_t axis = 0;
  for (std::string word; axis < axes.size() && directions >> word; ++axis) {
    while (word.starts_with('(') && !word.ends_with(')'))
      if (std::string more; directions >> more)
        word += more;
      else
        head.refuse("its field 'space directions' does not close a bracket.");
    if (word != "none") axes[axis].direction = nrrd_numbers(head, "space directions", word);
  }
  const bool has_space = axis > 0;
  while (axes.size() > 3) {
    const auto single = std::find_if(axes.begin(), axes.end(), [](const NrrdAxis& one) { return one.size == 1; });
    if (single == axes.end())
      head.refuse("has ", axes.size(), " axes longer than 1; give one volume with one number a voxel.");
    axes.erase(single);
  }
  for (const NrrdAxis& one : axes)
    if (has_space && one.direction.size() != 3)
      head.refuse("has an axis of ", one.size,
                  " that is none of three-dimensional space, such as colours; give one number a voxel.");
  return axes;
}

void take_nrrd_place(const NrrdHead& head, Volume& volume) {
  const std::vector<NrrdAxis> axes = nrrd_axes(head);
  Grid& grid = volume.grid;
  if (const std::string units = head.field("spaceunits");
      !units.empty() && units.find("mm") == std::string::npos && units.find("milli") == std::string::npos)
    head.refuse("its lengths are in ", units, "; give them in mm.");
  std::vector<double> spacings = nrrd_numbers(head, "spacings", head.field("spacings")),
                      origin = nrrd_numbers(head, "space origin", head.field("spaceorigin"));
  spacings.resize(3, 1);
  origin.resize(3, 0);
  std::string space = head.field("space");
  std::transform(space.begin(), space.end(), space.begin(), [](unsigned char letter) { return std::tolower(letter); });
  const bool lps = space == "left-posterior-superior" || space == "lps",
             las = space == "left-anterior-superior" || space == "las";
  if (!lps && !las && space != "right-anterior-superior" && space != "ras")
    volume.notes.push_back(
        "The header states no space of the body; its axes are taken to point to the right, front and top.");
  const Eigen::Vector3d towards(lps || las ? -1 : 1, lps ? -1 : 1, 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Eigen::Vector3d step = Eigen::Vector3d::Unit(static_cast<Index>(axis)) * spacings[axis];
    if (axis < axes.size()) grid.size[axis] = axes[axis].size;
    if (axis < axes.size() && !axes[axis].direction.empty())
      step = Eigen::Map<const Eigen::Vector3d>(axes[axis].direction.data());
    grid.spacing[axis] = step.norm();
    grid.to_world.block<3, 1>(0, static_cast<Index>(axis)) = towards.cwiseProduct(step);
  }
  grid.to_world.topRightCorner<3, 1>() = towards.cwiseProduct(Eigen::Map<const Eigen::Vector3d>(origin.data()));
  check_grid(volume.path, grid);
}

Coding nrrd_coding(const NrrdHead& head) {
  const std::string type = head.field("type"), endian = head.field("endian");
  for (const NrrdType& one : kNrrdTypes) {
    if (std::string_view(one.names).find("," + type + ",") == std::string_view::npos) continue;
    Coding coding = coding_of(one.type);
    coding.swapped = endian == "big";
    if (bytes_of(one.type) > 1 && endian != "big" && endian != "little")
      head.refuse("its field 'endian' is '", endian, "'; it must be little or big.");
    return coding;
  }
  head.refuse("its type is '", type, "', which is not read; write whole numbers, float or double.");
}

/// At most `size` bytes that gzip packed, of one member or several; `rest` is what follows.
std::string unpacked(const std::string& path, std::string_view packed, std::size_t size, std::string& rest) {
  std::string bytes(size, '\0');
  z_stream stream{};
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  require(inflateInit2(&stream, kGzipOnly) == Z_OK, "read_nrrd: zlib cannot begin.");
  std::size_t done = 0, taken = 0;
  int end = Z_OK;
  while (done < size && (end == Z_OK || (end == Z_STREAM_END && inflateReset(&stream) == Z_OK))) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + done);
    const std::size_t in = std::min(kMost, packed.size() - taken), out = std::min(kMost, size - done);
    stream.avail_in = static_cast<uInt>(in);
    stream.avail_out = static_cast<uInt>(out);
    end = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    done += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (end != Z_STREAM_END && end != Z_BUF_ERROR && end != Z_OK)
    throw DamagedFile(concat(path, ": its packed voxels are damaged; get it again."));
  bytes.resize(done);
  rest = packed.substr(taken);
  return bytes;
}

}  // namespace

Volume read_nrrd(const std::string& path) {
  const std::string bytes = plain_file(path);
  const NrrdHead head = nrrd_head(path, bytes);
  if (!head.field("datafile").empty())
    head.refuse("its voxels lie in another file, '", head.field("datafile"),
                "'; write header and voxels as one .nrrd.");
  for (const char* skip : {"lineskip", "byteskip"})
    if (const std::string text = head.field(skip); !text.empty() && text != "0")
      head.refuse("skips bytes before its voxels (", skip, " ", text, "), which is not read; write it without.");
  Stored stored;
  stored.format = Format::nrrd;
  const std::string encoding = head.field("encoding");
  stored.packed = encoding == "gzip" || encoding == "gz";
  if (!stored.packed && encoding != "raw")
    head.refuse("its encoding is '", encoding, "', which is not read; write raw or gzip.");
  stored.coding = nrrd_coding(head);
  Volume volume;
  volume.path = path;
  take_nrrd_place(head, volume);
  stored.head = bytes.substr(0, head.first_voxel);
  const std::string_view data = std::string_view(bytes).substr(head.first_voxel);
  const std::size_t size = checked_bytes(path, volume.grid, bytes_of(stored.coding.type), data.size(), stored.packed);
  if (stored.packed)
    stored.voxels = unpacked(path, data, size, stored.tail);
  else
    stored.voxels = data.substr(0, size), stored.tail = data.substr(size);
  take_stored(volume, std::move(stored));
  return volume;
}

}  // namespace fovea::datasets::images
