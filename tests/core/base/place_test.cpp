#include "fovea/core/base/place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fovea/core/base/storage.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

void link_to(const std::string& target, const std::string& name) { std::filesystem::create_symlink(target, name); }

std::string refused_link(const std::string& path, const std::string& chosen) {
  return path + ": is a link, which nothing in " + chosen +
         " may be; put a file or folder of that name in its place, or remove it.";
}

}  // namespace

TEST_CASE("a place has a chosen path and a path below it", "[storage]") {
  const Place run("runs/x");
  const Place log = run / "points" / "1a2b" / "log";
  CHECK(log.path() == "runs/x/points/1a2b/log");
  CHECK(log.chosen() == "runs/x");
  CHECK(log.name() == "log");
  CHECK(log.folder().path() == "runs/x/points/1a2b");
  CHECK(log.folder().chosen() == "runs/x");
  CHECK(log.beside("lock").path() == "runs/x/points/1a2b/lock");
  CHECK((run / "log").folder().path() == "runs/x");
  CHECK((run / "log").beside("lock").below() == "lock");
  CHECK(Place("log").folder().path() == ".");
  CHECK(Place("log").beside("lock").path() == "./lock");
  CHECK(Place("/a/b/").name().empty());
}

TEST_CASE("what is not the name of one thing does not lead out of a folder", "[storage]") {
  for (const std::string& name : {std::string(), std::string("."), std::string(".."), std::string("a/b"),
                                  std::string("/etc"), std::string("../x"), std::string("a\0b", 3)})
    CHECK_THROWS_AS(Place("runs/x") / name, ArgumentError);
}

TEST_CASE("a chosen path may lead through links, below it none is followed", "[storage]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("disk/run/points"));
  write_file(folder.file("outside"), "mine");
  link_to("disk", folder.file("way"));
  link_to("run", folder.file("disk/last"));
  for (const std::string& chosen : {folder.file("way/run"), folder.file("way/last")}) {
    const Place run(chosen);
    write_file(run / "log", "1");
    CHECK(read_file(run / "log") == "1");
    CHECK(names_in(run) == std::vector<std::string>{"log", "points"});
    make_folder(run / "points" / "a" / "b");
    write_file(run / "points" / "a" / "b" / "x", "2");
    CHECK(sha256_of_file(run / "points" / "a" / "b" / "x") == sha256("2"));
    std::filesystem::remove_all(chosen + "/points/a");
  }
  const Place run(folder.file("disk/run"));
  link_to("../../outside", run.path() + "/link");
  CHECK(refusal_of<DataError>([&] { read_file(run / "link"); }) == refused_link(run.path() + "/link", run.path()));
  CHECK(refusal_of<DataError>([&] { sha256_of_file(run / "link"); }) == refused_link(run.path() + "/link", run.path()));
  CHECK(refusal_of<DataError>([&] { open_place(run / "link", O_RDWR | O_CREAT); }) ==
        refused_link(run.path() + "/link", run.path()));
  CHECK(read_file(run.path() + "/link") == "mine");  // who names it himself may follow it
  CHECK(exists(run / "link"));
  CHECK_FALSE(is_file(run / "link"));
  write_file(run / "link", "3");  // renamed over the link, not through it
  CHECK(read_file(folder.file("outside")) == "mine");
  CHECK(read_file(run / "link") == "3");
}

TEST_CASE("a folder below the chosen path that is a link is neither entered, listed, filled nor emptied", "[storage]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("outside/run"));
  std::filesystem::create_directory(folder.file("run"));
  write_file(folder.file("outside/x"), "mine");
  const std::string left = write_temporary(folder.file("outside/x"), "mine too").path();
  link_to("../outside", folder.file("run/figures"));
  const Place run(folder.file("run"));
  const std::string refused = refused_link(folder.file("run/figures"), folder.file("run"));
  const Place inside = run / "figures" / "x";
  CHECK(refusal_of<DataError>([&] { make_folder(run / "figures"); }) == refused);
  CHECK(refusal_of<DataError>([&] { make_folder(run / "figures" / "more"); }) == refused);
  CHECK(refusal_of<DataError>([&] { names_in(run / "figures"); }) == refused);
  CHECK(refusal_of<DataError>([&] { write_file(inside, "theirs"); }) == refused);
  CHECK(refusal_of<DataError>([&] { read_file(inside); }) == refused);
  CHECK(refusal_of<DataError>([&] { remove_file(inside); }) == refused);
  CHECK(refusal_of<DataError>([&] { exists(inside); }) == refused);
  remove_temporaries(run / "figures");
  CHECK(read_file(folder.file("outside/x")) == "mine");
  CHECK(std::filesystem::exists(left));
  CHECK_FALSE(std::filesystem::exists(folder.file("outside/more")));
}

TEST_CASE("a pipe below a chosen path makes nobody wait", "[storage]") {
  const TemporaryFolder folder;
  const Place pipe = Place(folder.path()) / "DONE";
  REQUIRE(::mkfifo(pipe.path().c_str(), 0666) == 0);
  const std::string refused = pipe.path() + ": is a pipe, a socket or a device, which nothing in " + folder.path() +
                              " may be; put a file or folder of that name in its place, or remove it.";
  CHECK(refusal_of<DataError>([&] { read_file(pipe); }) == refused);
  CHECK(refusal_of<DataError>([&] { open_place(pipe, O_WRONLY | O_APPEND); }) == refused);
  CHECK(refusal_of<DataError>([&] { open_place(pipe, O_RDWR | O_CREAT); }) == refused);
  CHECK(refusal_of<DataError>([&] { refuse_link(pipe); }) == refused);
  CHECK_FALSE(is_file(pipe));
  std::filesystem::create_directory(folder.file("lock"));
  CHECK(refusal_of<DataError>([&] { open_place(Place(folder.path()) / "lock", O_RDWR | O_CREAT); }) ==
        folder.file("lock") + ": is a folder, but must be a file; remove it.");
}

TEST_CASE("what is written in place must have one name", "[storage]") {
  const TemporaryFolder folder;
  write_file(folder.file("log"), "1");
  const auto refusal = [&] {
    return refusal_of<DataError>(
        [&] { refuse_second_name(folder.file("log"), open_place(folder.file("log"), O_RDWR)); });
  };
  CHECK(refusal().empty());
  REQUIRE(::link(folder.file("log").c_str(), folder.file("twin").c_str()) == 0);
  CHECK(refusal() == folder.file("log") +
                         ": is a hard link, so that writing here would change the other file too; put a "
                         "copy in its place, or remove it.");
}

TEST_CASE("what is not there is told as such", "[storage]") {
  const TemporaryFolder folder;
  const Place none = Place(folder.path()) / "no";
  CHECK_FALSE(exists(none));
  CHECK_FALSE(exists(none / "x"));
  CHECK(names_in(none).empty());
  remove_file(none);
  remove_file(none / "x");
  CHECK(refusal_of<StorageError>([&] { read_file(none); }) ==
        none.path() + ": cannot be opened: No such file or directory.");
  CHECK(refusal_of<StorageError>([&] { write_file(none / "x", ""); }) ==
        none.path() + "/x: cannot be created: No such file or directory.");
  CHECK(refusal_of<StorageError>([&] { file_size(none); }) ==
        none.path() + ": cannot be read: No such file or directory.");
  write_file(none, "");
  CHECK(refusal_of<StorageError>([&] { make_folder(none); }) ==
        none.path() + ": cannot be created as a folder: Not a directory.");
  CHECK(names_in(none).empty());
}
