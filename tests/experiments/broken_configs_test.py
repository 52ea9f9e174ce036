"""Broken inputs through the command: each is refused with the right exit code, place, value, rule and nearest name; nothing
crashes, nothing passes, nothing is left behind."""
import gzip
import re
import unittest

from fovea_command import CommandTest, shared_data

HEAD = b'experiment = "opinion.temperature"\n'  # so that the broken line is the second or a later one
EDGES = b'[network]\nkind = "edges"\nedges = "edges"\n'
PACKED = b'[network]\nkind = "edges"\nedges = "edges.gz"\n'
KARATE = b'[network]\nkind = "karate"\n[start]\nkind = "labelled"\n'
LABELLED = (b'[network]\nkind = "edges"\nedges = "edges"\nlabels = "labels"\n[start]\nkind = "labelled"\nknown_nodes = %s\n')
RING = b"source,target\n0,1\n1,2\n2,0\n"

# The config behind HEAD, and what its one complaint says behind "fovea: bad.toml:".
CONFIGS = {
    "typo in a table": (b"[modle]\nnoise = 1\n", "2:2: unknown table 'modle'; did you mean 'model'?"),
    "typo in a key": (b"[model]\nstubbornnes = 0.1\n",
                      "3:1: unknown key 'model.stubbornnes'; did you mean 'model.stubbornness'?"),
    "key in the wrong table": (b"[agents]\nstubbornness = 0.1\n",
                               "3:1: unknown key 'agents.stubbornness'; did you mean 'model.stubbornness'?"),
    "key given twice": (b"[model]\nnoise = 1\nnoise = 2\n", "4:"),
    "table given twice": (b"[model]\nnoise = 1\n[model]\nscore = \"cosine\"\n", "4:1: "),
    "text for a number": (b'[model]\nnoise = "loud"\n',
                          '3:9: model.noise = "loud" is a text, but must be a number in [0, 1e+50]'),
    "number for a text": (b"[network]\nkind = 3\n", "3:8: network.kind = 3 is a whole number, but must be one of 'none', "),
    "number for a table": (b"model = 1\n", "2:9: model = 1, but must be a table of 'model.score', "),
    "list for a number": (b"[model]\nnoise = [1, 2]\n", "3:9: model.noise is a list, but must be a number"),
    "broken whole number": (b"[agents]\ncount = 10.5\n",
                            "3:9: agents.count = 10.5 is a real number, but must be a whole number in [2, 1e+11]"),
    "number too large": (b"[model]\nstubbornness = 1.5\n", "3:16: model.stubbornness = 1.5, but must be in [0, 1]"),
    "number too small": (b"[temperature]\nlow = 0\n", "3:7: temperature.low = 0, but must be > 0"),
    "nan": (b"[model]\nstubbornness = nan\n", "3:16: model.stubbornness = nan, but must be finite and in [0, 1]"),
    "inf": (b"[temperature]\nhigh = inf\n", "3:8: temperature.high = inf, but must be finite and > 0"),
    "number beyond a double": (b"[model]\nnoise = 1e999\n", "3:14: "),
    "number beyond 64 bits": (b"seed = 99999999999999999999\n", "2:28: "),
    "negative seed": (b"seed = -1\n", "2:8: seed = -1, but must be >= 0"),
    "unknown choice": (b'[model]\nscore = "gausian"\n', "3:9: model.score = \"gausian\", but must be one of 'gaussian', "),
    "no ascending list": (b"[temperature]\nvalues = [0.2, 0.1]\n", "3:10: temperature.values must ascend"),
    "contradictory range": (b"[temperature]\nlow = 1\nhigh = 0.5\n",
                            "3:7: temperature.low = 1, but must be < temperature.high = 0.5."),
    "network without its file": (b'[network]\nkind = "edges"\n', '3:8: network.kind = "edges" needs network.edges'),
    "file without its network": (b'[network]\nedges = "good.csv"\n',
                                 '3:9: network.edges is given, but network.kind = "none"'),
    "agents that the network brings": (b'[network]\nkind = "karate"\n[agents]\ncount = 9\n',
                                       "5:9: agents.count = 9, but the network or start file brings its own agents"),
    "labels without a network": (b'[start]\nkind = "labelled"\nknown_nodes = [1]\n',
                                 '3:8: start.kind = "labelled" needs a network with labels'),
    "known node out of range": (KARATE + b"known_nodes = [0, 34]\n", "6:15: start.known_nodes has 34, but"),
    "known nodes by list and by number": (KARATE + b"known_nodes = [0]\nknown_per_side = 1\n",
                                          '5:8: start.kind = "labelled" needs either start.known_nodes or'),
    "missing file": (b'[network]\nkind = "edges"\nedges = "god.csv"\n',
                     "4:9: network.edges = \"god.csv\", but there is no file 'god.csv'; did you mean 'good.csv'?"),
    "folder as a file": (b'[network]\nkind = "edges"\nedges = "."\n', "4:9: network.edges = \".\", but '.' is a folder"),
    "missing base": (b'extends = "bas.toml"\n', '2:11: extends = "bas.toml", but bas.toml: cannot be read'),
    "base that extends itself": (b'extends = "bad.toml"\n', '2:11: extends = "bad.toml", but that file extends this one'),
    "base in a circle": (b'extends = "circle.toml"\n', None),  # the complaint is about the other file
    "sweep of no table": (b"sweep = 3\n", "2:9: sweep = 3, but must be a table: [sweep]."),
    "sweep of an unknown key": (b"[sweep]\nmodel.nois = [1]\n",
                                "3:7: unknown key 'model.nois'; did you mean 'model.noise'?"),
    "sweep without values": (b"[sweep]\nseed = []\n", "3:8: the sweep over seed has no values."),
    "sweep with a value twice": (b"[sweep]\nseed = [1, 2, 1]\n", "3:15: value 3 of the sweep over seed = 1, but each value"),
    "sweep out of range": (b"[sweep]\nmodel.stubbornness = [0.5, 2]\n",
                           "3:28: value 2 of the sweep over model.stubbornness = 2, but must be in [0, 1]"),
    "sweep of a single value": (b"[sweep]\nmodel.noise = 1\n", "3:15: sweep over model.noise = 1, but must be a list"),
    "sweep of a broken grid": (b'[sweep]\nmodel.noise = "log:0..1:3"\n', "3:15: sweep over model.noise: the grid"),
    "sweep of a file": (b'[sweep]\nnetwork.edges = ["a"]\n', "3:"),
    "sweep with no replica": (b"[sweep]\nseeds = 0\n", "3:9: seeds = 0, but must be >= 1 (number of replicas)."),
    "seeds outside the sweep": (b"seeds = 3\n", "2:1: seeds belongs in the table [sweep]"),
    "endless list": (b"[sweep]\nseed = [1, 2\n", "3:14: "),
    "open text": (b'title = "never closed\nseed = 1\n', "2:22: "),
    "nested too deep": (b"a = " + b"[" * 65 + b"]" * 65, "2:69: brackets nested deeper than 64"),
    "too many dots": (b".".join([b"a"] * 70) + b" = 1\n", "2:"),
    "NUL byte": (b'title = "a\0b"\n', "2:11: a NUL byte"),
    "no UTF-8": (b'title = "\xff\xfe"\n', "2:"),
    "binary": (bytes(range(256)) * 4, None),
    "larger than 1 MiB": (b"#" + b"x" * (1 << 20), "1:1: the file is larger than 1 MiB"),
}

