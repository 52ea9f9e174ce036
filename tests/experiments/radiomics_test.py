"""fovea radiomics: features of an image or of a table of cases, their check against references, and what is refused."""
import csv
import gzip
import io
import struct
import unittest

from fovea_command import SOURCE, CommandTest

GOLDEN = SOURCE / "tests" / "golden" / "ibsi1"
IMAGE, MASK, REFERENCES = (GOLDEN / name for name in ("phantom.nii.gz", "mask.nii.gz", "reference_values.csv"))


def nifti(size, voxels, spacing=(2, 2, 2)):
    """A file of float32 with this size, x fastest."""
    head = bytearray(348)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, *size, 1, 1, 1, 1)
    struct.pack_into("<hh", head, 70, 16, 32)
    struct.pack_into("<8f", head, 76, 1, *spacing, 0, 0, 0, 0)
    struct.pack_into("<f", head, 108, 352)
    struct.pack_into("<hh", head, 252, 0, 1)
    for axis in range(3):
        struct.pack_into("<f", head, 280 + 20 * axis, spacing[axis])
    head[344:348] = b"n+1\0"
    return gzip.compress(bytes(head) + bytes(4) + struct.pack(f"<{len(voxels)}f", *voxels))


class Radiomics(CommandTest):
    def write(self, name, voxels, size=(4, 4, 4)):
        (self.folder / name).write_bytes(nifti(size, voxels))

    def rows(self, *words):
        return dict(csv.reader(io.StringIO(self.expect(0, "radiomics", *words).stdout)))

    def test_the_phantom_agrees_with_all_reference_values(self):
        done = self.expect(0, "radiomics", IMAGE, "--mask", MASK, "--check", REFERENCES)
        self.assertEqual(done.stdout, "5 rows without a reference value\n"
                                      "482 of 482 reference values agree to 3 significant digits\n")
        self.assertEqual(done.stderr, "")

    def test_one_other_reference_value_ends_with_6_and_prints_both_numbers(self):
        table = REFERENCES.read_text().replace("\n556;4;", "\n566;4;")
        (self.folder / "reference.csv").write_text(table + "1;0;no_such_tag\n")
        done = self.expect(6, "radiomics", IMAGE, "--mask", MASK, "--check", "reference.csv")
        self.assertIn("morph_volume: 556.3333333333334, reference 566 +- 4\n", done.stdout)
        self.assertIn("no_such_tag: not computed, reference 1\n", done.stdout)
        self.assertTrue(done.stdout.endswith("481 of 483 reference values agree to 3 significant digits\n"))
        done = self.expect(6, "radiomics", IMAGE, "--mask", MASK, "--check", "reference.csv", "-o", "features.csv")
        self.assertIn("481 of 483", done.stderr)
        self.assertEqual(len((self.folder / "features.csv").read_text().splitlines()), 483)

    def test_a_case_among_others_and_any_number_of_threads_give_the_same_bits(self):
        draw = [((17 * k * k + 5 * k) % 101) for k in range(24 ** 3)]
        self.write("ct.nii.gz", draw, (24, 24, 24))
        self.write("gtv.nii.gz", [1 if (k % 24 - 12) ** 2 + (k // 24 % 24 - 12) ** 2 + (k // 576 - 12) ** 2 < 110 else 0
                                  for k in range(24 ** 3)], (24, 24, 24))
        alone = self.rows("ct.nii.gz", "--mask", "gtv.nii.gz", "--settings", "ibsi_d")
        (self.folder / "cases.csv").write_text(f"case,image,mask\none,ct.nii.gz,gtv.nii.gz\n"
                                               f'"two, again",ct.nii.gz,gtv.nii.gz\n')
        for threads in (1, 2, 3, 5):
            table = self.expect(0, "radiomics", "cases.csv", "--settings", "ibsi_d",
                                environment={"OMP_NUM_THREADS": str(threads)}).stdout
            cases = list(csv.DictReader(io.StringIO(table)))
            self.assertEqual([case.pop("case") for case in cases], ["one", "two, again"])
            for case in cases:
                self.assertEqual(case, {tag: value for tag, value in alone.items() if tag != "tag"})

    def test_settings_of_a_file_are_those_of_the_configuration(self):
        self.write("ct.nii.gz", [k * k % 90 - 30 for k in range(512)], (8, 8, 8))
        self.write("gtv.nii.gz", [1] * 512, (8, 8, 8))
        (self.folder / "c.toml").write_text("""experiment = "imaging.radiomics"
spacing = [2, 2, 2]
round = true
range = [-1000, 400]
levels.kind = "width"
levels.width = 25
volume_histogram.kind = "width"
volume_histogram.width = 2.5
textures = ["3D"]
""")
        words = ("ct.nii.gz", "--mask", "gtv.nii.gz", "--settings")
        self.assertEqual(self.rows(*words, "c.toml"), self.rows(*words, "ibsi_c"))
        (self.folder / "c.toml").write_text('experiment = "imaging.radiomics"\nrange = [4, -4]\nspacing = [2]\n')
        done = self.expect(3, "radiomics", *words, "c.toml")
        self.assertIn("c.toml:2:9: range must be [] or [lowest, highest], the lowest below the highest.", done.stderr)
        self.assertIn("c.toml:3:11: spacing has 1 number, but must have 3, of x, y and z, or none.", done.stderr)

        (self.folder / "c.toml").write_text('experiment = "imaging.radiomics"\n[sweep]\noutlier_sd = [2, 3]\n')
        self.assertIn("c.toml: a sweep of outlier_sd is no setting of an image, which needs one value; give one.",
                      self.expect(3, "radiomics", *words, "c.toml").stderr)

    def test_features_without_a_value_are_empty_and_named(self):
        self.write("flat.nii.gz", [3] * 64)
        self.write("mask.nii.gz", [0] * 21 + [1] * 2 + [0] * 41)
        done = self.expect(0, "radiomics", "flat.nii.gz", "--mask", "mask.nii.gz")
        rows = dict(csv.reader(io.StringIO(done.stdout)))
        self.assertEqual(rows["stat_skew"], "")
        self.assertEqual(rows["cm_corr_3D_comb"], "1")
        self.assertNotIn("nan", done.stdout)
        self.assertIn("stat_skew", done.stderr)

    def test_what_is_refused(self):
        counting = list(range(1, 65))
        self.write("image.nii.gz", counting)
        self.write("mask.nii.gz", [1] * 64)
        self.write("empty.nii.gz", [0] * 64)
        self.write("small.nii.gz", [1] * 27, (3, 3, 3))
        self.write("hole.nii.gz", [float("nan")] + counting[1:])
        self.write("half.nii.gz", [0.5] + counting[1:])
        (self.folder / "none.csv").write_text("case,image,mask\n")
        (self.folder / "lost.csv").write_text("case,image,mask\na,lost.nii.gz,mask.nii.gz\n")
        (self.folder / "odd.csv").write_text("case,image\na,image.nii.gz\n")
        (self.folder / "gap.csv").write_text("case,image,mask\na,image.nii.gz,\n")
        (self.folder / "bad.csv").write_text("reference value;tolerance;tag\n1;-1;morph_volume\n")
        mask = ("--mask", "mask.nii.gz")
        for code, words, sentence in (
                (2, ("image.nii.gz",), "an image needs --mask FILE"),
                (2, ("lost.csv", *mask), "--mask goes with one image, but lost.csv is a table of cases."),
                (2, ("lost.csv", "--check", "bad.csv"), "--check goes with one image"),
                (2, ("image.nii.gz", *mask, "-o", "mask.nii.gz"), "--output mask.nii.gz is one of the files that are read"),
                (2, ("image.nii.gz", *mask, "--settings", "ibsi_f"), "--settings ibsi_f: must be none, ibsi_a, "),
                (4, ("image.nii.gz", "--mask", "empty.nii.gz"), "empty.nii.gz"),
                (4, ("image.nii.gz", "--mask", "small.nii.gz"), "small.nii.gz"),
                (4, ("image.nii.gz", *mask, "--label", "2"), "mask.nii.gz"),
                (4, ("hole.nii.gz", *mask), "an intensity in the mask is NaN, but all must be finite."),
                (4, ("half.nii.gz", *mask), "an intensity in the mask is 0.5, but intensities that are used as levels"),
                (4, ("image.nii.gz", *mask, "--check", "bad.csv"), "a tolerance must be a number >= 0."),
                (4, ("none.csv",), "names no case"), (4, ("odd.csv",), "mask"), (4, ("lost.csv",), "lost.nii.gz"),
                (4, ("gap.csv",), "gap.csv:row 2, column 'mask': is empty; it must name a file.")):
            with self.subTest(words=words):
                self.assertIn(sentence, self.expect(code, "radiomics", *(() if "-o" in words else ("-o", "out.csv")), *words).stderr)
                self.assertFalse((self.folder / "out.csv").exists())


if __name__ == "__main__":
    unittest.main()
