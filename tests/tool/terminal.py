#!/usr/bin/env python3
"""A session of `hsm run` in a terminal: terminal.py <hsm> <machine>. The prompt, the tree, colors, questions, Ctrl-C and Ctrl-D."""

import os
import pty
import select
import shutil
import signal
import sys
import tempfile
import time

PLAIN = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


class Terminal:
    def __init__(self, words, environment=PLAIN):
        self.text = ""
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.execve(words[0], words, environment)

    def until(self, wanted, seconds=20):
        """Reads until the text appears, and returns the output before it."""
        limit = time.monotonic() + seconds
        while wanted not in self.text:
            ready, _, _ = select.select([self.end], [], [], max(0, limit - time.monotonic()))
            try:
                more = os.read(self.end, 4096) if ready else b""
            except OSError:
                more = b""
            if not more:
                raise AssertionError(f"{wanted!r} is not printed; the output is {self.text!r}")
            self.text += more.decode()
        before, self.text = self.text.split(wanted, 1)
        return before

    def enter(self, text):
        os.write(self.end, text.encode())

    def computes(self, seconds=20):
        """Waits until the program uses processor time, so it no longer waits for input."""
        def used():
            with open(f"/proc/{self.child}/stat", encoding="ascii") as stat:
                return int(stat.read().rsplit(")", 1)[1].split()[11])
        before, limit = used(), time.monotonic() + seconds
        while used() < before + 5:
            expect(time.monotonic() < limit, "the program does not run")
            select.select([], [], [], 0.01)

    def ended(self, seconds=20):
        """Waits until the program ends, and returns its exit code."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            select.select([self.end], [], [], 0.01)
        os.kill(self.child, signal.SIGKILL)
        raise AssertionError("the program does not end")


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def play(hsm, machine):
    t = Terminal([hsm, "run", machine])
    greeting = t.until("init> ")
    expect("\x1b[1mMonsterFSM\x1b[0m: `help`" in greeting, greeting)
    expect("\x1b[32m●\x1b[0m \x1b[32minit\x1b[0m" in greeting, greeting)
    expect("possible now:" in greeting, greeting)

    t.enter("tick\n")
    t.until("now \x1b[32msearch\x1b[0m")
    t.until("possible now:\r\n  tick  search -> chase [hasTarget]\x1b[33m   if hasTarget\x1b[0m")
    t.until("search> ")

    t.enter("tick\n")  # guards ask
    t.until("hasTarget?")
    t.enter("what\n")
    t.until("unknown answer: what")
    t.until("hasTarget?")
    t.enter("n\n")
    t.until("noTarget?")
    t.enter("always\n")
    t.until("now \x1b[32midle\x1b[0m")
    t.until("idle> ")

    t.enter("nonsense")
    t.enter("\x03")  # Ctrl-C discards the line
    t.until("idle> ")
    t.enter("path\n")
    expect("nonsense" not in t.until("idle\r\n"), "the line was not discarded")
    t.until("idle> ")

    t.enter("evnt\n")  # an error in typed input has no location
    t.until("\x1b[31merror:\x1b[0m there is no command \"evnt\"")
    t.until("did you mean \"event\"?")
    t.until("idle> ")

    t.enter("guard agentDead false\nguard timeUp_2 false\n")
    t.until("idle> ")
    t.until("idle> ")
    t.enter("tick 1ns x4000000000\n")
    t.until("x4000000000\r\n")
    t.computes()
    t.enter("\x03")  # stops the ticks
    t.until("interrupted")
    t.until("idle> ")
    t.enter("tick 1ns\n")
    t.until("nothing happens")
    t.enter("undo\n")  # plays the interrupted command again, up to the interruption
    t.until("undone: tick 1ns\r\n")
    t.until("idle> ")

    t.enter("guard timeUp_2 ask\ntick\n")
    t.until("timeUp_2?")
    t.enter("\x04")  # Ctrl-D instead of an answer means no
    t.until("idle> ")

    t.enter("\x04")
    expect(t.ended() == 0, "Ctrl-D ends with 0")


def play_without_colors(hsm, machine):
    t = Terminal([hsm, "run", machine], PLAIN | {"NO_COLOR": "1"})
    expect("\x1b" not in t.until("init> "), "the output contains colors")
    t.enter("quit\n")
    expect(t.ended() == 0, "quit ends with 0")


def play_and_save(hsm, machine):
    """The file is saved while the prompt waits."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "machine.xml")
        shutil.copy(machine, path)
        t = Terminal([hsm, "run", "--watch", path], PLAIN | {"NO_COLOR": "1"})
        t.until("init> ")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("</Project>", "<state ID=\"extra\"/></Project>"))
        t.until("was reloaded; active states: 2 with the same path")
        t.until("init> ")
        t.enter("\x03path\n")
        t.until("init\r\n")
        t.enter("\x04")
        expect(t.ended() == 0, "Ctrl-D ends with 0")


if __name__ == "__main__":
    play(*sys.argv[1:])
    play_and_save(*sys.argv[1:])
    play_without_colors(*sys.argv[1:])
    print("ok")