# Files beside the config, the config behind HEAD, and what stands behind "fovea: ". Exit code 4, but for those of CONFIG.
CONFIG = 3
DATA = {
    "empty": ({"edges": b""}, EDGES, "edges: is empty"),
    "only a header": ({"edges": b"source,target\n"}, EDGES, "edges: has a header but no edges"),
    "one node": ({"edges": b"source,target\n4,4\n"}, EDGES, "edges: there is 1 node, but must be at least 2"),
    "wrong header": ({"edges": b"sender,receiver\n0,1\n"}, EDGES, "edges: has no columns 'source' and 'target'"),
    "no header and no numbers": ({"edges": b"a,b\nb,c\n"}, EDGES, "edges: has no columns 'source' and 'target'"),
    "too few fields": ({"edges": RING + b"7\n"}, EDGES, "edges:row 5: has 1 field, but the first row has 2"),
    "too many fields": ({"edges": RING + b"7,8,9\n"}, EDGES, "edges:row 5: has 3 fields, but the first row has 2"),
    "node without a name": ({"edges": RING + b"7,\n"}, EDGES, "edges:row 5, column 'target': the name of a node is missing"),
    "quote never closed": ({"edges": RING + b'"7,8\n'}, EDGES, "edges:row 5: has a quote that is never closed"),
    "weight that is no number": ({"edges": b"source,target,weight\n0,1,2\n1,2,much\n"}, EDGES + b"use_weights = true\n",
                                 "edges:row 3, column 'weight': 'much' is not a number"),
    "negative weight": ({"edges": b"source,target,weight\n0,1,-2\n"}, EDGES + b"use_weights = true\n",
                        "edges:row 2, column 'weight': the weight is -2; it must be finite and >= 0"),
    "nan as a weight": ({"edges": b"source,target,weight\n0,1,nan\n"}, EDGES + b"use_weights = true\n",
                        "edges:row 2, column 'weight': the weight is nan; it must be finite and >= 0"),
    "cut gzip": ({"edges.gz": gzip.compress(RING * 50)[:-20]}, PACKED, "edges.gz: ends in the middle; it was cut"),
    "damaged gzip": ({"edges.gz": gzip.compress(RING)[:10] + b"\xff" * 40}, PACKED, "edges.gz: is damaged"),
    "gzip by name only": ({"edges.gz": RING}, PACKED,
                          "edges.gz: is no gzip file though it ends in .gz"),
    "UTF-16 that was cut": ({"edges": RING.decode().encode("utf-16")[:-1]}, EDGES, "edges: is damaged UTF-16 text"),
    "labels without nodes": ({"edges": RING, "labels": b"name,side\n0,a\n"}, LABELLED % b"[0]",
                             "labels: has no column 'node'; there are: 'name', 'side'"),
    "node labelled twice": ({"edges": RING, "labels": b"node,side\n0,a\n0,b\n"}, LABELLED % b"[0]",
                            "labels:row 3, column 'node': this node is in the file twice"),
    "two columns of labels": ({"edges": RING, "labels": b"node,side,age\n0,a,1\n1,b,2\n2,b,2\n"}, LABELLED % b"[0]",
                              'labels: network.label_column = "", but must be one of the columns age, side'),
    "three sides": ({"edges": RING, "labels": b"node,side\n0,a\n1,b\n2,c\n"}, LABELLED % b"[0]", CONFIG,
                    'bad.toml:7:8: start.kind = "labelled" needs a network with 2 label groups'),
    "known node that is not there": ({"edges": RING, "labels": b"node,side\n0,a\n1,b\n"}, LABELLED % b"[0, 3]", CONFIG,
                                     "bad.toml:8:15: start.known_nodes has 3, but the network has the nodes 0 to 2"),
    "known node without a label": ({"edges": RING, "labels": b"node,side\n0,a\n1,b\n"}, LABELLED % b"[2]", CONFIG,
                                   "bad.toml:8:15: start.known_nodes has 2, but that node has no label"),
    "opinion that is no number": ({"start": b"node,opinion\n0,1\n1,left\n"}, b'[start]\nkind = "file"\nfile = "start"\n',
                                  "start:row 3, column 'opinion': 'left' is not a number"),
    "opinion that is missing": ({"edges": RING, "start": b"node,opinion\n0,1\n1,0\n"},
                                EDGES + b'[start]\nkind = "file"\nfile = "start"\n',
                                "start: the opinion of node '2' is missing"),
}

