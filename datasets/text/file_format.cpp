#include "fovea/datasets/text/file_format.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <array>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::text {

namespace {

using namespace std::literals;

/// way: what to do; "@" stands for the file.
struct Format {
  std::string_view mark, name, way;
  FileFormat format = FileFormat::foreign;
  std::size_t at = 0;  ///< where the mark stands
};

constexpr std::string_view kSheet = "save its sheet as CSV", kExport = "write it as CSV in the program that it is from",
                           kPicture = "give the numbers that the picture was made of",
                           kFetch = "it may stand in place of the file that was to be fetched; get the file itself",
                           kPickle = "it may run any program when it is opened; write CSV or HDF5 in place of it",
                           kArrow =
                               "write it as CSV, in Python: pandas.read_feather(\"@\").to_csv(\"@.csv\", index=False)",
                           kNetcdf = "write it as netCDF-4: nccopy -k nc4 @ @.nc4",
                           kRaster = "give it to a command that reads GeoTIFFs";

// What users bring most often. Marks with a NUL need their length: ""sv.
constexpr std::array kFormats{
    Format{"\xFD"
           "7zXZ\0"sv,
           "packed by xz", "unpack it: xz -dk @"},
    Format{"\x28\xB5\x2F\xFD", "packed by zstd", "unpack it: zstd -dk @"},
    Format{"1AY&SY", "packed by bzip2", "unpack it: bunzip2 -k @", FileFormat::foreign, 4},
    Format{"PAR1", "Parquet", "write it as CSV, in Python: pandas.read_parquet(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a document of Microsoft Office (such as .xls)", kSheet},
    Format{"$FL2", "a file of SPSS", kExport},
    Format{"$FL3", "a file of SPSS", kExport},
    Format{"\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92", "a file of SAS (sas7bdat)", kExport, FileFormat::foreign, 12},
    Format{"HEADER RECORD*******", "a transport file of SAS", kExport},
    Format{"MSH|^~\\&", "a message of HL7", kExport},
    Format{"<stata_dta>", "a file of Stata", kExport},
    Format{"\x71\x02\x01\0"sv, "a file of Stata", kExport},
    Format{"\x72\x02\x01\0"sv, "a file of Stata", kExport},
    Format{"\x73\x02\x01\0"sv, "a file of Stata", kExport},
    Format{"RDX2\nX\n", "a file of R", kExport},
    Format{"RDX3\nX\n", "a file of R", kExport},
    Format{"ARROW1", "Arrow (Feather)", kArrow},
    Format{"SQLite format 3\0"sv, "a database of SQLite",
           "write its table as CSV: sqlite3 -header -csv @ 'SELECT * FROM TABLE'"},
    Format{"MATLAB 5.0 MAT-file", "a file of MATLAB", "write it as CSV: writematrix; or, with -v7.3, as HDF5"},
    Format{"X\n\0\0\0"sv, "a file of R", kExport},
    Format{"\x89PNG", "a PNG picture", kPicture},
    Format{"\xFF\xD8\xFF", "a JPEG picture", kPicture},
    Format{"%PDF", "a PDF document", "copy its table into a CSV file, or get the table from its source"},
    Format{"[{", "JSON", kExport},
    Format{"{\"", "JSON", kExport},
    Format{"[\n", "JSON", kExport},
    Format{"{\n", "JSON", kExport},
    Format{"<!DOCTYPE html", "a web page", kFetch},
    Format{"<!doctype html", "a web page", kFetch},
    Format{"<html", "a web page", kFetch},
    Format{"\x80\x04\x95"sv, "a Python pickle", kPickle},
    Format{"\x80\x05\x95"sv, "a Python pickle", kPickle},
    Format{"CDF\x01", "netCDF-3", kNetcdf},
    Format{"CDF\x02", "netCDF-3", kNetcdf},
    Format{"\x89HDF\r\n\x1A\n", "HDF5", "give it to a command that reads HDF5", FileFormat::hdf5},
    Format{"II*\0"sv, "a TIFF picture", kRaster, FileFormat::tiff},
    Format{"MM\0*"sv, "a TIFF picture", kRaster, FileFormat::tiff},
    Format{"II+\0"sv, "a TIFF picture", kRaster, FileFormat::tiff},
    Format{"MM\0+"sv, "a TIFF picture", kRaster, FileFormat::tiff},
    Format{"root\0\0"sv, "a ROOT file", "turn it into ragged HDF5: scripts/root-to-ragged", FileFormat::arrays},
    Format{"\x93NUMPY", "a NumPy array",
           "write it as CSV, in Python: numpy.savetxt(\"@.csv\", numpy.load(\"@\"), delimiter=\",\")",
           FileFormat::arrays},
};

/// What a ZIP holds, by the names of its first members.
Format zip_of(std::string_view front) {
  const auto holds = [&](std::string_view name) { return front.find(name) != std::string_view::npos; };
  if (holds("opendocument.spreadsheet")) return {"PK", "a spreadsheet (ODS)", kSheet};
  if (holds("Index/") && holds(".iwa")) return {"PK", "a document of Apple (such as .numbers)", kSheet};
  if (holds("xl/")) return {"PK", "an Excel workbook (xlsx)", kSheet};
  if (holds(".npy")) return {"PK", "NumPy arrays (.npz)", "write them as HDF5 or CSV", FileFormat::arrays};
  // A workbook that begins with its list of contents names its sheets further behind.
  if (holds("[Content_Types].xml")) return {"PK", "a document of Microsoft Office (such as .xlsx)", kSheet};
  return {"PK", "a ZIP archive", "unpack it: unzip @"};
}

/// Of text and of what is not known without a name.
Format format_at(std::string_view front) {
  if (front.starts_with("PK\x03\x04")) return zip_of(front);
  for (const Format& format : kFormats)
    if (front.size() >= format.at && front.substr(format.at).starts_with(format.mark)) return format;
  return {"", "", "", FileFormat::text};
}

}  // namespace

FileFormat format_of_bytes(std::string_view front) { return format_at(front).format; }

std::string foreign_format(std::string_view front, const std::string& path) {
  const Format known = format_at(front);
  if (known.name.empty()) return "";
  std::string text = concat("is ", known.name, ", which is not read here; ");
  for (const char letter : known.way) text += letter == '@' ? path : std::string(1, letter);
  return text;
}

std::string front_of(const std::string& path, std::size_t most) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return "";  // a pipe must not make anybody wait
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  std::string front(most, '\0');
  const int done = gzread(file, front.data(), static_cast<unsigned>(most));
  gzclose(file);
  front.resize(done > 0 ? static_cast<std::size_t>(done) : 0);
  return front;
}

}  // namespace fovea::datasets::text
