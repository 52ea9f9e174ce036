"""`fovea lags FILE --json` as it is run by hand: with everything it does unasked, from the file to its verdict."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from lag.scores import MOST_EVIDENCE, Link, Ranked
from worker import Cannot

AT_ONCE = 2   # searches
IN_PART = re.compile(r": \d+ of \d+ links (is|are) not promised")   # of the others the rate is promised
TAKEN_BACK = re.compile(r"none of \d+ links is promised|unknown|not (controlled|promised|kept)|cannot be (kept|promised|controlled|trusted)|no (error )?rate|no promise")


@dataclasses.dataclass
class Answer:
    """What a search said, and its seconds on the wall."""
    said: dict
    seconds: float

    def links(self):
        return [Link(link["cause"], link["effect"], link["lag"], self.order(link), link["counts"], link["direction"] is not None)
                for link in self.said["links"]]

    def names(self):
        return list(dict.fromkeys(series["name"] for series in self.said["series"]))

    def promises(self):
        return not self.said["promise"].startswith("None") and not self.said["verdict"].startswith("No false discovery")

    def ranked(self):
        """For lag_scores.places_of(). An older command does not say of each link whether it is promised."""
        every = self.promises()
        return [Ranked(link["cause"], link["effect"], link["lag"], MOST_EVIDENCE if link["log10_p"] is None else -link["log10_p"],
                       link["counts"], link["direction"] is not None, link.get("promised", every)) for link in self.said["links"]]

    @staticmethod
    def order(link):
        """The p-value; below 1e-308, where it is 0, something negative that is in the same order."""
        return link["p_value"] if link["p_value"] > 0 else link["log10_p"] or float("-inf")

    def between(self):
        """The links that count, without own pasts."""
        return [link for link in self.links() if link.counts and link.cause != link.effect]

    def takes_back(self):
        """Whether the verdict's first sentence says that no rate of false links is promised."""
        first = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", self.said["verdict"].strip(), maxsplit=1)[0]
        return bool(TAKEN_BACK.search(IN_PART.sub("", first)))


def search(arena, path, *options, threads=1, beside=""):
    """beside: other methods, `usual` for what the command takes unasked; they change no link."""
    command = pathlib.Path(arena.program).with_name("fovea")
    if not command.exists():
        raise Cannot(f"there is no {command}: build it too")
    with tempfile.TemporaryDirectory(prefix="search-", dir=arena.folder) as folder:
        words = [command, "lags", path, "--json", "--quiet", "--threads", str(threads), "--output", folder, *options]
        if beside != "usual":
            words += ["--beside", beside]
        begun = time.perf_counter()
        done = subprocess.run(words, capture_output=True, text=True)
        seconds = time.perf_counter() - begun
    if done.returncode:
        raise Cannot(f"{os.path.basename(path)}: {done.stderr.strip()}")
    return Answer(json.loads(done.stdout), seconds)


def search_all(arena, paths, *options):
    """An answer for each file, in the same order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda path: search(arena, path, *options), paths))