# Words behind `check opinion.temperature`, the exit code, and what stands behind "fovea: ".
WORDS = [
    (["--set", "model.nois=1"], 3, "--set model.nois=1: unknown key 'model.nois'; did you mean 'model.noise'?"),
    (["--set", "model.noise"], 3, "--set model.noise: must be KEY=VALUE"),
    (["--set", "=1"], 3, "--set =1: must be KEY=VALUE"),
    (["--set", "model.noise="], 3, "--set model.noise=: model.noise is empty, but must be a number in [0, 1e+50]"),
    (["--set", "model.noise=-1"], 3, "--set model.noise=-1: model.noise = -1, but must be in [0, 1e+50]"),
    (["--set", "model.noise=nan"], 3, "--set model.noise=nan: model.noise = nan, but must be finite"),
    (["--set", "sweep.seed=1"], 3, "--set sweep.seed=1: a sweep is given with --grid"),
    (["--set", "model.noise=1", "--set", "model.noise=2"], 3, "--set model.noise=2: the key 'model.noise' is given twice."),
    (["--set", "seed=1", "--seed", "2"], 3, "--seed 2: the key 'seed' is given twice."),
    (["--set", "model.noise=1", "--grid", "model.noise=1,2"], 3,
     "--grid model.noise=1,2: 'model.noise' is also given a single value; give only one of the two."),
    (["--seed", "5", "--grid", "seed=1,2"], 3, "--grid seed=1,2: 'seed' is also given a single value"),
    (["--grid", "seed=1,2", "--seeds", "3"], 3, "--seeds 3: the sweep over 'seed' is given twice."),
    (["--grid", "model.noise=1", "--grid", "model.noise=2"], 3, "--grid model.noise=2: the sweep over 'model.noise' is given"),
    (["--grid", "modelnoise=1,2"], 3, "--grid modelnoise=1,2: unknown key 'modelnoise'; did you mean 'model.noise'?"),
    (["--grid", "model.noise=log:0..1:3"], 3, "--grid model.noise=log:0..1:3: sweep over model.noise: the grid"),
    (["--grid", "model.noise=1,1"], 3, "--grid model.noise=1,1: value 2 of the sweep over model.noise = 1, but each"),
    (["--grid", "model.noise=1,,2"], 3, "--grid model.noise=1,,2: value 2 of the sweep over model.noise is empty, but"),
    (["--grid", "seed=lin:1..1e6:1000000", "--grid", "model.noise=1,2"], 3, "--grid model.noise=1,2: the sweep has more than"),
    (["--seeds", "0"], 2, "--seeds 0: must be a whole number >= 1."),
    (["--seeds", "1e2"], 2, "--seeds 1e2: must be a whole number >= 1."),
    (["--seed", "one"], 2, "--seed one: must be a whole number >= 0."),
]


