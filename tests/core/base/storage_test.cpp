#include "fovea/core/base/storage.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "fovea/tests/support/failing_disk.hpp"
#include "fovea/tests/support/test.hpp"

using support::FailingDisk;

TEST_CASE("write_file and read_file keep every byte", "[storage]") {
  const TemporaryFolder folder;
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 % 251);
  for (const std::string& text : {std::string(), std::string("a\0b\r\n", 5), bytes}) {
    write_file(folder.file("x"), text);
    CHECK(read_file(folder.file("x")) == text);
    CHECK(sha256_of_file(folder.file("x")) == sha256(text));
  }
  CHECK(folder.names() == std::set<std::string>{"x"});
}

TEST_CASE("a file that does not tell its size is read to its end", "[storage]") {
  CHECK(read_file("/proc/self/status").find("VmPeak") != std::string::npos);
}

TEST_CASE("sha256 gives the published test vectors", "[storage]") {
  // FIPS 180-4 examples: the empty message, "abc", and a million letters a.
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  Sha256 hash;
  for (const char* piece : {"a", "", "bc"}) hash.add(piece);
  CHECK(hash.hex() == sha256("abc"));
}

TEST_CASE("a missing file, a folder and a forbidden place are told with the system's reason", "[storage]") {
  const TemporaryFolder folder;
  CHECK(refusal_of<StorageError>([&] { read_file(folder.file("no")); }) ==
        folder.file("no") + ": cannot be opened: No such file or directory.");
  CHECK(refusal_of<StorageError>([&] { read_file(folder.path()); }) ==
        folder.path() + ": cannot be read: Is a directory.");
  CHECK(refusal_of<StorageError>([&] { sha256_of_file(folder.path()); }) ==
        folder.path() + ": cannot be read: Is a directory.");
  CHECK(refusal_of<StorageError>([&] { write_file(folder.file("no/x"), "1"); }) ==
        folder.file("no/x") + ": cannot be created: No such file or directory.");
  CHECK(refusal_of<StorageError>([&] { write_file("/proc/x", "1"); }).find("/proc/x: cannot be created: ") == 0);
  CHECK(refusal_of<StorageError>([&] { write_file(folder.path() + "/", "1"); }).find("is not the name of a file") !=
        std::string::npos);
}

TEST_CASE("make_folder makes the parents too and refuses a file in the way", "[storage]") {
  const TemporaryFolder folder;
  make_folder(folder.file("a/b/c"));
  make_folder(folder.file("a/b/c"));
  write_file(folder.file("a/b/c/x"), "1");
  CHECK(refusal_of<StorageError>([&] { make_folder(folder.file("a/b/c/x")); }) ==
        folder.file("a/b/c/x") + ": cannot be created as a folder: Not a directory.");
  CHECK(refusal_of<StorageError>([&] { make_folder(folder.file("a/b/c/x/y")); }) ==
        folder.file("a/b/c/x/y") + ": cannot be created as a folder: Not a directory.");
}

TEST_CASE("every refused call leaves the old or the whole new file and nothing else", "[storage][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("x");
  const std::string new_text(2'500'000, 'n');
  int refused = 0;
  for (const int error : {ENOSPC, EIO}) {
    for (int k = 1; k < 100; ++k) {
      write_file(path, "old");
      std::string message;
      bool failed = false;
      {
        const FailingDisk disk(k, error);
        message = refusal_of<StorageError>([&] { write_file(path, new_text); });
        failed = disk.failed();
      }
      if (!failed) break;
      ++refused;
      INFO("call " << k << ", error " << error << ": " << message);
      CHECK(folder.names() == std::set<std::string>{"x"});
      const std::string text = read_file(path);
      CHECK((text == "old" || text == new_text));
      // Only a failed fsync or close of the folder comes after the rename.
      const bool published = message.empty() || message.rfind(folder.path() + ": ", 0) == 0;
      CHECK((text == new_text) == published);
      if (!published) CHECK(message.rfind(path + ": ", 0) == 0);
      if (error == ENOSPC && !message.empty())
        CHECK(message.find("No space left on device; free some space") != std::string::npos);
    }
  }
  CHECK(refused >= 2 * 9);  // 3 writes, 3 fsyncs, 3 closes and the rename, twice
}

TEST_CASE("a full disk is told with the bytes written so far", "[storage][fault]") {
  const TemporaryFolder folder;
  const FailingDisk disk(2, ENOSPC);
  CHECK(refusal_of<StorageError>([&] { write_file(folder.file("x"), std::string(1000, 'x')); }) ==
        folder.file("x") +
            ": cannot be written (500 of 1000 bytes): No space left on device; free some space or "
            "choose another folder.");
}

TEST_CASE("the system's own limit on file size is an error and not a signal's death", "[storage][fault]") {
  const TemporaryFolder folder;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = refusal_of<StorageError>([&] { write_file(folder.file("x"), std::string(10'000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == folder.file("x") +
                       ": cannot be written (4096 of 10000 bytes): File too large; free some space or "
                       "choose another folder.");
  CHECK(folder.names().empty());
}

TEST_CASE("what writers left that were killed here, or a day ago, is removed, and nothing else", "[storage]") {
  const TemporaryFolder folder;
  const std::string own = write_temporary(folder.file("result.h5"), "half").path();
  const std::string name = own.substr(own.rfind('/') + 1);  // .result.h5.HOST.PID.WORD-COUNT.tmp
  const std::string process = '.' + std::to_string(::getpid()) + '.';
  const std::size_t pid = name.rfind(process);
  const std::string start = name.substr(0, pid), end = name.substr(pid + process.size());
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ::waitpid(ended, nullptr, 0);
  const std::string other = ".result.h5.elsewhere" + process + end;
  const std::string left = start + '.' + std::to_string(ended) + '.' + end;
  const std::string namesake = start + process + "0123456789abcdef-1.tmp";  // of an earlier process of this number
  const std::set<std::string> kept = {name, other, start + ".1." + end, "result.h5", ".hidden", ".a.1.2.tmp", ".tmp"};
  for (const std::string& file : kept) write_file(folder.file(file), "");
  for (const std::string& file : {left, namesake}) write_file(folder.file(file), "");
  REQUIRE(folder.names().size() == kept.size() + 2);
  remove_temporaries(folder.path());
  CHECK(folder.names() == kept);
  const timespec old[2] = {{1, 0}, {1, 0}};
  const std::string earlier = ".a.1.2.tmp";  // of a version that named no host
  for (const std::string& file : {other, earlier}) ::utimensat(AT_FDCWD, folder.file(file).c_str(), old, 0);
  ::utimensat(AT_FDCWD, own.c_str(), old, 0);
  remove_temporaries(folder.path());
  CHECK(folder.names().count(other) == 0);
  CHECK(folder.names().count(earlier) == 0);
  CHECK(folder.names().size() == kept.size() - 2);  // one's own is never old
  remove_temporaries(folder.file("nowhere"));
  remove_temporaries(folder.file("result.h5"));
}

TEST_CASE("threads that write the same file leave one whole version", "[storage][threads]") {
  const TemporaryFolder folder;
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'e'; ++letter)
    writers.emplace_back([&folder, letter] {
      for (int i = 0; i < 20; ++i) write_file(folder.file("x"), std::string(50'000, letter));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string text = read_file(folder.file("x"));
  CHECK(text == std::string(50'000, text.at(0)));
  CHECK(folder.names() == std::set<std::string>{"x"});
}
