#!/usr/bin/env python3
"""Two linked processes of the game samples/arena, each with a window, play the same frames: windows.py ARENA"""

import socket
import subprocess
import sys

sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
for each in sockets:
    each.bind(("127.0.0.1", 0))
ports = [str(each.getsockname()[1]) for each in sockets]
for each in sockets:
    each.close()

command = [sys.argv[1], "--demo", "--frames", "200"]
ends = [["--player", "1", "--port", ports[0], "--peer", ports[1]], ["--player", "2", "--port", ports[1], "--peer", ports[0]]]
processes = [subprocess.Popen(command + end, stdout=subprocess.PIPE, text=True) for end in ends]
try:
    results = [process.communicate(timeout=60)[0].splitlines()[-1:] for process in processes]
finally:
    for process in processes:
        process.kill()
print(*results, sep="\n")
sys.exit(results[0] != results[1] or not "".join(results[0]).startswith("frame 200: "))
