"""fovea export --figures: the figures of a result as SVG, and beside them as PDF or PNG."""
import shutil
import struct
import unittest

from fovea_command import SOURCE, CommandTest

# Stands for CairoSVG: a PNG's first bytes where the output is wanted.
CAIROSVG = '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = --output ] && printf cairo >"$2"; shift; done\n'


class ExportFigures(CommandTest):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", SOURCE / "experiments" / "mechanism" / "hijacking.toml")
        self.run_folder = self.runs()[0]
        self.names = sorted(path.stem for path in (self.run_folder / "figures").iterdir())

    def refused(self, *words, **options):
        code = options.pop("code", 2)
        return self.expect(code, "export", self.run_folder, *words, **options).stderr.strip().splitlines()[-1]

    def test_svg_is_what_the_run_has(self):
        for place in (self.run_folder, self.run_folder / "result.h5"):
            printed = self.expect(0, "export", place, "--figures", "svg").stdout.splitlines()
            self.assertEqual(sorted(printed), [f"figures/{name}.svg" for name in self.names])
            for name in self.names:
                self.assertEqual((self.folder / "figures" / f"{name}.svg").read_bytes(),
                                 (self.run_folder / "figures" / f"{name}.svg").read_bytes())

    @unittest.skipUnless(shutil.which("rsvg-convert"), "librsvg2-bin is not installed")
    def test_pdf_and_png_beside_svg(self):
        self.expect(0, "export", self.run_folder, "--figures", "pdf", "-o", "talk")
        printed = self.expect(0, "export", self.run_folder, "--figures", "png", "--width", 900, "-o", "talk").stdout
        self.assertEqual(sorted(printed.splitlines()), [f"talk/{name}.png" for name in self.names])
        for name in self.names:
            self.assertTrue((self.folder / "talk" / f"{name}.svg").exists())
            self.assertEqual((self.folder / "talk" / f"{name}.pdf").read_bytes()[:5], b"%PDF-")
            self.assertEqual(struct.unpack(">I", (self.folder / "talk" / f"{name}.png").read_bytes()[16:20]), (900,))

    def test_without_a_program_that_draws(self):
        programs = self.folder / "programs"
        programs.mkdir()
        self.assertEqual(
            self.refused("--figures", "pdf", environment={"PATH": str(programs)}, code=1),
            "fovea: export --figures pdf: neither rsvg-convert nor cairosvg is installed, one of which draws it; install "
            "Debian's librsvg2-bin or python3-cairosvg, or take --figures svg.")
        (programs / "cairosvg").write_text(CAIROSVG)
        (programs / "cairosvg").chmod(0o755)
        self.expect(0, "export", self.run_folder, "--figures", "png", environment={"PATH": str(programs)})
        self.assertEqual((self.folder / "figures" / f"{self.names[0]}.png").read_text(), "cairo")
        (programs / "rsvg-convert").write_text("#!/bin/sh\nexit 3\n")
        (programs / "rsvg-convert").chmod(0o755)
        self.assertIn("rsvg-convert: could not draw figures/",
                      self.refused("--figures", "png", environment={"PATH": str(programs)}, code=1))

    def test_options_that_do_not_fit(self):
        for words, said in [(["--figures", "gif"], "--figures gif: is no format of figures; give svg, pdf or png."),
                            (["--width", "300"], "--width is about figures; add --figures png."),
                            (["--figures", "pdf", "--width", "300"], "--width is in pixels of a PNG, but pdf has none"),
                            (["--figures", "png", "--width", "50"], "--width 50"),
                            (["--figures", "png", "--width", "30000"], "must be 100 to 20000 pixels"),
                            (["--figures", "svg", "--csv"], "give it without --csv.")]:
            self.assertIn(said, self.refused(*words))


if __name__ == "__main__":
    unittest.main()
