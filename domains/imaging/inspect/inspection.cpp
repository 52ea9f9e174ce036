#include "fovea/domains/imaging/inspect/inspection.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/images/meeting.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::imaging::inspect {

namespace {

using namespace datasets::images;

constexpr std::array kQuantiles{0., .01, .25, .5, .75, .99, 1.};

std::vector<double> sorted_values(const Volume& volume) {
  std::vector<double> sorted;
  for (const double value : volume.values)
    if (std::isfinite(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

const char* towards(char letter) {
  switch (letter) {
    case 'R':
      return "right";
    case 'L':
      return "left";
    case 'A':
      return "front";
    case 'P':
      return "back";
    case 'S':
      return "top";
    default:
      return "bottom";
  }
}

std::string times_text(const std::array<double, 3>& numbers) {
  return concat(rounded_text(numbers[0]), " x ", rounded_text(numbers[1]), " x ", rounded_text(numbers[2]));
}

/// Of few whole numbers, such as labels of a mask, how often each is there; "" for others.
std::string labels_text(const std::vector<double>& sorted) {
  constexpr std::size_t kMostLabels = 20;
  std::map<double, Index> counts;
  for (const double value : sorted) {
    if (value != std::floor(value)) return "";
    ++counts[value];
    if (counts.size() > kMostLabels) return "";
  }
  return datasets::text::listed(counts,
                                [](const auto& one) { return concat(rounded_text(one.first), " (", one.second, ")"); });
}

std::string image_text(const Volume& volume) {
  const Grid& grid = volume.grid;
  const std::string axes = axes_of(grid);
  std::array<double, 3> extent{};
  for (std::size_t k = 0; k < 3; ++k) extent[k] = static_cast<double>(grid.size[k]) * grid.spacing[k];
  std::string text = concat(volume.path, "\n  grid       ", grid.size[0], " x ", grid.size[1], " x ", grid.size[2],
                            " voxels of ", times_text(grid.spacing), " mm, in all ", times_text(extent), " mm\n");
  text += concat("  axes       ", axes, ": x to the ", towards(axes[0]), ", y to the ", towards(axes[1]), ", z to the ",
                 towards(axes[2]), "; the first voxel at ", rounded_text(grid.to_world(0, 3)), ", ",
                 rounded_text(grid.to_world(1, 3)), ", ", rounded_text(grid.to_world(2, 3)),
                 " mm to the right, front and top\n");
  const std::vector<double> sorted = sorted_values(volume);
  const std::size_t without = volume.values.size() - sorted.size();
  text += concat("  numbers    ", name_of(volume.stored),
                 without == 0 ? "" : concat(", ", counted(static_cast<Index>(without), "voxel"), " not finite"), '\n');
  if (const std::string labels = labels_text(sorted); !labels.empty())
    text += concat("  values     ", labels, '\n');
  else if (!sorted.empty()) {
    text += "  quantiles  ";
    for (const double p : kQuantiles)
      text += concat(p == 0 ? "" : ", ", plain_text(100 * p), " %: ", rounded_text(sorted_quantile(sorted, p)));
    text += '\n';
  }
  for (const std::string& note : volume.notes) text += concat("  note: ", note, '\n');
  return text;
}

template <typename Numbers>
Json numbers_json(const Numbers& numbers) {
  std::vector<Json> items;
  for (const auto number : numbers) items.push_back(json(number));
  return json_list(items);
}

Json image_json(const Volume& volume) {
  const std::vector<double> sorted = sorted_values(volume);
  std::vector<double> affine;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) affine.push_back(volume.grid.to_world(row, column));
  JsonObject quantiles;
  for (const double p : kQuantiles) quantiles.add(plain_text(p), sorted.empty() ? kNan : sorted_quantile(sorted, p));
  return JsonObject()
      .add("name", volume.path)
      .add("size", numbers_json(volume.grid.size))
      .add("spacing_mm", numbers_json(volume.grid.spacing))
      .add("axes", axes_of(volume.grid))
      .add("affine", numbers_json(affine))
      .add("stored", name_of(volume.stored))
      .add("not_finite", static_cast<Index>(volume.values.size() - sorted.size()))
      .add("quantiles", quantiles.done())
      .add("notes", json_texts(volume.notes))
      .done();
}

std::string inspected_images(const Arguments& arguments, Form form, std::size_t) {
  const std::string picture = arguments.text("picture", "");
  if (!picture.empty() && arguments.positional.size() > 1)
    throw UsageError("--picture is of one image, but several are given; give one.");
  std::string text;
  std::vector<Json> objects;
  for (const std::string& file : arguments.positional) {
    const Volume volume = read_volume(file);
    if (form == Form::json)
      objects.push_back(image_json(volume));
    else
      text += image_text(volume);
    if (picture.empty()) continue;
    const MiddleSlices slices = middle_slices(volume);
    write_picture(slices.width, slices.grey, picture);
    text += concat("  picture    ", picture, ": the middle slices",
                   volume.grid.size[2] > 1 ? ", seen from the feet, the front and the left" : "", '\n');
  }
  return form == Form::json ? JsonObject().add("images", json_list(objects)).done().text + '\n' : text;
}

/// A slice through the middle, whose picture's columns and rows run to these sides of the body.
struct SliceView {
  std::array<int, 3> axis{};  ///< of the columns, the rows, and across
  std::array<bool, 2> back{};
};

SliceView view_of(const std::string& axes, const std::string& right, const std::string& down) {
  SliceView view;
  for (int k = 0; k < 3; ++k) {
    const bool column = right.find(axes[static_cast<std::size_t>(k)]) != std::string::npos,
               row = down.find(axes[static_cast<std::size_t>(k)]) != std::string::npos;
    view.axis[column ? 0 : row ? 1 : 2] = k;
    if (column) view.back[0] = axes[static_cast<std::size_t>(k)] != right[0];
    if (row) view.back[1] = axes[static_cast<std::size_t>(k)] != down[0];
  }
  return view;
}

}  // namespace

MiddleSlices middle_slices(const Volume& volume) {
  constexpr double kMostPixels = 512;
  const Grid& grid = volume.grid;
  const std::string axes = axes_of(grid);
  std::vector<SliceView> views{{{0, 1, 2}, {false, false}}};
  if (grid.size[2] > 1) views = {view_of(axes, "LR", "PA"), view_of(axes, "LR", "IS"), view_of(axes, "PA", "IS")};
  double pixel = *std::min_element(grid.spacing.begin(), grid.spacing.end());
  for (std::size_t k = 0; k < 3; ++k)
    pixel = std::max(pixel, static_cast<double>(grid.size[k]) * grid.spacing[k] / kMostPixels);
  const auto pixels = [&](int axis) {
    return std::max<Index>(1, std::lround(static_cast<double>(grid.size[axis]) * grid.spacing[axis] / pixel));
  };
  const std::vector<double> sorted = sorted_values(volume);
  const double low = sorted.empty() ? 0 : sorted_quantile(sorted, .01),
               high = sorted.empty() ? 1 : sorted_quantile(sorted, .99);
  const double range = high > low ? high - low : 1;
  MiddleSlices slices;
  Index height = 0;
  for (const SliceView& view : views)
    slices.width += pixels(view.axis[0]), height = std::max(height, pixels(view.axis[1]));
  slices.grey.assign(static_cast<std::size_t>(slices.width * height), 0);
  Index left = 0;
  for (const SliceView& view : views) {
    const std::array<Index, 2> count{pixels(view.axis[0]), pixels(view.axis[1])};
    std::array<Index, 3> at{};
    at[static_cast<std::size_t>(view.axis[2])] = grid.size[view.axis[2]] / 2;
    for (Index row = 0; row < count[1]; ++row)
      for (Index column = 0; column < count[0]; ++column) {
        for (std::size_t k = 0; k < 2; ++k) {
          const Index size = grid.size[view.axis[k]], voxel = ((k == 0 ? column : row) * 2 + 1) * size / (2 * count[k]);
          at[static_cast<std::size_t>(view.axis[k])] = view.back[k] ? size - 1 - voxel : voxel;
        }
        const double value = (volume.values[grid.at(at[0], at[1], at[2])] - low) / range;
        if (value > 0)
          slices.grey[row * slices.width + left + column] = static_cast<std::uint8_t>(255 * std::min(value, 1.) + .5);
      }
    left += count[0];
  }
  return slices;
}

Inspection inspection() {
  return {"images (NIfTI-1, NRRD, PNG in grey, DICOM: a slice or the folder of a series)",
          {"fovea inspect ct.nii.gz", "fovea inspect ct.nii.gz --picture middle.png"},
          {{"picture", 0, "FILE", "images: write the middle slices as a picture", false}},
          &is_image,
          &inspected_images};
}

}  // namespace fovea::imaging::inspect
