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

constexpr std::string_view kPicture =
    "a picture holds no values that can be read; give the numbers that it was made of";

// Marks with a NUL need their length: ""sv.
constexpr std::array kFormats{
    Format{"\xFD"
           "7zXZ\0"sv,
           "packed by xz", "unpack it: xz -dk @"},
    Format{"\x28\xB5\x2F\xFD", "packed by zstd", "unpack it: zstd -dk @"},
    Format{"1AY&SY", "packed by bzip2", "unpack it: bunzip2 -k @", FileFormat::foreign, 4},
    Format{"7z\xBC\xAF\x27\x1C", "a 7-Zip archive", "unpack it: 7z x @"},
    Format{"Rar!", "a RAR archive", "unpack it: unrar x @"},
    Format{"\x1F\x9D", "packed by compress", "unpack it: uncompress -k @"},
    Format{"PAR1", "Parquet", "write it as CSV, in Python: pandas.read_parquet(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"ARROW1", "an Arrow file (Feather)",
           "write it as CSV, in Python: pandas.read_feather(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a document of Microsoft Office (such as .xls)",
           "save its sheet as CSV"},
    Format{"\x89PNG", "a PNG picture", kPicture},
    Format{"\xFF\xD8\xFF", "a JPEG picture", kPicture},
    Format{"GIF8", "a GIF picture", kPicture},
    Format{"%PDF", "a PDF document", "copy its table into a CSV file, or get the table from its source"},
    Format{"{\\rtf", "a document in RTF", "save its table as CSV"},
    Format{"SQLite format 3\0"sv, "an SQLite database",
           "write a table of it as CSV: sqlite3 -header -csv @ 'select * from TABLE' > TABLE.csv"},
    Format{"$FL2", "a file of SPSS",
           "write it as CSV, in Python: pandas.read_spss(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"$FL3", "a file of SPSS",
           "write it as CSV, in Python: pandas.read_spss(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"<stata_dta>", "a file of Stata",
           "write it as CSV, in Python: pandas.read_stata(\"@\").to_csv(\"@.csv\", index=False)"},
    Format{"\xC2\xEA\x81\x60\xB3\x14\x11\xCF"sv, "a file of SAS",
           "write it as CSV, in Python: pandas.read_sas(\"@\").to_csv(\"@.csv\", index=False)", FileFormat::foreign,
           12},
    Format{"RDX2\nX\n"sv, "a file of R", "write it as CSV, in R: load(\"@\"), then write.csv()"},
    Format{"RDX3\nX\n"sv, "a file of R", "write it as CSV, in R: load(\"@\"), then write.csv()"},
    Format{"X\n\0\0\0"sv, "a file of R",
           "write it as CSV, in R: write.csv(readRDS(\"@\"), \"@.csv\", row.names = FALSE)"},
    Format{"MATLAB 5.0 MAT-file", "a file of MATLAB", "write its arrays as CSV (writematrix) or as HDF5"},
    Format{"CDF\x01", "netCDF-3", "write it as netCDF-4: nccopy -k nc4 @ @.nc4"},
    Format{"CDF\x02", "netCDF-3", "write it as netCDF-4: nccopy -k nc4 @ @.nc4"},
    Format{"CDF\x05", "netCDF-3", "write it as netCDF-4: nccopy -k nc4 @ @.nc4"},
    Format{"GRIB", "GRIB", "write it as netCDF-4: cdo -f nc4 copy @ @.nc4"},
    Format{"SIMPLE  =", "a FITS file",
           "write its table as CSV, in Python: astropy.table.Table.read(\"@\").write(\"@.csv\")"},
    Format{"\x80\x04\x95"sv, "a Python pickle, which may run any program", "write CSV or HDF5 in place of it"},
    Format{"\x80\x05\x95"sv, "a Python pickle, which may run any program", "write CSV or HDF5 in place of it"},
    Format{"\x7F"
           "ELF",
           "a program", "give a file of data"},
    Format{"<!DOCTYPE html", "a web page",
           "it may stand in place of the file that was to be fetched; get the file itself"},
    Format{"<!doctype html", "a web page",
           "it may stand in place of the file that was to be fetched; get the file itself"},
    Format{"<html", "a web page", "it may stand in place of the file that was to be fetched; get the file itself"},
    Format{"version https://git-lfs", "a pointer of Git LFS, not the file itself", "fetch the file: git lfs pull"},
    Format{"\x89HDF\r\n\x1A\n", "HDF5", "give it to a command that reads HDF5", FileFormat::hdf5},
    Format{"II*\0"sv, "a TIFF picture", "give it to a command that reads GeoTIFFs", FileFormat::tiff},
    Format{"MM\0*"sv, "a TIFF picture", "give it to a command that reads GeoTIFFs", FileFormat::tiff},
    Format{"II+\0"sv, "a TIFF picture", "give it to a command that reads GeoTIFFs", FileFormat::tiff},
    Format{"MM\0+"sv, "a TIFF picture", "give it to a command that reads GeoTIFFs", FileFormat::tiff},
    Format{"root\0\0"sv, "a ROOT file", "turn it into ragged HDF5: scripts/root-to-ragged", FileFormat::root},
    Format{"\x93NUMPY", "a NumPy array",
           "write it as CSV, in Python: numpy.savetxt(\"@.csv\", numpy.load(\"@\"), delimiter=\",\")",
           FileFormat::numpy},
};

/// What a ZIP holds, by the names of its first members.
Format zip_of(std::string_view front) {
  const auto holds = [&](std::string_view name) { return front.find(name) != std::string_view::npos; };
  if (holds("opendocument.spreadsheet")) return {"PK", "a spreadsheet (ODS)", "save its sheet as CSV"};
  if (holds("xl/")) return {"PK", "an Excel workbook (xlsx)", "save its sheet as CSV"};
  if (holds("word/")) return {"PK", "a Word document", "save its table as CSV"};
  if (holds(".npy")) return {"PK", "NumPy arrays (.npz)", "write them as HDF5 or CSV", FileFormat::npz};
  // A workbook that begins with its list of contents names its sheets further behind.
  if (holds("[Content_Types].xml"))
    return {"PK", "a document of Microsoft Office (such as .xlsx)", "save its sheet as CSV"};
  return {"PK", "a ZIP archive", "unpack it: unzip @"};
}

const Format* known_format(std::string_view front, Format& zip) {
  if (front.starts_with("PK\x03\x04")) return &(zip = zip_of(front));
  for (const Format& format : kFormats)
    if (front.size() >= format.at && front.substr(format.at).starts_with(format.mark)) return &format;
  return nullptr;
}

}  // namespace

FileFormat format_of_bytes(std::string_view front) {
  Format zip;
  const Format* const known = known_format(front, zip);
  return known == nullptr ? FileFormat::text : known->format;
}

std::string foreign_format(std::string_view front, const std::string& path) {
  Format zip;
  const Format* const known = known_format(front, zip);
  if (known == nullptr) return "";
  std::string text = concat("is ", known->name, ", which is not read here; ");
  for (const char letter : known->way) text += letter == '@' ? path : std::string(1, letter);
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
