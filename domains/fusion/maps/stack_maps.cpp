#include "fovea/domains/fusion/maps/stack_maps.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/predict/predict_cases.hpp"
#include "fovea/core/study/predict/prediction_notes.hpp"
#include "fovea/datasets/rasters/stack_grid.hpp"
#include "fovea/domains/fusion/maps/map_files.hpp"

namespace fovea::fusion::maps {

namespace {

using datasets::rasters::Georeference;
using datasets::rasters::Stack;

/// The number of "EPSG:32631"; 0 for anything else.
std::uint16_t epsg_code(const std::string& system) {
  std::uint16_t code = 0;
  if (!system.starts_with("EPSG:")) return 0;
  const char* end = system.data() + system.size();
  const auto [last, error] = std::from_chars(system.data() + 5, end, code);
  return error == std::errc() && last == end ? code : 0;
}

constexpr double kMostRounding = 0.05;  // of centres that are stored as floats, in pixels

/// Pixel centres along an axis; empty where there are none, or they are not even.
std::vector<double> centres(const Hdf5Rows& file, const std::string& path, Index count) {
  const Hdf5Entry* entry = file.find(path);
  if (entry == nullptr || entry->is_group || entry->shape.size() != 1 || !entry->problem.empty() ||
      static_cast<Index>(entry->rows()) != count || count < 2)
    return {};
  std::vector<double> places = file.read<double>(*entry, 0, entry->rows());
  const double step = (places.back() - places.front()) / static_cast<double>(count - 1);
  const double size = std::max(std::abs(places.front()), std::abs(places.back()));
  const double rounding = entry->number_bytes == 4 ? size * std::numeric_limits<float>::epsilon() / 2 : 0;
  if (step == 0 || rounding > kMostRounding * std::abs(step)) return {};
  for (std::size_t i = 1; i < places.size(); ++i)
    if (!(std::abs(places[i] - places[i - 1] - step) <= 1e-6 * std::abs(step) + 3 * rounding)) return {};
  for (std::size_t i = 1; i < places.size(); ++i) places[i] = places.front() + static_cast<double>(i) * step;
  return places;
}

/// The pixels of a stack, as they come.
class StackMap {
 public:
  StackMap(Index pixels, std::vector<std::int32_t> classes, std::int32_t no_data, MapWindow& to)
      : pixels_(pixels), classes_(std::move(classes)), to_(to) {
    to_.classes.assign(pixels, no_data);
    to_.layers.assign((std::ssize(classes_) + 4) * pixels, std::numeric_limits<float>::quiet_NaN());
  }

  void add(const study::PredictedBlock& block) {
    const auto classes = static_cast<Index>(classes_.size());
    for (Index k = 0; k < block.cases.count(); ++k, ++next_) {
      if (block.cases.size(k) == 0) {
        ++without_data_;
        continue;
      }
      const auto p = block.predictions.mean.row(k);
      Index likeliest = 0;
      p.maxCoeff(&likeliest);
      to_.classes[next_] = classes_[likeliest];
      double entropy = 0;
      for (Index c = 0; c < classes; ++c) {
        put(c, p(c));
        if (p(c) > 0) entropy -= p(c) * std::log(p(c));
      }
      put(classes, block.predictions.sides(k, 0)), put(classes + 1, block.predictions.sides(k, 1));
      put(classes + 2, entropy), put(classes + 3, block.predictions.spread(k, likeliest));
    }
  }
  Index pixels() const { return next_; }
  Index without_data() const { return without_data_; }

 private:
  void put(Index layer, double number) { to_.layers[layer * pixels_ + next_] = static_cast<float>(number); }

  Index pixels_, next_ = 0, without_data_ = 0;
  std::vector<std::int32_t> classes_;
  MapWindow& to_;
};

/// The numbers that the names of classes are. Throws DataError for another name.
std::vector<std::int32_t> numbers_of(const std::string& source, const std::vector<std::string>& names) {
  std::vector<std::int32_t> numbers;
  for (const std::string& name : names) {
    std::int32_t number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || number < 0 || number > 65534)
      throw DataError(concat(source, ": has a class '", name,
                             "', but a map holds whole numbers from 0 to 65534; write rows (-o FILE.csv)."));
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

StackPlace place_of_stack(const std::string& path, Index rows, Index columns) {
  const Hdf5Rows file(path);
  const Stack stack{Place(path)};
  StackPlace found;
  Georeference& place = found.georeference;
  const datasets::rasters::ImageSeries& finest = datasets::rasters::finest_series(stack);
  const std::vector<double> x = centres(file, finest.x, columns), y = centres(file, finest.y, rows);
  const std::uint16_t code = epsg_code(stack.system());
  if (x.empty() || y.empty() || x[1] < x[0]) return found;
  found.rising = y.back() > y.front();
  const double wide = x[1] - x[0], high = std::abs(y[0] - y[1]);
  place.pixel_scale = {wide, high, 0};
  place.tie_points = {0, 0, 0, x[0] - wide / 2, std::max(y.front(), y.back()) + high / 2, 0};
  const bool geographic = code >= 4000 && code < 5000;
  const std::uint16_t keys = code == 0 ? 1 : 3;
  place.geo_keys = {1, 1, 0, keys};
  if (code != 0)
    place.geo_keys.insert(place.geo_keys.end(), {1024, 0, 1, static_cast<std::uint16_t>(geographic ? 2 : 1)});
  place.geo_keys.insert(place.geo_keys.end(), {1025, 0, 1, 1});
  if (code != 0)
    place.geo_keys.insert(place.geo_keys.end(), {static_cast<std::uint16_t>(geographic ? 2048 : 3072), 0, 1, code});
  return found;
}

bool is_raster_name(const std::string& output) { return output.ends_with(".tif") || output.ends_with(".tiff"); }

std::vector<std::string> write_stack_map(const study::LearnedTask& task, const study::TrainedModel& model,
                                         const study::MapRequest& request) {
  MapPlan plan;
  const std::vector<std::string> names = task.target(model.config).classes;
  plan.classes = numbers_of(request.model, names);
  {
    const Stack stack{Place(request.data)};
    const auto grid = finest_grid(stack);
    plan.rows = grid.rows, plan.columns = grid.columns;
  }
  const StackPlace place = place_of_stack(request.data, plan.rows, plan.columns);
  plan.place = place.georeference;
  MapFiles files(request.output, plan);
  MapWindow window{{0, 0, plan.rows, plan.columns}, {}, {}};
  StackMap map(plan.rows * plan.columns, plan.classes, files.no_data(), window);
  const study::PredictionSummary summary =
      study::predict_cases(task, model, request.data, {.set = request.set}, [&](const study::PredictedBlock& block) {
        if (process_stop_flag().load() != 0)
          throw Interrupted(concat("stopped before the last pixel; ", request.output, " was not written."));
        map.add(block);
      });
  if (place.rising) {
    turn_over(window.classes.data(), 1, plan.rows, plan.columns);
    turn_over(window.layers.data(), files.layers(), plan.rows, plan.columns);
  }
  round_layers(window.layers);
  files.write(window);
  files.finish();
  std::vector<std::string> said = study::reading_notes(summary);
  if (map.without_data() > 0)
    said.push_back(concat("no data, and so no class, at ", map.without_data(), " of ", counted(map.pixels(), "pixel")));
  if (!plan.place.is_there())
    said.push_back(concat(request.data, ": has no x and y at even steps, x rising, so the map has no georeference"));
  said.push_back(concat(counted(map.pixels(), "pixel"), " mapped"));
  return said;
}

}  // namespace fovea::fusion::maps
