"""Make the sample runs, or check that the committed ones are what this makes.

    python -m tests.tools.make_sample_runs [NAME…]           write sample_runs/NAME
    python -m tests.tools.make_sample_runs --check [NAME…]   say what differs; exit status 1 when anything does

Owns writing and comparing the files; what is in them is made by ``tests.tools.samples``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.tools.samples import SAMPLES
from tests.tools.samples.run import Files, Link

FOLDER = Path(__file__).parents[2] / "sample_runs"


def committed(folder: Path) -> Files:
    """What stands below a folder: files with their bytes, symbolic links with their target."""
    return {
        place.relative_to(folder).as_posix(): Link(str(place.readlink())) if place.is_symlink() else place.read_bytes()
        for place in sorted(folder.rglob("*"))
        if place.is_symlink() or place.is_file()
    }


def differences(made: Files, there: Files) -> list[str]:
    """One line for each file that is missing, changed or not made here."""
    return [
        f"{path}: {'missing' if path not in there else 'not made by the script' if path not in made else 'differs'}"
        for path in sorted(made.keys() | there.keys())
        if made.get(path) != there.get(path)
    ]


def write(folder: Path, made: Files) -> None:
    """Make a sample's folder hold exactly these files."""
    for path in committed(folder).keys() - made.keys():
        (folder / path).unlink()
    for path, content in made.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        if isinstance(content, Link):
            place.symlink_to(content.target)
        else:
            place.write_bytes(content)


def main(arguments: list[str]) -> int:
    """Do what the command line says; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.make_sample_runs", description="Make the sample runs, or check them."
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"one of {', '.join(SAMPLES)}; all when none is given")
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    given = parser.parse_args(arguments)
    unknown = set(given.names) - SAMPLES.keys()
    if unknown:
        parser.error(f"no such sample: {', '.join(sorted(unknown))}")
    faults = 0
    for name in given.names or SAMPLES:
        made = SAMPLES[name]()
        if given.check:
            found = differences(made, committed(FOLDER / name))
            faults += len(found)
            print("\n".join(f"sample_runs/{name}/{one}" for one in found) or f"sample_runs/{name}: as made")
        else:
            write(FOLDER / name, made)
            print(f"sample_runs/{name}: {len(made)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
