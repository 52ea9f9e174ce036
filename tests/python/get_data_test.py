"""scripts/get-data: from a server of made files to tables that are checked and turned; what goes wrong ends in one line."""
import csv
import functools
import gzip
import http.server
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(os.environ.get("FOVEA_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TCDF = "raw.githubusercontent.com/M-Nauta/TCDF/c524d43b8207525e20c8e83e67b3e16528ab1b3d/data/"
CAUSALFORMER = "raw.githubusercontent.com/lingbai-kong/CausalFormer/19a1b62b2030a615c9588d637f540066fa865301/data/"
JAVELIN = "raw.githubusercontent.com/nye17/javelin/a90d65706b61a8766b3c89f8a80d8afcde383d1d/examples/dat/loopdeloop_con_y_z.dat"
FURNACE = "openmv.net/file/gas-furnace.csv"
LONGEST = 300  # seconds of a command: none takes a tenth of it, but for the search of a name that nobody knows


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def numbers(rows, columns, header=True, seed=1):
    draw = random.Random(seed)
    lines = [",".join(f"S{c}" for c in range(columns))] if header else []
    return "\n".join(lines + [",".join(f"{draw.gauss(0, 1):.4f}" for _ in range(columns)) for _ in range(rows)]) + "\n"


class GetData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.web = pathlib.Path(cls.keeper.name, "web")
        cls.web.mkdir()
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=cls.web))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()
        cls.keeper.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.keeper.name))

    def serve(self, path, text):
        target = self.web / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())

    def get(self, code, *words, mirror=None):
        mirror = mirror or f"http://127.0.0.1:{self.server.server_address[1]}/"
        direct = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts/get-data", *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder, env={**direct, "FOVEA_DATA_MIRROR": mirror}, timeout=LONGEST)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code not in (0, 2):
            self.assertRegex(done.stderr, r"\Aget-data: [^\n]+[.]\n\Z")
        return done

    def rows(self, path):
        with open(self.folder / path, newline="") as file:
            return list(csv.reader(file))

    def test_a_table_is_fetched_and_where_it_went_and_its_terms_are_said(self):
        self.serve(FURNACE, "InputGasRate,CO2\r\n" + numbers(296, 2, header=False).replace("\n", "\r\n"))
        done = self.get(0, "gas-furnace", "--to", "data")
        self.assertIn("data/gas-furnace/gas-furnace.csv  296 rows, 2 columns", done.stdout)
        self.assertIn("CC BY-SA 4.0", done.stdout)
        self.assertEqual(self.rows("data/gas-furnace/gas-furnace.csv")[0], ["InputGasRate", "CO2"])
        self.assertNotIn(b"\r", (self.folder / "data/gas-furnace/gas-furnace.csv").read_bytes())
        self.assertEqual([path.name for path in (self.folder / "data/gas-furnace").iterdir()], ["gas-furnace.csv"])
        if "FOVEA" in os.environ:
            read = subprocess.run([os.environ["FOVEA"], "lags", "data/gas-furnace/gas-furnace.csv", "--max-lag", "2"],
                                  cwd=self.folder, capture_output=True, text=True, timeout=LONGEST)
            self.assertEqual(read.returncode, 0, read.stderr)

    def test_truth_goes_by_name_whatever_ends_its_lines(self):
        for i in range(10):
            self.serve(f"{CAUSALFORMER}lorenz96/timeseries{i}.csv", numbers(1000, 10, header=i > 0))
        self.serve(CAUSALFORMER + "lorenz96/groundtruth.csv", "0,0,1\r9,3,2\r")
        self.get(0, "lorenz96", "--to", "data")
        self.assertEqual(self.rows("data/lorenz96/lorenz_0.truth.csv"), [["cause", "effect", "lag"], ["x1", "x1", "1"], ["x10", "x4", "2"]])
        self.assertEqual(self.rows("data/lorenz96/lorenz_7.truth.csv")[2], ["S9", "S3", "2"])
        self.serve(CAUSALFORMER + "lorenz96/groundtruth.csv", "0,0,1\n10,3,2\n")
        self.assertIn("groundtruth.csv:row 2: is no link", self.get(4, "lorenz96", "--to", "again").stderr)

    def curve(self, count):
        return f"{count}\n" + "".join(f"{8.004 * i:10.5f} {1 + i % 7:10.5f}    0.01000\n" for i in range(count))

    def test_light_curves_become_long_tables(self):
        text = "3\n" + 3 * self.curve(138)
        self.assertEqual(len(text), 13676)
        self.serve(JAVELIN, text)
        self.get(0, "javelin", "--to", "data")
        rows = self.rows("data/javelin/javelin.csv")
        self.assertEqual((rows[0], len(rows)), (["series", "t", "y", "dy"], 415))
        self.assertEqual([rows[i][:2] for i in (1, 138, 139, 414)],
                         [["continuum", "0.00000"], ["continuum", "1096.54800"], ["yelm", "0.00000"], ["zing", "1096.54800"]])
        self.serve(JAVELIN, text + "\n")
        self.assertIn("has 13677 bytes, but the published file has 13676", self.get(4, "javelin", "--to", "cut").stderr)
        self.serve(JAVELIN, "\n".join(text.split("\n")[:300]))
        self.assertIn("ends before curve 'zing' is complete", self.get(4, "javelin", "--to", "cut").stderr)
        self.assertFalse((self.folder / "cut").exists())
        (self.folder / "c.dat").write_text("# JD flux error\n47509 8.98 0.36\n47512 9.73 0.73\n")
        (self.folder / "h.dat").write_text("47510 7.1 0.2\n\n")
        self.get(0, "curves", "out.csv", "continuum=c.dat", "hbeta=h.dat")
        self.assertEqual(self.rows("out.csv")[1:], [["continuum", "47509", "8.98", "0.36"], ["continuum", "47512", "9.73", "0.73"],
                                                    ["hbeta", "47510", "7.1", "0.2"]])
        (self.folder / "h.dat").write_text("47510 7.1 0.2\n47511 7.1\n")
        self.assertIn("h.dat:row 2: has no three columns", self.get(4, "curves", "out.csv", "hbeta=h.dat").stderr)
        self.assertIn("none.dat: cannot be read", self.get(7, "curves", "out.csv", "hbeta=none.dat").stderr)

    def test_files_downloaded_by_hand_are_turned_too(self):
        by_hand = self.folder / "by hand"
        by_hand.mkdir()
        (by_hand / "gas-furnace.csv").write_text("a,b\n" + numbers(296, 2, header=False))
        self.get(0, "gas-furnace", "--to", "data", "--from", by_hand, mirror="http://127.0.0.1:1/")
        self.assertEqual(len(self.rows("data/gas-furnace/gas-furnace.csv")), 297)
        self.assertIn("manyinputs_returns30007000_header.csv: is not there; put there what is at https://",
                      self.get(7, "finance", "--to", "data", "--from", by_hand).stderr)

    def test_clinical_events_are_checked_by_their_hash_or_made_of_the_tables_of_r(self):
        for name in ("set-a.tar.gz", "set-b.tar.gz", "Outcomes-a.txt", "Outcomes-b.txt"):
            self.serve(f"physionet.org/files/challenge-2012/1.0.0/{name}", "not the published one")
        self.assertIn("but the published file has 8cb250f179cd", self.get(4, "physionet-2012", "--to", "data").stderr)
        by_hand = self.folder / "r"
        by_hand.mkdir()
        (by_hand / "nafld1.csv").write_text("id,age,male,weight,height,bmi,case.id,futime,status\n1,57,0,60,163,22.7,9,6261,0\n"
                                            "2,67,1,NA,168,NA,8,624,1\n3,53,1,70,,NA,7,1783,0\n4,40,0,70,,NA,7,1826,1\n")
        (by_hand / "nafld2.csv").write_text("id,days,test,value\n1,-459,hdl,75\n1,-459,chol,75\n1,183,hdl,64\n")
        (by_hand / "nafld3.csv").write_text("id,days,event\n3,-5,stroke\n")
        self.get(0, "nafld", "--to", "data", "--from", by_hand)
        events = gzip.decompress((self.folder / "data/nafld/events.csv.gz").read_bytes()).decode().splitlines()
        self.assertEqual(events[0], "id,days,variable,value")
        self.assertEqual(events[1:4] + events[-3:], ["1,,age,57", "1,,male,0", "1,,weight,60", "1,-459,hdl,75", "1,183,hdl,64", "3,-5,stroke,"])
        self.assertEqual([row[:2] for row in self.rows("data/nafld/outcomes.csv")],
                         [["id", "death_within_5y"], ["1", "0"], ["2", "1"], ["3", ""], ["4", "1"]])
        (by_hand / "nafld3.csv").write_text("id,days\n3,-5\n")
        self.assertIn("nafld3.csv: has no column 'event'", self.get(4, "nafld", "--to", "data", "--from", by_hand).stderr)
        if "FOVEA" in os.environ:
            read = subprocess.run([os.environ["FOVEA"], "inspect", "data/nafld/events.csv.gz", "--outcomes", "data/nafld/outcomes.csv",
                                   "--outcome", "death_within_5y"], cwd=self.folder, capture_output=True, text=True, timeout=LONGEST)
            self.assertEqual(read.returncode, 0, read.stderr)

    def test_each_visit_of_a_patient_becomes_a_record_of_the_visits_until_then(self):
        by_hand = self.folder / "r"
        by_hand.mkdir()
        (by_hand / "pbcseq.csv").write_text(
            "id,futime,status,trt,age,sex,day,ascites,hepato,spiders,edema,bili,chol,albumin,alk.phos,ast,platelet,protime,stage\n"
            "1,900,2,1,58.5,f,0,1,1,1,1,14.5,261,2.6,1718,138,190,12.2,4\n1,900,2,1,58.5,f,192,1,1,1,1,21.3,NA,2.94,1612,6.2,183,11.2,4\n"
            "2,500,0,2,40,m,0,0,1,1,0,1.1,302,4.14,7395,113.5,221,10.6,3\n")
        self.get(0, "pbcseq", "--to", "data", "--from", by_hand)
        self.assertEqual(self.rows("data/pbcseq/outcomes.csv"), [["visit_id", "death_within_2y"], ["1-1", "0"], ["1-2", "1"], ["2-1", ""]])
        events = gzip.decompress((self.folder / "data/pbcseq/events.csv.gz").read_bytes()).decode().splitlines()
        second = [line for line in events if line.startswith("1-2,")]
        self.assertEqual(second[:3] + second[7:9], ["1-2,1,,age,59.03", "1-2,1,,trt,1", "1-2,1,,sex,0", "1-2,1,-192,bili,14.5", "1-2,1,-192,chol,261"])
        self.assertEqual([line for line in second if ",0,bili," in line or ",0,chol," in line], ["1-2,1,0,bili,21.3"])

    def test_what_is_not_what_it_should_be_is_refused_and_not_kept(self):
        for text, sentence in [(numbers(295, 2), "has 295 rows, but the published file has 296"),
                               (numbers(296, 3), "has 3 columns, but the published file has 2"),
                               ("<html>\n" * 300, "row 2: '<html>' is not a number"),
                               ("a,b\n1,2,3\n", "row 2: has 3 fields, but the first row has 2"),
                               (b"\xff\xfe\x00", "is not text"), ("", "has 0 rows"), ("a,b\n1,nan\n", "row 2: 'nan' is not a number")]:
            with self.subTest(sentence):
                self.serve(FURNACE, text)
                self.assertIn(sentence, self.get(4, "gas-furnace", "--to", "data").stderr)
        self.assertFalse((self.folder / "data").exists())

    def test_without_a_network_the_one_line_says_what_to_do(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            done = self.get(1, "gas-furnace", "--to", "data", mirror=f"http://127.0.0.1:{nobody.getsockname()[1]}")
        self.assertIn("cannot be reached (", done.stderr)
        self.assertIn("get it by hand from https://openmv.net/info/gas-furnace and give its folder (--from)", done.stderr)
        self.assertIn("cannot be reached (", self.get(1, "gas-furnace", "--to", "data", mirror="http://no.such.host.invalid").stderr)
        self.assertIn("the server says 404", self.get(1, "netsim", "--to", "data").stderr)
        self.assertFalse((self.folder / "data").exists())

    def test_a_server_that_breaks_off_leaves_nothing(self):
        def half(listener):
            caller, _ = listener.accept()
            caller.recv(4096)
            caller.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 99999\r\n\r\na,b\n1,2\n")
            caller.close()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=half, args=(listener,), daemon=True).start()
            done = self.get(1, "gas-furnace", "--to", "data", mirror=f"http://127.0.0.1:{listener.getsockname()[1]}")
        self.assertRegex(done.stderr, "only 8 of 99999 bytes came|the answer broke off")
        self.assertFalse((self.folder / "data").exists())

    def test_a_reader_who_has_read_enough_ends_the_list_quietly(self):
        with subprocess.Popen([sys.executable, SOURCE / "scripts" / "get-data", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdout.close()
            self.assertEqual((program.stderr.read(), program.wait()), (b"", 0))

    def test_the_list_names_every_set_its_terms_and_where_to_ask(self):
        said = self.get(0, "list").stdout
        for word in ("finance", "netsim", "javelin", "GPL-3.0", "ngc5548", "agnwatch", "by hand", "10.17195/candat.2016.08.1"):
            self.assertIn(word, said)
        for words, sentence in [(("nothing", "--to", "x"), "there is no set 'nothing'; there are: gas-furnace"),
                                (("danube", "--to", "x"), "has no stable address; see https://"),
                                (("finance",), "--to FOLDER"), (("curves", "x"), "curves takes OUT.csv"), ((), "SET")]:
            self.assertIn(sentence, self.get(2, *words).stderr)
        (self.folder / "file").write_text("")
        self.serve(FURNACE, numbers(296, 2))
        self.assertIn("cannot be written", self.get(7, "gas-furnace", "--to", "file").stderr)


if __name__ == "__main__":
    unittest.main()
