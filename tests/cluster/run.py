#!/usr/bin/env python3
"""Tests crowds over several ranks: run.py <program> <mpi or mpich> <case>...

Starts the program with mpirun, and compares the output of runs with different numbers of ranks and workers. HSM_KILLS sets the number of jobs that are
killed while they write a checkpoint, HSM_TICKS the number of ticks. Without MPI: run.py none MPI."""

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM, MPI = sys.argv[1:3]
if PROGRAM == "none":
    print(f"skipped: {MPI} is not installed")
    sys.exit(77)
MPIRUN = shutil.which({"mpi": "mpirun.openmpi", "mpich": "mpirun.mpich"}[MPI]) or shutil.which("mpirun")
# Open MPI names its files after 16 bits of a hash: files of other jobs, or of killed jobs, could have the same names.
FILES = tempfile.TemporaryDirectory(prefix="hsm-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "TMPDIR": FILES.name, "OMPI_MCA_btl_vader_backing_directory": FILES.name,
               "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"}  # MPI leaks
TICKS = int(os.environ.get("HSM_TICKS", "1000" if MPI == "mpi" else "60"))  # MPICH waits busily, which is slow with more ranks than processors
KILLS = int(os.environ.get("HSM_KILLS", "3" if MPI == "mpi" else "1"))


def command(ranks, *words):
    # Open MPI would bind each of one or two ranks to one core, so that it had no workers.
    start = [MPIRUN, *(["--oversubscribe", "--bind-to", "none"] if MPI == "mpi" else []), "-n", str(ranks)] if ranks else []  # 0: without mpirun
    return [*start, PROGRAM, *map(str, words)]


def play(ranks, *words, fails=False, seconds=300):
    made = subprocess.run(command(ranks, *words), env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds, check=False)
    # Open MPI 4.1 rarely forgets on a busy machine that a rank has finalized MPI, and terminates the others.
    if made.returncode and not fails and "signal 15 (Terminated)" in made.stderr:
        print(f"repeated, because mpirun terminated it: {ranks} ranks, {words}\n{made.stderr[-1000:]}", flush=True)
        made = subprocess.run(command(ranks, *words), env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds, check=False)
    if (made.returncode != 0) != fails:
        sys.exit(f"{ranks} ranks, {words}: exit code {made.returncode}\n{made.stdout[-1000:]}{made.stderr[-3000:]}")
    return made.stdout.splitlines()


def expect_equal(a, b, what):
    for x, y in zip(a, b):
        if x != y:
            sys.exit(f"{what}: {x} and {y}")
    if len(a) != len(b) or not a:
        sys.exit(f"{what}: {len(a)} and {len(b)} lines")


def equal_hashes():
    """all ticks have equal hashes with any number of ranks and workers"""
    expected = play(0, "run", 60, TICKS)
    for ranks, workers in [(1, 4), (2, 1), (2, 4), (3, 1), (3, 4), (4, 1), (4, 4)]:
        expect_equal(expected, play(ranks, "run", 60, TICKS, f"workers={workers}"), f"{ranks} ranks with {workers} workers")
    if not re.fullmatch("lost [1-9][0-9]*, unknown [0-9]+", expected[-1]):
        sys.exit(f"the last line: {expected[-1]}")


def rebalancing():
    """rebalancing and placing do not change the hashes"""
    expected = play(0, "run", 100, 100)
    expect_equal(expected, play(2, "run", 100, 100, "rebalance=5"), "rebalancing")
    expect_equal(expected, play(3, "run", 100, 100, "place=3"), "placing")


def checkpoints():
    """a run that another number of ranks resumes has the hashes of an undisturbed run"""
    expected = play(0, "run", 100, 60)
    with tempfile.TemporaryDirectory() as folder:
        for before, after in [(1, 3), (3, 1), (2, 2)]:
            play(before, "run", 100, 40, f"save=20:{folder}/file")
            resumed = play(after, "run", 100, 60, f"restore={folder}/file")
            expect_equal(expected[40:60], resumed[:20], f"{before} ranks, then {after}")


def ranks_of(job):
    found = subprocess.run(["pgrep", "-f", PROGRAM, "--parent", str(job.pid)], capture_output=True, text=True, check=False).stdout.split()
    if not found:  # MPICH has a process between
        for child in subprocess.run(["pgrep", "--parent", str(job.pid)], capture_output=True, text=True, check=False).stdout.split():
            found += subprocess.run(["pgrep", "-f", PROGRAM, "--parent", child], capture_output=True, text=True, check=False).stdout.split()
    return [int(pid) for pid in found]


