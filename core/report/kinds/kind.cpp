#include "fovea/core/report/kinds/kind.hpp"

#include <array>

#include "fovea/core/base/error.hpp"

namespace fovea {

#define FOVEA_FIGURE_KIND(name) const FigureKind& name##_kind();
#include "fovea/core/report/kinds/table.inl"
#undef FOVEA_FIGURE_KIND

std::span<const FigureKind* const> figure_kinds() {
#define FOVEA_FIGURE_KIND(name) &name##_kind(),
  static const std::array table{
#include "fovea/core/report/kinds/table.inl"
  };
#undef FOVEA_FIGURE_KIND
  return table;
}

const FigureKind& kind_named(const Figure& figure) {
  std::string known;
  for (const FigureKind* kind : figure_kinds()) {
    if (kind->name() == figure.kind) return *kind;
    known += concat(known.empty() ? "" : ", ", kind->name());
  }
  throw DataError(
      concat("figure '", figure.name, "': '", figure.kind, "' is not a kind of figure; there are: ", known, "."));
}

const FigureKind& kind_of(const Dataset& data, const Figure& figure) {
  const FigureKind& kind = kind_named(figure);
  const std::string fault = kind.fault(data, figure);
  require(fault.empty(), "figure '", figure.name, "' ", fault, "; a figure of kind ", kind.name(), " needs ",
          kind.needs(), ".");
  return kind;
}

FigureData figure_data(const Dataset& data, const Figure& figure) { return kind_of(data, figure).arrays(data, figure); }

std::string FigureKind::fault(const Dataset&, const Figure& figure) const {
  if (figure.variables.empty()) return "names no variable";
  return figure.x.empty() ? "names no dimension x" : "";
}

FigureData FigureKind::arrays(const Dataset& data, const Figure& figure) const {
  const std::vector<std::string> axes{figure.x, figure.y, figure.hue};
  FigureData out;
  for (const std::string& name : figure.variables) out.arrays[name] = averaged(data, name);
  for (const auto* names : {&figure.references, &figure.marks})
    for (const std::string& name : *names) out.arrays[name] = squeezed(averaged(data, name), axes);
  if (!figure.labels.empty()) out.arrays.try_emplace(figure.labels, first_replica(data, figure.labels));
  for (const std::string& name : {figure.band_low, figure.band_high})
    if (!name.empty()) out.arrays[name] = squeezed(averaged(data, name), axes);
  if (!figure.failed.empty()) out.arrays[figure.failed] = averaged(data, figure.failed);
  out.sliders = sliders_of(out, axes);
  return out;
}

std::string FigureKind::limit(FigureData&, const Figure&) const { return {}; }

Pictures FigureKind::pictures(const Dataset&, const Figure&, const Averaged&) const { return {}; }

std::vector<std::string> FigureKind::axes_of(const std::vector<std::string>& dimensions) {
  std::vector<std::string> axes;
  for (const std::string& dimension : dimensions)
    if (!dimension.empty()) axes.push_back(dimension);
  return axes;
}

}  // namespace fovea
