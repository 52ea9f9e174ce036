#include "fovea/tests/datasets/rasters/made_rasters.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>

namespace fovea::support {

using namespace datasets::rasters;
using Eigen::Index;

namespace {

void put_number(std::string& bytes, std::uint64_t number, unsigned size, bool swapped) {
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * (swapped ? size - 1 - i : i)));
}

}  // namespace

MadeTiff::MadeTiff() : pixels(4 * 3 * 2, '\1') {
  tags = {{256, {3, {4}, "", 0}},  {257, {3, {3}, "", 0}}, {258, {3, {16}, "", 0}}, {259, {3, {1}, "", 0}},
          {262, {3, {1}, "", 0}},  {273, {4, {0}, "", 0}}, {277, {3, {1}, "", 0}},  {278, {3, {3}, "", 0}},
          {279, {4, {24}, "", 0}}, {284, {3, {1}, "", 0}}, {339, {3, {2}, "", 0}}};
}

std::string MadeTiff::bytes() const {
  std::string file(swapped ? "MM" : "II"), behind;
  put_number(file, 42, 2, swapped);
  put_number(file, 8, 4, swapped);
  put_number(file, tags.size(), 2, swapped);
  const std::uint64_t end = 8 + 2 + 12 * tags.size() + 4;
  for (const auto& [number, tag] : tags) {
    std::string values = tag.text;
    const unsigned each = tag.type == 3 ? 2 : tag.type == 12 ? 8 : tag.type == 1 ? 1 : 4;
    for (const double value : tag.numbers) {
      const bool is_place = number == 273 && value == 0;
      const auto whole = is_place ? end : static_cast<std::uint64_t>(value);
      put_number(values, tag.type == 12 ? std::bit_cast<std::uint64_t>(value) : whole, each, swapped);
    }
    const std::uint64_t count = tag.claimed != 0 ? tag.claimed : tag.type == 2 ? tag.text.size() : tag.numbers.size();
    put_number(file, number, 2, swapped);
    put_number(file, tag.type, 2, swapped);
    put_number(file, count, 4, swapped);
    if (values.size() > 4) {
      put_number(file, end + pixels.size() + behind.size(), 4, swapped);
      behind += values;
    } else {
      file += values;
      file.append(4 - values.size(), '\0');
    }
  }
  put_number(file, next, 4, swapped);
  return file + pixels + behind;
}

Georeference made_place() {
  Georeference place;
  place.pixel_scale = {10, 10, 0};
  place.tie_points = {0, 0, 0, 500000, 5600000, 0};
  place.geo_keys = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32631};
  return place;
}

RasterPlan made_plan(Index rows, Index columns, SampleType sample, const std::vector<std::string>& bands) {
  RasterPlan plan;
  plan.rows = rows, plan.columns = columns, plan.sample = sample, plan.place = made_place(), plan.tile = 32;
  for (const std::string& name : bands) plan.bands.push_back({name, 1, 0});
  return plan;
}

void write_made_raster(const std::string& path, const RasterPlan& plan,
                       const std::function<double(Index, Index, Index)>& value, Index window_rows,
                       Index window_columns) {
  RasterWriter writer(path, plan);
  for (Index row = 0; row < plan.rows; row += window_rows)
    for (Index column = 0; column < plan.columns; column += window_columns) {
      const Window window{row, column, std::min(window_rows, plan.rows - row),
                          std::min(window_columns, plan.columns - column)};
      std::vector<double> values;
      for (Index band = 0; band < static_cast<Index>(plan.bands.size()); ++band)
        for (Index r = 0; r < window.rows; ++r)
          for (Index c = 0; c < window.columns; ++c) values.push_back(value(band, row + r, column + c));
      writer.write(window, values.data());
    }
  writer.finish();
}

std::vector<double> pixels_of(const RasterReader& reader, const Window& window, Reading reading) {
  std::vector<Index> bands(reader.facts().bands.size());
  std::iota(bands.begin(), bands.end(), 0);
  std::vector<double> values(bands.size() * window.pixels());
  reader.read(window, bands, values.data(), reading);
  return values;
}

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string printed_by(const std::string& command) {
  std::string text;
  if (std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r")) {
    char buffer[4096];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
    ::pclose(pipe);
  }
  return text;
}

bool has_program(const std::string& name) { return !printed_by("command -v " + name).empty(); }

}  // namespace fovea::support
