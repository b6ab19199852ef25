# SPDX-License-Identifier: MIT
# setup.py - puts the command and the two libraries of zprof into the Python package.
#
# They are built by zprof's own Makefile, and all that is written meanwhile lies in its build folder, so that the tree stays clean.
# ZPROF_BUILD names a folder that has them already; nothing is built then.
import os
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
NAMES = ["zprof", "libzprof.so", "libzprof-python.so"]
given = os.environ.get("ZPROF_BUILD")
made = os.path.join(given or os.path.join(ROOT, "build"), "python-package")


class Build(build_py):
    def run(self):
        super().run()
        if not given:
            subprocess.check_call(["make", "-C", ROOT, *("build/" + name for name in NAMES)])
        for name in NAMES:
            shutil.copy(os.path.join(given or os.path.join(ROOT, "build"), name), os.path.join(self.build_lib, "zprof", name))


class Native(Distribution):
    def has_ext_modules(self):  # the package is for this kind of machine alone
        return True


def version():
    with open(os.path.join(ROOT, "preload", "release.h")) as f:
        return re.search(r'ZPROF_RELEASE +"(.*)"', f.read())[1]


os.makedirs(made, exist_ok=True)
setup(
    version=version(),
    distclass=Native,
    cmdclass={"build_py": Build},
    options={"build": {"build_base": made}, "egg_info": {"egg_base": made}},
)
