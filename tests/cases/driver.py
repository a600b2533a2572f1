"""Runs one driver over a list of cases and collects its observations."""
import json
import os
import queue
import subprocess
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS_PER_CASE = 60


class Broken(Exception):
    """The driver cannot be built or started."""


def build(entry):
    """Builds a driver of drivers.json from the root of the tree."""
    command = entry.get("build")
    if not command:
        return
    done = subprocess.run(command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        raise Broken(f"`{command}` ended with {done.returncode}: {' / '.join(done.stdout.split(chr(10))[-12:]).strip()}")


def told(case):
    """The case without what it expects: a driver cannot repeat what it was not told."""
    story = {k: v for k, v in case.items() if k not in ("expect", "rule")}
    if isinstance(case.get("steps"), list):
        hidden = ("expect", "state", "stateHex", "round")
        story["steps"] = [{k: v for k, v in step.items() if k not in hidden} for step in case["steps"]]
    return json.dumps(story, separators=(",", ":"))


def run(entry, cases):
    """One observation per case; text instead of an observation says why there is none."""
    with tempfile.TemporaryFile() as noise:
        env = dict(os.environ, **entry.get("env", {}))
        try:
            child = subprocess.Popen(["sh", "-c", "exec " + entry["run"]], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=noise)
        except OSError as fault:
            raise Broken(str(fault)) from fault
        lines = queue.Queue()
        threading.Thread(target=feed, args=(child.stdin, cases), daemon=True).start()
        threading.Thread(target=read, args=(child.stdout, lines), daemon=True).start()
        seen = collect(child, lines, cases)
        noise.seek(0)
        said = noise.read().decode("utf-8", "replace").strip().splitlines()[-4:]
        why = f"; it said: {' / '.join(said)}" if said else ""
        return [o + why if isinstance(o, str) else o for o in seen]


def feed(pipe, cases):
    try:
        for case in cases:
            pipe.write((told(case) + "\n").encode())
        pipe.close()
    except OSError:
        pass  # the driver is gone; its missing lines tell


def read(pipe, lines):
    for line in pipe:
        lines.put(line)
    lines.put(None)


def collect(child, lines, cases):
    seen, end = [], None
    for _ in cases:
        try:
            line = lines.get(timeout=SECONDS_PER_CASE)
        except queue.Empty:
            child.kill()
            end = f"the driver gave no observation within {SECONDS_PER_CASE} s"
            break
        if line is None:
            end = f"the driver ended early with {child.wait()}"
            break
        seen.append(decode(line))
    else:
        extra = lines.get(timeout=SECONDS_PER_CASE)
        code = child.wait()
        if seen and (extra is not None or code):
            seen[-1] = f"the driver ended with {code} after {'more lines than cases' if extra else 'its last case'}"
    child.wait()
    return seen + [end] * (len(cases) - len(seen))


def decode(line):
    try:
        return json.loads(line)
    except ValueError as fault:
        return f"the driver wrote a line that is no JSON ({fault})"