class Broken(CommandTest):
    def refused(self, code, words, sentence):
        """`check` and `run` say the same; no run directory is left."""
        for command in ("check", "run") if "--grid" not in words and "--seeds" not in words else ("check", "sweep"):
            done = self.expect(code, command, *words)
            lines = done.stderr.splitlines()
            for line in lines:
                self.assertTrue(line.startswith("fovea: "), line)
                self.assertLess(len(line), 700)
                self.assertNotRegex(line, r"terminate called|what\(\)|std::|Assertion|\.cpp|/core/lab")
            if sentence is not None:
                self.assertIn(f"fovea: {sentence}", done.stderr)
                self.assertEqual(len(lines), 1, done.stderr)
            self.assertFalse((self.folder / "runs").exists(), f"{command} left a folder")

    def bad(self, config, files={}):
        (self.folder / "bad.toml").write_bytes(config)
        (self.folder / "circle.toml").write_bytes(b'extends = "bad.toml"\n')
        (self.folder / "good.csv").write_bytes(RING)
        for name, content in files.items():
            (self.folder / name).write_bytes(content)

    def test_every_broken_config_is_refused_at_its_place(self):
        for name, (text, sentence) in CONFIGS.items():
            with self.subTest(name):
                self.bad(text if name == "binary" else HEAD + text)
                self.refused(4 if name.startswith("missing") else 3, ["bad.toml"], sentence and f"bad.toml:{sentence}")

    def test_every_broken_data_file_is_refused_by_check_too(self):
        for name, (files, config, *said) in DATA.items():
            with self.subTest(name):
                self.bad(HEAD + config, files)
                # Data files are named by their whole path.
                self.refused(CONFIG if said[0] == CONFIG else 4, ["bad.toml"],
                             said[-1] if said[0] == CONFIG else f"{self.folder}/{said[-1]}")

    def test_every_broken_word_is_refused(self):
        for words, code, sentence in WORDS:
            with self.subTest(words):
                self.refused(code, ["opinion.temperature", *words], sentence)

    def test_configs_that_are_no_readable_files(self):
        (self.folder / "folder.toml").mkdir()
        (self.folder / "empty.toml").touch()
        (self.folder / "tmperature.toml").touch()
        for code, path, sentence in [
            (4, "temperature.toml", "temperature.toml: cannot be read (No such file or directory); did you mean 'tmperature.toml'?"),
            (3, "folder.toml", "folder.toml: cannot be read (Is a directory)"),
            (3, "empty.toml", "empty.toml:1:1: the key 'experiment' is missing"),
            (4, "opinion.temprature", "opinion.temprature: there is no such file, and no experiment, config or domain of that name; did you mean"),
        ]:
            with self.subTest(path):
                self.refused(code, [path], sentence)
        (self.folder / "bad.toml").write_text('experiment = "opinion.temprature"\n')
        self.refused(3, ["bad.toml"], "bad.toml:1:14: unknown experiment 'opinion.temprature'; did you mean "
                                      "'opinion.temperature'?")

    def test_all_mistakes_come_at_once_in_the_order_of_the_lines(self):
        self.bad(HEAD + b'[model]\nnois = 1\nscore = "x"\n[agents]\ncount = 1\n[start]\nspred = 2\n')
        said = self.expect(3, "check", "bad.toml", "--set", "a=1").stderr.splitlines()
        self.assertEqual([re.match(r"fovea: (bad.toml:\d+|--set)", line)[1] for line in said],
                         ["bad.toml:3", "bad.toml:4", "bad.toml:6", "bad.toml:8", "--set"])

    def test_the_malformed_samples(self):
        samples = shared_data("ecosystem/toml-malformed")
        if not samples:
            self.skipTest("the samples are not part of the project: FOVEA_SHARED says where they are")
        for path in sorted(samples.iterdir()):
            with self.subTest(path.name):
                content = path.read_bytes()
                name = path.name.removesuffix(".gz")
                (self.folder / name).write_bytes(gzip.decompress(content) if path.suffix == ".gz" else content)
                done = self.expect(3, "check", name)
                self.assertRegex(done.stderr, rf"^fovea: {re.escape(name)}:\d+:\d+: .")


if __name__ == "__main__":
    unittest.main()
