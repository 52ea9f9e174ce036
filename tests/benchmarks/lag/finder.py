"""A method that looks for links in a file, in a program that lives on: our writing of it, or a peer's."""
import array
import contextlib
import csv
import gzip
import hashlib
import json
import os
import pathlib

from lag.scores import Link
from rounds import Entrant
from worker import Cannot, followed

LINK_NUMBERS = 7    # see lag_problem.hpp
OURS = "attention"
WITHIN_A_STEP = {OURS, "pcmci_plus"}   # look at lag 0 too; PCMCI and others would flood the tables with it


def names_of(path):
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", newline=None, encoding="utf-8-sig") as file:
        return next(csv.reader(file))


def links_of(path, names):
    numbers = array.array("d", pathlib.Path(path).read_bytes())
    rows = [numbers[at:at + LINK_NUMBERS] for at in range(0, len(numbers), LINK_NUMBERS)]
    return [Link(names[int(cause)], names[int(effect)], int(lag), p_value, counts > 0, directed > 0)
            for effect, cause, lag, _, p_value, counts, directed in rows]


class Finder:
    """A method of ours, or of a peer, in a program that lives until close(): its links in a table, and the seconds it took."""

    def __init__(self, arena, method, system="fovea", threads=1, **fields):
        self.arena, self.system, self.threads = arena, system, threads
        self.fields = {"problem": "lag", "method": method, **fields}
        if method not in WITHIN_A_STEP:
            self.fields["within_a_step"] = 0
        self.worker = arena.start(Entrant(method, system, threads, self.fields))
        self.close = self.worker.close

    def links(self, path):
        self.worker.ask("prepare", file=str(path), **self.fields)
        cost = self.worker.ask("run", seconds=0.001)
        file = os.path.join(self.arena.folder, "links")
        if self.system == "fovea":
            self.worker.ask("write", folder=self.arena.folder)
        else:
            self.worker.ask("answer", file=file, kind="double")
        return links_of(file, names_of(path)), float(cost["cpu" if self.threads == 1 else "wall"])


class Answers:
    """What peers answered on tables, which does not change with our program: a line of JSON each in a file, if there is one."""

    def __init__(self, path):
        self.path = path
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines() if path and os.path.exists(path) else []
        self.known = {tuple(key): ([Link(*link) for link in links], seconds) for key, links, seconds in map(json.loads, lines)}

    def add(self, key, links, seconds):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, links, seconds]) + "\n")


def links_of_all(arena, method, paths, system="fovea", failed=None, **fields):
    """[(links, seconds)] of the files, by one program, in their order. A peer has arena.limit seconds for all of them. failed: takes
    what the program says of files that it has no answer for, whose links are None."""
    found, finder = [], None
    with contextlib.ExitStack() as stack:
        for path in followed(paths, f"{system} {method}"):
            key = system, method, repr(sorted(fields.items())), hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
            if system != "fovea" and key in arena.answers.known:
                found.append(arena.answers.known[key])
                arena.versions.setdefault(system, "(kept answers)")
                continue
            try:
                finder = finder or stack.enter_context(contextlib.closing(Finder(arena, method, system, **fields)))
                found.append(finder.links(path))
            except Cannot as reason:
                if failed is not None and finder and finder.worker.process.poll() is None:
                    failed.append(str(reason))
                    found.append((None, 0.0))
                    continue
                raise Cannot(f"{reason}, at set {len(found) + 1} of {len(paths)}") from None
            if system != "fovea":
                arena.answers.add(key, *found[-1])
    return found


def links_by(arena, method, path, system="fovea", **fields):
    return links_of_all(arena, method, [path], system, **fields)[0]
