"""A run directory from anywhere: malformed files and links in it end in one sentence, and never in a crash, a hang or in
other people's files."""
import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import time
import unittest

from fovea_command import FOVEA, LONGEST, SMALL, CommandTest, processor_seconds

RUN = ["run", "opinion.temperature", *SMALL]
WAY_OUT = "; restore it from a copy, or make it again."


def heap_objects(content):
    """Where the sizes of the objects in the first global heap stand; the last is that of its free space."""
    at = content.index(b"GCOL") + 16
    while True:
        index, size = struct.unpack("<H6xQ", content[at:at + 16])
        yield at + 8
        if index == 0:
            return
        at += 16 + (size + 7) // 8 * 8


def crashing(content):
    """HDF5 1.10 dies of SIGSEGV: a text of 2^62 bytes."""
    place = next(heap_objects(content)) + 7
    return content[:place] + b"\x40" + content[place + 1:]


def hanging(content):
    """HDF5 1.10 never ends: free space of no bytes is followed by itself."""
    *_, last = (place for start in [content.rindex(b"GCOL")] for place in
                (start + offset for offset in heap_objects(content[start:])))
    return content[:last] + bytes(8) + content[last + 8:]


def children_of(program):
    """Of all its threads: each of them may start the child that reads a file."""
    found = ""
    for children in pathlib.Path(f"/proc/{program.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that ended meanwhile
            found += children.read_text()
    return found


class FinishedRun(CommandTest):
    def setUp(self):
        super().setUp()
        self.expect(0, *RUN)
        self.directory = self.runs()[0]
        self.place = f"runs/{self.directory.name}"
        self.good = (self.directory / "result.h5").read_bytes()


class Malformed(FinishedRun):
    def replace_result(self, content):
        """result.h5, and its hash in DONE."""
        (self.directory / "result.h5").write_bytes(content)
        done = (self.directory / "DONE").read_text().splitlines()
        done[2] = "result.h5 " + hashlib.sha256(content).hexdigest()
        (self.directory / "DONE").write_text("\n".join(done) + "\n")

    def wait_for_child_of(self, program):
        end = time.monotonic() + LONGEST
        while not children_of(program):
            self.assertIsNone(program.poll(), "it ended before a child of it was seen")
            self.assertLess(time.monotonic(), end, "no child reads the file")
            time.sleep(0.01)

    def test_a_malformed_result_has_exit_code_4_and_one_sentence_with_every_command(self):
        commands = [RUN, ["resume", self.place], ["report", self.place], ["verify", self.place], ["inspect", self.place],
                    ["compare", self.place, self.place], ["export", self.place, "--csv"],
                    ["lags", f"{self.place}/result.h5"]]
        for damage, what, words in [(crashing, "crash", commands), (hanging, "hang", commands[:2])]:
            self.replace_result(damage(self.good))
            for command in words:
                with self.subTest(what, command=command[0]):
                    done = self.expect(4, *command)
                    self.assertEqual(done.stderr, f"fovea: {self.place}/result.h5: is damaged: reading it made the HDF5 "
                                                  f"library {what}{WAY_OUT}\n")

    def test_a_malformed_checkpoint_under_its_seal_is_passed_over(self):
        for damage in (crashing, hanging):
            content = damage(self.good)
            (self.directory / "DONE").unlink()
            (self.directory / "checkpoint-1.h5").write_bytes(content)
            (self.directory / "checkpoint-1.seal").write_text(f"1 {hashlib.sha256(content).hexdigest()}\n")
            self.expect(0, "resume", self.place)
            self.assertEqual((self.directory / "result.h5").read_bytes(), self.good)
            self.assertIn("checkpoint 1 is damaged (", (self.directory / "log").read_text())

    def test_a_signal_ends_the_wait_for_a_file_that_hangs(self):
        self.replace_result(hanging(self.good))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            for words in (RUN, ["resume", self.place], ["lags", f"{self.place}/result.h5"], ["report", self.place]):
                with self.subTest(number.name, command=words[0]):
                    program = subprocess.Popen([FOVEA, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE, text=True)
                    self.wait_for_child_of(program)
                    before = processor_seconds()
                    program.send_signal(number)
                    err = program.communicate(timeout=LONGEST)[1]
                    self.assertLess(processor_seconds() - before, 1.5)  # a child alone ends after 2 s of processor time
                    self.assertIn(program.returncode, (128 + number, -number), err)
                    if words[0] != "report":  # which has nothing to save, so that the signal just ends it
                        self.assertEqual(err.splitlines()[-1], f"fovea: {self.place}/result.h5: stopped while it was read.")


FILES = ["lock", "log", "config.toml", "resolved.toml", "manifest.json", "result.h5", "machine.h5", "report.html", "DONE",
         "failed.json"]
FOLDERS = ["figures", "points"]


class Links(FinishedRun):
    """Everything in the directory is a link in its turn. Outside lies what must stay as it is."""

    def setUp(self):
        super().setUp()
        self.kept = self.folder / "kept"
        shutil.copytree(self.directory, self.kept)
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        (self.outside / "folder").mkdir()

    def restore(self):
        shutil.rmtree(self.directory)
        shutil.copytree(self.kept, self.directory)

    def replace_by_link(self, name):
        """The file or folder itself now lies outside, so that only the link can be what is wrong."""
        path, target = self.directory / name, self.outside / name
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
            shutil.rmtree(path)
        elif path.exists():
            target.write_bytes(path.read_bytes())
            path.unlink()
        elif name in FOLDERS:
            target.mkdir(exist_ok=True)
        else:
            target.write_text("mine\n")
        path.symlink_to(target)

    def state_outside(self):
        return {path: path.read_bytes() if path.is_file() else None for path in self.outside.rglob("*")}

    def refusal(self, name, what="a link"):
        return (f"fovea: {self.place}/{name}: is {what}, which nothing in {self.place} may be; "
                "put a file or folder of that name in its place, or remove it.\n")

    def test_no_link_in_a_run_directory_is_followed(self):
        for name in FILES + FOLDERS:
            for words in (["report", self.place], [*RUN, "--force"], ["resume", self.place]):
                with self.subTest(name, command=words[0]):
                    self.restore()
                    if words[0] == "resume" and name != "DONE":
                        (self.directory / "DONE").unlink()  # a finished run is found, and nothing is written
                    self.replace_by_link(name)
                    before = self.state_outside()
                    self.assertEqual(self.expect(4, *words).stderr, self.refusal(name))
                    self.assertEqual(self.state_outside(), before)

    def test_reading_commands_refuse_a_linked_result_and_follow_one_that_the_user_names(self):
        self.replace_by_link("result.h5")
        for words in (["inspect", self.place], ["compare", self.place, "kept"], ["export", self.place, "--csv"],
                      ["verify", self.place], RUN):
            self.assertEqual(self.expect(4, *words).stderr, self.refusal("result.h5"))
        self.expect(0, "inspect", f"{self.place}/result.h5")

    def test_a_point_of_a_sweep_that_is_a_link_is_refused(self):
        words = ["sweep", "opinion.temperature", *SMALL, "--seeds", "2"]
        self.expect(0, *words)
        sweep = next(path for path in self.runs() if path != self.directory)
        (sweep / "DONE").unlink()
        point = next((sweep / "points").iterdir())
        point.rename(self.outside / "point")
        (self.outside / "point" / "DONE").unlink()
        point.symlink_to(self.outside / "point")
        before = self.state_outside()
        for command in (words, [*words, "--force"], ["resume", f"runs/{sweep.name}"]):
            done = self.expect(4, *command)
            self.assertIn(f"fovea: runs/{sweep.name}/points/{point.name}: is a link, which nothing in runs/{sweep.name} may "
                          "be", done.stderr.splitlines()[-1])
        self.assertEqual(self.state_outside(), before)

    def test_a_pipe_in_a_run_directory_makes_nobody_wait(self):
        for name in FILES:
            for words in (["report", self.place], [*RUN, "--force"]):
                with self.subTest(name, command=words[0]):
                    self.restore()
                    (self.directory / name).unlink(missing_ok=True)
                    os.mkfifo(self.directory / name)
                    self.assertEqual(self.expect(4, *words).stderr, self.refusal(name, "a pipe, a socket or a device"))

    def test_checkpoints_that_are_links_or_pipes_are_passed_over(self):
        for seal, content in (("checkpoint-0.seal", "checkpoint-0.h5"), ("checkpoint-0.h5", "checkpoint-0.seal")):
            self.restore()
            (self.directory / "DONE").unlink()
            os.mkfifo(self.directory / seal)
            (self.outside / content).write_text("0 mine\n")
            (self.directory / content).symlink_to(self.outside / content)
            self.expect(0, "resume", self.place)
            self.assertEqual((self.directory / "result.h5").read_bytes(), self.good)
            self.assertEqual((self.outside / content).read_text(), "0 mine\n")

    def test_log_and_lock_with_a_second_name_are_not_written(self):
        for name in ("log", "lock"):
            with self.subTest(name):
                self.restore()
                os.link(self.directory / name, self.outside / name)
                before = (self.outside / name).read_bytes()
                for words in (["report", self.place], [*RUN, "--force"]):
                    self.assertEqual(self.expect(4, *words).stderr,
                                     f"fovea: {self.place}/{name}: is a hard link, so that writing here would change the "
                                     "other file too; put a copy in its place, or remove it.\n")
                self.assertEqual((self.outside / name).read_bytes(), before)

    def test_links_on_the_way_to_a_run_directory_are_followed(self):
        (self.folder / "disk").mkdir()
        shutil.move(self.folder / "runs", self.folder / "disk" / "runs")
        (self.folder / "runs").symlink_to("disk/runs")
        self.expect(0, *RUN, "--force")
        self.expect(0, "report", self.place)
        (self.folder / "last").symlink_to(self.place)
        for words in (["report", "last"], ["resume", "last"], ["verify", "last"], ["status", "last"], ["inspect", "last"]):
            self.expect(0, *words)

    def test_status_passes_over_a_directory_with_a_linked_manifest_and_says_why_if_asked(self):
        self.replace_by_link("manifest.json")
        self.assertEqual(self.expect(0, "status").stdout, "runs: no runs\n")
        self.assertEqual(self.expect(4, "status", self.place).stderr, self.refusal("manifest.json"))

    def test_another_sweep_with_links_in_it_is_no_source_of_points(self):
        words = ["sweep", "opinion.temperature", *SMALL, "--seeds"]
        self.expect(0, *words, "2")
        sweep = next(path for path in self.runs() if path != self.directory)
        (sweep / "points").rename(self.outside / "points")
        (sweep / "points").symlink_to(self.outside / "points")
        self.assertNotIn("were already finished", self.expect(0, *words, "3").stderr)


if __name__ == "__main__":
    unittest.main()