def kills():
    """a checkpoint stays complete when a rank is killed while it is written"""
    chance = random.Random(int(os.environ.get("HSM_SEED", "1")))
    agents, ticks, interrupted = 1500, 12, 0
    expected = {line.split()[0]: line for line in play(0, "run", agents, ticks)[:ticks]}
    for number in range(KILLS):
        with tempfile.TemporaryDirectory() as folder:
            job = subprocess.Popen(command(2, "run", agents, 1000, f"save=1:{folder}/file"), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            end = time.monotonic() + 120
            while not Path(folder, "file").exists() and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(chance.random() * 0.3)
            while not Path(folder, "file.part").exists() and time.monotonic() < end:
                pass
            time.sleep(chance.random() * 0.004)
            interrupted += Path(folder, "file.part").exists()
            os.kill(chance.choice(ranks_of(job)), signal.SIGKILL)
            if job.wait(timeout=60) == 0:
                sys.exit("a job with a killed rank has succeeded")
            resumed = play(1 + number % 3, "run", agents, ticks, f"restore={folder}/file", "more=3")
            known = [line for line in resumed if line.split()[0] in expected]
            if not resumed or any(line != expected[line.split()[0]] for line in known):
                sys.exit(f"after kill {number}: {resumed[:3]}")
            print(f"kill {number}: resumed at {resumed[0].split()[0]}, {len(known)} ticks compared")
    print(f"{interrupted} of {KILLS} jobs were killed while they wrote")


def failing_hook():
    """a hook that throws raises an error on all ranks"""
    lines = play(3, "run", 100, 100, "fail")
    errors = sorted(line.split(": ", 1)[1] for line in lines if line.startswith("rank"))
    if len(errors) != 3 or errors[2] != "agent 3 fails" or any("has failed: agent 3 fails" not in e or "HSM-462" not in e for e in errors[:2]):
        sys.exit("\n".join(lines))


def dying_rank():
    """a rank that dies ends the job"""
    if sum(line[:1].isdigit() for line in play(3, "run", 100, 100, "die=7", fails=True, seconds=60)) > 7:
        sys.exit("the other ranks continue")


def different_ranks():
    """ranks with other charts or options are refused on all ranks, with the difference"""
    differences = {"chart": '"chart: ', "build": '"build: ', "seed": 'rank 0 has "seed: 0", but rank 1 has "seed: 1"',
                   "stream": '"stream: 0", but rank 1 has "stream: 1"', "queue": '"queues: ', "lists": '"lists: false", but rank 1 has "lists: true"',
                   "order": '"update_order: 0", but rank 1 has "update_order: 1"', "home": '"home function: no", but rank 1 has "home function: yes"'}
    for what, words in differences.items():
        text = "".join(play(2, "differ", what))  # mpirun can join the lines of two ranks
        first, second = text[:len(text) // 2], text[len(text) // 2:]
        if first != second or not first.startswith("HSM-460") or words not in first:
            sys.exit(f"another {what}: {text}")


def calls():
    """the calls of a distributed crowd"""
    for ranks in (1, 2, 3):
        with tempfile.TemporaryDirectory() as folder:
            expect_equal(["ok"], play(ranks, "calls", folder), f"{ranks} ranks")


def shortage():
    """a rank that runs out of memory in a call of all ranks leaves no rank waiting"""
    for ranks in (1, 2, 3):
        with tempfile.TemporaryDirectory() as folder:
            expect_equal(["ok"], play(ranks, "shortage", folder, seconds=60), f"{ranks} ranks")


def epidemic():
    """the sample epidemic has the same populations with any number of ranks"""
    printed = []
    for ranks in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            printed.append(play(ranks, sys.argv[4], folder, 100, 100) + [hashlib.md5(Path(folder, "epidemic.ppm").read_bytes()).hexdigest()])
    expect_equal(*printed, "1 and 2 ranks")
    if len(printed[0]) != 7 or printed[0][4].split()[3] == "0":
        sys.exit("\n".join(printed[0]))


CASES = [equal_hashes, rebalancing, checkpoints, kills, failing_hook, dying_rank, different_ranks, calls, shortage, epidemic]
for case in CASES:
    if case.__name__ in sys.argv[3:]:
        began = time.monotonic()
        case()
        print(f"{case.__doc__}: ok, {time.monotonic() - began:.0f} s", flush=True)
