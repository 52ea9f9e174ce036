"""scripts/animate: a figure over its slider as a film, whose frames are read back; what cannot be played is said in a line.
Exits with 77 (skipped) where Chromium, Selenium or FFmpeg is missing."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "animate"
STEPS = 6
ON_NETWORK = ["--set", "network.kind=karate", "--set", "start.kind=uniform"]


class Animate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.network = cls.simulated("network", *ON_NETWORK)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    @classmethod
    def simulated(cls, name, *words):
        """The folder of a run with STEPS + 1 states."""
        out = cls.folder / name
        subprocess.run([os.environ["FOVEA"], "run", "opinion.simulate", *words, "--set", f"run.steps={STEPS}", "--set",
                        "rest.tolerance=0", "-o", out], check=True, capture_output=True)
        return next(out.iterdir())

    def animate(self, *words, code=0):
        done = subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def frames(self, film):
        """How many frames there are, and how many of them differ from the one before."""
        told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=nb_read_frames,width,height", "-of", "json", film], check=True, capture_output=True, text=True)
        stream = json.loads(told.stdout)["streams"][0]
        sums = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-map", "v", "-f", "framemd5", "-"], check=True,
                              capture_output=True, text=True).stdout
        pictures = [line.split(",")[-1] for line in sums.splitlines() if not line.startswith("#")]
        return int(stream["nb_read_frames"]), len(set(pictures)), stream["width"], stream["height"]

    def test_a_network_and_a_density_as_gif_and_as_webm(self):
        for figure in ("network", "opinions_step_by_step"):
            for suffix in ("gif", "webm"):
                film = self.folder / f"{figure}.{suffix}"
                said = self.animate(self.network, film, "--figure", figure, "--width", 500)
                self.assertIn(f"{STEPS + 1} frames", said)
                count, different, width, height = self.frames(film)
                self.assertEqual(count, STEPS + 1)
                self.assertEqual(different, STEPS + 1, "every state is another picture")
                self.assertEqual(width, 500)
                self.assertGreater(height, 250)

    def test_the_first_figure_over_time_is_played_where_none_is_named(self):
        film = self.folder / "first.gif"
        self.assertIn("over step", self.animate(self.network / "report.html", film, "--width", 400, "--fps", 5, "--dark"))
        self.assertEqual(self.frames(film)[0], STEPS + 1)
        listed = self.animate(self.network, "--list")
        for name in ("network", "opinions_step_by_step"):
            self.assertIn(f"  {name} (", listed)

    def test_what_cannot_be_played_ends_in_a_line(self):
        film = self.folder / "none.gif"
        empty = self.folder / "empty.html"
        empty.write_text("<html></html>", encoding="utf-8")
        for code, words, sentence in (
                (2, [self.network, "film.avi"], "must end in .gif or .webm"),
                (2, [self.network], "give the file to write"),
                (4, [self.folder / "no.html", film], "there is no such page"),
                (4, [empty, film], "is no page of fovea"),
                (4, [self.network, film, "--figure", "gini"], "has no figure 'gini'; those that can be played are"),
                (4, [self.network, film, "--figure", "opinions_over_time"], "has no slider to be played over"),
                (4, [self.network, film, "--figure", "network", "--over", "temperature"], "has no slider 'temperature', only step"),
                (7, [self.network, self.folder / "no" / "film.gif"], "the folder does not exist")):
            with self.subTest(words=words):
                self.assertIn(sentence, self.animate(*words, code=code))
                self.assertFalse(film.exists())


if __name__ == "__main__":
    try:
        import selenium  # noqa: F401
    except ImportError:
        print("skipped: python3-selenium is not installed")
        sys.exit(77)
    if not all(shutil.which(name) for name in ("chromedriver", "ffmpeg", "ffprobe")):
        print("skipped: chromium-driver or ffmpeg is not installed")
        sys.exit(77)
    unittest.main()
