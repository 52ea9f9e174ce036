#include "fovea/datasets/images/stored.hpp"

#ifdef FOVEA_HAS_GDCM
#include <gdcmAttribute.h>
#include <gdcmImageReader.h>

#include <cstring>

#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::images {

namespace {

/// The text of an element; "" where it is not there.
std::string dicom_text(const gdcm::DataSet& data, std::uint16_t group, std::uint16_t element) {
  const gdcm::Tag tag(group, element);
  const gdcm::ByteValue* value = data.FindDataElement(tag) ? data.GetDataElement(tag).GetByteValue() : nullptr;
  std::string text = value == nullptr ? "" : std::string(value->GetPointer(), value->GetLength());
  text.erase(std::min(text.find('\0'), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

VoxelType dicom_type(const std::string& path, const gdcm::PixelFormat& format) {
  const auto kind = gdcm::PixelFormat::ScalarType(format);
  if (kind == gdcm::PixelFormat::FLOAT32) return VoxelType::float32;
  if (kind == gdcm::PixelFormat::FLOAT64) return VoxelType::float64;
  const int bits = format.GetBitsAllocated(), step = bits == 8 ? 0 : bits == 16 ? 2 : 4;
  if ((bits != 8 && bits != 16 && bits != 32) || kind == gdcm::PixelFormat::FLOAT16)
    refuse_image(path, "its voxels are ", format.GetScalarTypeAsString(), ", which is not read; write it as .nii.gz.");
  return static_cast<VoxelType>(step + format.GetPixelRepresentation());  // unsigned and signed of each size
}

double dicom_number(const gdcm::DataSet& data, std::uint16_t group, std::uint16_t element, double otherwise) {
  return rasters::number_in(dicom_text(data, group, element)).value_or(otherwise);
}

/// What cannot be a slice is refused by its name.
void check_modality(const std::string& path, const gdcm::DataSet& data) {
  const std::string modality = dicom_text(data, 0x0008, 0x0060);
  if (modality == "RTSTRUCT")
    refuse_image(path, "holds contours (RTSTRUCT), which are not read; write their mask as .nii.gz, and take it away.");
  if (!data.FindDataElement(gdcm::Tag(0x7FE0, 0x0010)))
    refuse_image(path, "holds no image (modality ", modality, "); take it out of the folder.");
}

SliceHead slice_head(const std::string& path, const gdcm::File& file, const gdcm::Image& image) {
  const gdcm::DataSet& data = file.GetDataSet();
  if (image.GetPixelFormat().GetSamplesPerPixel() != 1)
    refuse_image(path, "its voxels are colours; give a series with one number a voxel.");
  if (const unsigned slices = image.GetNumberOfDimensions() > 2 ? image.GetDimension(2) : 1; slices > 1)
    refuse_image(path, "holds ", slices, " slices in one file, which is not read; write it as .nii.gz.");
  SliceHead head;
  head.type = dicom_type(path, image.GetPixelFormat());
  for (unsigned k = 0; k < 2; ++k) head.size[k] = image.GetDimension(k), head.spacing[k] = image.GetSpacing(k);
  for (unsigned k = 0; k < 3; ++k) head.position[k] = image.GetOrigin(k);
  for (unsigned k = 0; k < 6; ++k) head.turn[k] = image.GetDirectionCosines(k);
  head.thickness = dicom_number(data, 0x0018, 0x0050, 1);
  if (!(head.thickness > 0)) head.thickness = 1;
  head.slope = dicom_number(data, 0x0028, 0x1053, image.GetSlope());
  head.intercept = dicom_number(data, 0x0028, 0x1052, image.GetIntercept());
  head.placed = data.FindDataElement(gdcm::Tag(0x0020, 0x0032)) && data.FindDataElement(gdcm::Tag(0x0028, 0x0030));
  dicom_text(data, 0x0020, 0x000E).copy(head.series.data(), head.series.size() - 1);
  head.bytes = static_cast<std::uint64_t>(head.size[0] * head.size[1]) * bytes_of(head.type);
  return head;
}

}  // namespace

std::string decoded_slices(const std::vector<std::string>& files) {
  std::string slices;
  for (const std::string& path : files) {
    gdcm::ImageReader reader;
    reader.SetFileName(path.c_str());
    const bool read = reader.Read();
    const gdcm::DataSet& data = reader.GetFile().GetDataSet();
    SliceHead head;
    const bool directory = data.FindDataElement(gdcm::Tag(0x0004, 0x1220));
    if (!directory) {
      if (!data.IsEmpty()) check_modality(path, data);
      if (!read) refuse_damaged(path, "is no image that GDCM can read");
      head = slice_head(path, reader.GetFile(), reader.GetImage());
    }
    slices.append(reinterpret_cast<const char*>(&head), sizeof head);
    if (head.bytes == 0) continue;
    const std::size_t at = slices.size(), size = reader.GetImage().GetBufferLength();
    if (size != head.bytes)
      refuse_damaged(path, "holds ", size, " bytes of voxels, and its header states ", head.bytes);
    slices.resize(at + size);
    if (!reader.GetImage().GetBuffer(slices.data() + at)) refuse_damaged(path, "its voxels cannot be decoded");
  }
  return slices;
}

}  // namespace fovea::datasets::images
#else
namespace fovea::datasets::images {
std::string decoded_slices(const std::vector<std::string>& files) {
  refuse_image(files[0], "is DICOM; this build lacks GDCM, which reads it: install libgdcm-dev and build again.");
}
}  // namespace fovea::datasets::images
#endif
