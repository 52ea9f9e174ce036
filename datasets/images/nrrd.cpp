/// NRRD with attached data: a text header, an empty line, the voxels (teem.sourceforge.net/nrrd/format.html).

#include <algorithm>
#include <map>
#include <sstream>

#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/rasters/raster.hpp"
#include "fovea/datasets/text/byte_stream.hpp"

namespace fovea::datasets::images {

namespace {

constexpr std::array kNrrdTypes{
    ",uchar,unsigned char,uint8,uint8_t,",
    ",signed char,int8,int8_t,",
    ",ushort,unsigned short,unsigned short int,uint16,uint16_t,",
    ",short,short int,signed short,signed short int,int16,int16_t,",
    ",uint,unsigned int,uint32,uint32_t,",
    ",int,signed int,int32,int32_t,",
    ",ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t,",
    ",longlong,long long,long long int,signed long long,signed long long int,int64,int64_t,",
    ",float,",
    ",double,"};  // in the order of VoxelType

struct NrrdHead {
  std::string path;
  std::map<std::string, std::string> fields;  ///< names in lower case without blanks
  std::size_t first_voxel = 0;

  std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
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
    head.fields[name] = line.substr(0, line.find_last_not_of(' ') + 1);
  }
  refuse_damaged(path, "ends in its header");
}

/// The numbers of "(1,0,0)" or "1 2 3".
std::vector<double> numbers_of(const NrrdHead& head, std::string text) {
  for (char& letter : text)
    if (letter == '(' || letter == ')' || letter == ',') letter = ' ';
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    const auto number = rasters::number_in(word);
    if (!number) refuse_image(head.path, "its header holds '", word, "' in place of a number; correct it.");
    numbers.push_back(*number);
  }
  return numbers;
}

/// An axis of the file: its size, and its step in space, none where it is of another kind.
struct NrrdAxis {
  Index size = 1;
  std::vector<double> step;
};

/// Those of space, at most three.
std::vector<NrrdAxis> nrrd_axes(const NrrdHead& head) {
  std::vector<NrrdAxis> axes;
  const std::vector<double> spacings = numbers_of(head, head.field("spacings"));
  constexpr double kMostSize = 1e15;
  for (const double size : numbers_of(head, head.field("sizes"))) {
    if (!(size >= 1 && size < kMostSize))
      refuse_image(head.path, "the header states a size of ", size, "; a size is 1 or more.");
    std::vector<double> step(3, 0);
    if (const std::size_t at = axes.size(); at < 3) step[at] = at < spacings.size() ? spacings[at] : 1;
    axes.push_back({static_cast<Index>(size), step});
  }
  std::string directions = head.field("spacedirections");
  bool inside = false;
  for (char& letter : directions) {  // a word for each axis
    inside = letter == '(' || (inside && letter != ')');
    if (inside && letter == ' ') letter = ',';
  }
  std::istringstream words(directions);
  std::size_t axis = 0;
  for (std::string word; axis < axes.size() && words >> word; ++axis)
    axes[axis].step = word == "none" ? std::vector<double>() : numbers_of(head, word);
  for (std::size_t k = axes.size(); k-- > 0 && axes.size() > 3;)
    if (axes[k].size == 1) axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(k));
  if (axes.empty() || axes.size() > 3)
    refuse_image(head.path, "has ", axes.size(), " axes; give one volume with one number a voxel.");
  for (NrrdAxis& one : axes) {
    if (one.step.size() == 2) one.step.push_back(0);
    if (one.step.size() != 3)
      refuse_image(head.path, "its axis of ", one.size, " is none of space; give one number a voxel.");
  }
  return axes;
}

void take_nrrd_place(const NrrdHead& head, Volume& volume) {
  Grid& grid = volume.grid;
  if (const std::string units = head.field("spaceunits");
      units.find_first_not_of("\" ") != std::string::npos && units.find("mm") == std::string::npos)
    refuse_image(head.path, "its lengths are in ", units, "; give them in mm.");
  const std::string space = head.field("space");
  const auto is = [&](const char* words, const char* letters) { return space == words || space == letters; };
  const bool lps = is("left-posterior-superior", "LPS"), las = is("left-anterior-superior", "LAS");
  if (!lps && !las && !is("right-anterior-superior", "RAS")) volume.notes.push_back(kNoOrientation);
  const Eigen::Vector3d towards(lps || las ? -1 : 1, lps ? -1 : 1, 1);
  std::vector<double> origin = numbers_of(head, head.field("spaceorigin"));
  origin.resize(3, 0);
  const std::vector<NrrdAxis> axes = nrrd_axes(head);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Eigen::Vector3d step = Eigen::Vector3d::Unit(static_cast<Index>(axis));
    if (axis < axes.size()) grid.size[axis] = axes[axis].size, step = Eigen::Vector3d::Map(axes[axis].step.data());
    grid.spacing[axis] = step.norm();
    grid.to_world.block<3, 1>(0, static_cast<Index>(axis)) = towards.cwiseProduct(step);
  }
  grid.to_world.topRightCorner<3, 1>() = towards.cwiseProduct(Eigen::Vector3d::Map(origin.data()));
  check_grid(volume.path, grid);
}

Coding nrrd_coding(const NrrdHead& head) {
  const std::string type = head.field("type"), endian = head.field("endian");
  const auto known = std::find_if(kNrrdTypes.begin(), kNrrdTypes.end(), [&](std::string_view names) {
    return names.find("," + type + ",") != std::string_view::npos;
  });
  if (known == kNrrdTypes.end())
    refuse_image(head.path, "its type is '", type, "', which is not read; write whole numbers, float or double.");
  Coding coding = coding_of(static_cast<VoxelType>(known - kNrrdTypes.begin()));
  coding.swapped = endian == "big";
  if (bytes_of(coding.type) > 1 && !coding.swapped && endian != "little")
    refuse_image(head.path, "its field 'endian' is '", endian, "'; it must be little or big.");
  return coding;
}

}  // namespace

Volume read_nrrd(const std::string& path) {
  const std::string bytes = plain_file(path);
  const NrrdHead head = nrrd_head(path, bytes);
  if (!head.field("datafile").empty())
    refuse_image(path, "its voxels lie in another file; write header and voxels as one .nrrd.");
  for (const char* skip : {"lineskip", "byteskip"})
    if (const std::string text = head.field(skip); !text.empty() && text != "0")
      refuse_image(path, "skips bytes before its voxels (", skip, " ", text, "); write it without.");
  Stored stored;
  stored.format = Format::nrrd;
  const std::string encoding = head.field("encoding");
  stored.packed = encoding == "gzip" || encoding == "gz";
  if (!stored.packed && encoding != "raw")
    refuse_image(head.path, "its encoding is '", encoding, "', which is not read; write raw or gzip.");
  stored.coding = nrrd_coding(head);
  Volume volume;
  volume.path = path;
  take_nrrd_place(head, volume);
  stored.head = bytes.substr(0, head.first_voxel);
  const std::string_view data = std::string_view(bytes).substr(head.first_voxel);
  const std::size_t size = checked_bytes(path, volume.grid, bytes_of(stored.coding.type), data.size(), stored.packed);
  text::ByteStream stream(path, head.first_voxel);
  if (stored.packed && !stream.is_packed()) refuse_damaged(path, "its voxels are not packed by gzip");
  stored.voxels = stored.packed ? stream.take(size) : data.substr(0, size);
  if (stored.packed) stream.take(1);  // to the sum at the end
  if (!stored.packed) stored.tail = data.substr(size);
  take_stored(volume, std::move(stored));
  return volume;
}

}  // namespace fovea::datasets::images
