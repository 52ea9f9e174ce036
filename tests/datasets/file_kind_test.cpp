#include "fovea/datasets/recognise/file_kind.hpp"

#include <fstream>

#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/tests/support/refusals.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets {

using namespace std::literals;

TEST_CASE("a file that is no text is called by its name with the way out", "[datasets]") {
  struct Case {
    const char* name;
    std::string bytes;
    const char* says;
  };
  const std::vector<Case> cases{
      {"xlsx", "PK\x03\x04[Content_Types].xml....xl/workbook.xml",
       "is an Excel workbook (xlsx), which is not read here; save its sheet as CSV"},
      {"ods", "PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
       "is a spreadsheet (ODS), which is not read here; save its sheet as CSV"},
      {"zip", "PK\x03\x04....a.csv", "is a ZIP archive, which is not read here; unpack it: unzip t.csv"},
      {"xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
       "is a document of Microsoft Office (such as .xls), which is not read here; save its sheet as CSV"},
      {"Parquet", "PAR1....PAR1",
       "is Parquet, which is not read here; write it as CSV, in Python: "
       "pandas.read_parquet(\"t.csv\").to_csv(\"t.csv.csv\", index=False)"},
      {"xz",
       "\xFD"
       "7zXZ\0"s,
       "is packed by xz, which is not read here; unpack it: xz -dk t.csv"},
      {"zstd", "\x28\xB5\x2F\xFD", "is packed by zstd, which is not read here; unpack it: zstd -dk t.csv"},
      {"bzip2", "BZh91AY&SY", "is packed by bzip2, which is not read here; unpack it: bunzip2 -k t.csv"},
      {"PNG", "\x89PNG\r\n\x1A\n",
       "is a PNG picture, which is not read here; give the numbers that the picture was made of"},
      {"PDF", "%PDF-1.7",
       "is a PDF document, which is not read here; copy its table into a CSV file, or get the table from its source"},
      {"a web page", "<!DOCTYPE html><html>",
       "is a web page, which is not read here; it may stand in place of the file that was to be fetched; get the file "
       "itself"},
      {"JSON", "[{\"a\": 1}]", "is JSON, which is not read here; write it as CSV in the program that it is from"},
      {"a pickle", "\x80\x04\x95",
       "is a Python pickle, which is not read here; it may run any program when it is opened; write CSV or HDF5 in "
       "place of it"},
      {"SAS", "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!0000",
       "is a transport file of SAS, which is not read here; write it as CSV in the program that it is from"},
      {"HL7", "MSH|^~\\&|LAB|HOSP",
       "is a message of HL7, which is not read here; write it as CSV in the program that it is from"},
      {"HDF5", "\x89HDF\r\n\x1A\n", "is HDF5, which is not read here; give it to a command that reads HDF5"},
      {"text that begins as a format", "root_depth,BZh,PKa\n1,2,3\n", ""}};
  for (const Case& one : cases) DYNAMIC_SECTION(one.name) {
      const support::TemporaryFolder folder;
      std::ofstream(folder.file("t.csv"), std::ios::binary) << one.bytes;
      const std::string said =
          support::refusal_in<DataError>(folder, [&] { text::CsvReader reader(folder.file("t.csv")); });
      CHECK(said == (std::string(one.says).empty() ? "" : "t.csv: "s + one.says));
    }
}

TEST_CASE("a file is known by its first bytes and the names of its columns", "[datasets]") {
  const std::vector<std::tuple<const char*, std::string, FileKind>> cases{
      {"config", "# what it shows\nexperiment = \"lag.discover\"\n", FileKind::config},
      {"edges", "Source;Target;weight\na;b;1\n", FileKind::edges},
      {"edges as igraph has them", "from,to\na,b\n", FileKind::edges},
      {"KONECT", "% sym unweighted\n1 2\n", FileKind::graph},
      {"node-link JSON", "{\"directed\": false, \"nodes\": [], \"links\": []}", FileKind::graph},
      {"GraphML", "<?xml version=\"1.0\"?><graphml/>", FileKind::graph},
      {"events", "hadm_id,charttime,itemid,valuenum\n1,2020-01-01,5,3\n", FileKind::events},
      {"a wide table of stays", "stay_id,time_hours,hr\n1,0,80\n", FileKind::events},
      {"a record of the challenge", "Time,Parameter,Value\n00:00,Age,54\n", FileKind::events},
      {"scenes", "scene,s1,s2\na,S1.tif,S2.tif\n", FileKind::scenes},
      {"scenes of a play", "scene,s1,s2\n1,0.5,3\n", FileKind::table},
      {"a table in UTF-16",
       "\xFF\xFE"
       "a\0,\0y\0\n\0"
       "1\0,\0"
       "2\0\n\0"s,
       FileKind::table},
      {"a raster", "II*\0...."s, FileKind::raster},
      {"NIfTI", "\x5C\1\0\0"s + std::string(344, '\0'), FileKind::image},
      {"NRRD", "NRRD0004\ntype: short\n", FileKind::image},
      {"PNG", "\x89PNG\r\n", FileKind::image},
      {"DICOM that begins as TIFF", "II*\0"s + std::string(124, '\0') + "DICM\2\0\0\0"s, FileKind::image},
      {"series", "date,rain\n2020-01-01,1\n2020-01-02,2\n2020-01-03,2\n", FileKind::series},
      {"dates that do not ascend", "date,rain\n2020-01-03,1\n2020-01-02,2\n2020-01-03,2\n", FileKind::table},
      {"dates beside words", "date,word\n2020-01-01,a\n2020-01-02,b\n2020-01-03,b\n", FileKind::table},
      {"a survey", "respondent,wave,party\n1,1,a\n", FileKind::survey},
      {"questions", "q1,q2,q3,sex\n1,2,3,f\n", FileKind::survey},
      {"any table", "age,sex,relapse\n50,f,1\n", FileKind::table},
      {"bytes", "\1\0\2"s, FileKind::unknown},
      {"nothing", "", FileKind::unknown}};
  for (const auto& [name, bytes, kind] : cases) DYNAMIC_SECTION(name) {
      const support::TemporaryFolder folder;
      std::ofstream(folder.file("f"), std::ios::binary) << bytes;
      CHECK(kind_of_file(folder.file("f")) == kind);
    }
  CHECK(kind_of_file("/no/such/file") == FileKind::unknown);
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("f")) << "age,age,y\n1,2,3\n";
  CHECK(kind_of_file(folder.file("f")) == FileKind::unknown);
  CHECK(support::refusal_in<DataError>(folder, [&] { kind_or_fault(folder.file("f")); }) ==
        "f:row 1: has two columns 'age'; rename one.");
}

}  // namespace fovea::datasets
