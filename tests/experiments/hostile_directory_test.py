"""A run directory from anywhere: malformed files in it end in one sentence, and never in a crash or a hang."""
import hashlib
import shutil
import signal
import struct
import subprocess
import time
import unittest

from fovea_command import FOVEA, LONGEST, SMALL, CommandTest

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


class Hostile(CommandTest):
    def setUp(self):
        super().setUp()
        self.expect(0, *RUN)
        self.directory = self.runs()[0]
        self.place = f"runs/{self.directory.name}"
        self.good = (self.directory / "result.h5").read_bytes()

    def replace_result(self, content):
        """result.h5, and its hash in DONE."""
        (self.directory / "result.h5").write_bytes(content)
        done = (self.directory / "DONE").read_text().splitlines()
        done[2] = "result.h5 " + hashlib.sha256(content).hexdigest()
        (self.directory / "DONE").write_text("\n".join(done) + "\n")

    def test_a_malformed_result_has_exit_code_4_and_one_sentence_with_every_command(self):
        commands = [RUN, ["resume", self.place], ["report", self.place], ["verify", self.place], ["inspect", self.place],
                    ["compare", self.place, self.place], ["export", self.place, "--csv"],
                    ["lags", f"{self.place}/result.h5"]]
        for damage, what, words in [(crashing, "crashed", commands), (hanging, "hung", commands[:2])]:
            self.replace_result(damage(self.good))
            for command in words:
                with self.subTest(what, command=command[0]):
                    done = self.expect(4, *command)
                    self.assertEqual(done.stderr, f"fovea: {self.place}/result.h5: is damaged: reading it {what} the HDF5 "
                                                  f"library{WAY_OUT}\n")

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
                    time.sleep(0.4)
                    start = time.monotonic()
                    program.send_signal(number)
                    err = program.communicate(timeout=LONGEST)[1]
                    self.assertLess(time.monotonic() - start, 1)  # alone it ends after 2 s of processor time
                    self.assertIn(program.returncode, (128 + number, -number), err)
                    if words[0] != "report":  # which has nothing to save, so that the signal just ends it
                        self.assertEqual(err.splitlines()[-1], f"fovea: {self.place}/result.h5: stopped while it was read.")


if __name__ == "__main__":
    unittest.main()
