"""`fovea lags FILE --json` as it is run by hand: with everything it does unasked, from the file to its verdict."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile

from lag.scores import MOST_EVIDENCE, Link, Ranked
from worker import Cannot, followed

AT_ONCE = 2   # searches
IN_PART = re.compile(r": \d+ of \d+ links (is|are) not promised")   # of the others the rate is promised
TAKEN_BACK = re.compile(r"none of \d+ links is promised|unknown|not (controlled|promised|kept)|cannot be (kept|promised|controlled|trusted)|no (error )?rate|no promise")


@dataclasses.dataclass
class Answer:
    """What a search said, and its seconds of the processor."""
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
        said, refused = pathlib.Path(folder, "said.json"), pathlib.Path(folder, "refused.txt")
        with open(said, "w") as out, open(refused, "w") as err:
            process = subprocess.Popen(words, stdout=out, stderr=err)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise Cannot(f"{os.path.basename(path)}: {refused.read_text().strip() or f'exit code {process.returncode}'}")
        return Answer(json.loads(said.read_text()), used.ru_utime + used.ru_stime)


def search_all(arena, paths, *options):
    """An answer for each file, in the same order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        searches = [pool.submit(search, arena, path, *options) for path in paths]
        try:
            return [each.result() for each in followed(searches, "fovea lags")]
        finally:
            pool.shutdown(cancel_futures=True)   # after one that failed
