# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that sleep, spin, wait for each other or end, and how they are said to have ended."""

import signal
import sys
import unittest
import unittest.mock

import deadline

# All of them end, so that nothing stays behind where a deadline fails.
SLEEPS = "import time; time.sleep(60)"
LOOKS_AROUND = "import time\nfor i in range(40): time.sleep(0.1)"
LOOKS_AROUND_LONG = LOOKS_AROUND.replace("40", "600")
SPINS = "import time\nwhile time.process_time() < 30: pass"


class Endings(unittest.TestCase):
    def setUp(self):
        patched = unittest.mock.patch.object(deadline, "ASLEEP_FOR", 1)
        patched.start()
        self.addCleanup(patched.stop)

    def run_python(self, text, **limits):
        return deadline.run([sys.executable, "-c", text], **limits)

    def test_what_ends_says_how(self):
        ended = self.run_python("import sys; print('out', flush=True); sys.stderr.write('err'); sys.exit(3)", wall=600)
        self.assertEqual((ended.status, ended.hung, ended.output), (3, False, "out\nerr"))

    def test_what_is_killed_says_so(self):
        ended = self.run_python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", wall=600)
        self.assertEqual((ended.status, ended.hung), (-signal.SIGSEGV, False))

    def test_what_nothing_wakes_hangs(self):
        ended = self.run_python(SLEEPS, wall=600)
        self.assertTrue(ended.hung)
        self.assertEqual(ended.status, -signal.SIGKILL)

    def test_a_program_that_looks_around_does_not_hang(self):
        ended = self.run_python(LOOKS_AROUND, wall=600)
        self.assertEqual((ended.status, ended.hung), (0, False))

    def test_nor_does_one_whose_child_works(self):
        ended = self.run_python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {LOOKS_AROUND!r}])", wall=600)
        self.assertEqual((ended.status, ended.hung), (0, False))

    def test_wall_time_ends_what_looks_around_without_end(self):
        ended = self.run_python(LOOKS_AROUND_LONG, wall=2)
        self.assertTrue(ended.hung)

    def test_processor_time_ends_what_spins(self):
        ended = self.run_python(SPINS, processor=1, wall=600)
        self.assertTrue(ended.hung)
        self.assertEqual(ended.status, -signal.SIGXCPU)
        self.assertLess(ended.processor, 20)


if __name__ == "__main__":
    unittest.main()
