#!/usr/bin/env python3
"""The official conformance suite, judged more strictly than by its exit code, which forgives WARNING and SKIPPED.

    gate.py server URL [SCENARIO…]                 a server that runs already
    gate.py server --start 'COMMAND {port}' [SCENARIO…]   starts it on a free port (COMMAND is split at spaces) and ends it
    gate.py client 'COMMAND' [SCENARIO…]           COMMAND gets the URL of the suite's server as its last argument

Every check of expected.json must be there, as often as listed, with SUCCESS; what else is allowed stands there with its reason.
Without SCENARIO: all that are listed. Closes with `N passed, M failed`; exit status 0 only if M is 0."""
import argparse
import collections
import contextlib
import glob
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "target", "node")
SUITE = os.path.join(NODE, "node_modules", "@modelcontextprotocol", "conformance")
SUITE_SECONDS = 600


class Unusable(Exception):
    """The suite, the server or an argument is not as it must be."""


def expected():
    with open(os.path.join(HERE, "expected.json"), encoding="utf-8") as file:
        facts = json.load(file)
    try:
        with open(os.path.join(SUITE, "package.json"), encoding="utf-8") as file:
            version = json.load(file)["version"]
    except OSError as fault:
        raise Unusable("the conformance suite is not installed: run scripts/setup/node.sh") from fault
    if version != facts["suite"]:
        raise Unusable(f"the suite is {version}, but the expected checks are those of {facts['suite']}")
    return facts


def suite(*arguments):
    """Runs the suite quietly: its exit status and the end of what it said."""
    command = [os.path.join(NODE, "bin", "node"), os.path.join(SUITE, "dist", "index.js"), *arguments]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SUITE_SECONDS)
    except subprocess.TimeoutExpired as fault:
        raise Unusable(f"the suite did not end within {SUITE_SECONDS} s") from fault
    return done.returncode, done.stdout.strip()


def checks(folder, prefix, scenario):
    files = glob.glob(os.path.join(glob.escape(folder), f"{prefix}{scenario}-20*", "checks.json"))
    if len(files) != 1:
        return []
    with open(files[0], encoding="utf-8") as file:
        return json.load(file)


def judge(scenario, got, want, allowed):
    """(passed, lines that say what is wrong) of one scenario."""
    lines, count = [], collections.Counter()
    for check in got:
        name, status = check["id"], check["status"]
        excused = any(a["scenario"] == scenario and a["status"] == status and a["check"] in (name, check.get("name")) for a in allowed)
        if name not in want:
            lines.append(f"{name}: {status}, but it is not in expected.json")
        elif status != "SUCCESS" and not excused:
            lines.append(f"{name} ({check.get('name')}): {status} {check.get('errorMessage') or ''}".rstrip())
            want = {**want, name: want[name] - 1}
        else:
            count[name] += 1
    lines += [f"{name}: expected {n} times, seen {count[name]} times" for name, n in want.items() if count[name] != n]
    return sum(count.values()), lines


def report(scenario, passed, lines):
    print(f"{'ok  ' if not lines else 'FAIL'} {scenario}: {passed} checks" + "".join(f"\n     {line}" for line in lines), flush=True)
    return passed, len(lines)


def gate_server(url, facts, scenarios):
    with tempfile.TemporaryDirectory() as out:
        _, said = suite("server", "--url", url, "--requirements", facts["requirements"], "-o", out)
        if not os.listdir(out):
            raise Unusable(f"the suite left no results; it said: {said[-600:]}")
        return [report(s, *judge(s, checks(out, "server-", s), facts["server"][s], facts["allowed"])) for s in scenarios]


def gate_client(command, facts, scenarios):
    counts = []
    for scenario in scenarios:
        with tempfile.TemporaryDirectory() as out:
            code, said = suite("client", "--command", command, "--scenario", scenario, "--spec-version", facts["requirements"], "--timeout", "60000", "-o", out)
            passed, lines = judge(scenario, checks(out, "", scenario), facts["client"][scenario], facts["allowed"])
            if code and not lines:
                lines = [f"the suite ended with {code}: {said[-600:]}"]
            counts.append(report(scenario, passed, lines))
    return counts


@contextlib.contextmanager
def started(command):
    """Starts the server and yields its URL once it accepts connections."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile() as noise:
        try:
            server = subprocess.Popen([w.replace("{port}", str(port)) for w in command.split()], stdin=subprocess.DEVNULL, stdout=noise, stderr=noise)
        except OSError as fault:
            raise Unusable(f"the server cannot be started: {fault}") from fault
        try:
            wait(server, port)
            yield f"http://localhost:{port}/mcp"
            if server.poll() is not None:
                raise Unusable(f"the server ended during the run with {server.returncode}")
        except Unusable as fault:
            noise.seek(0)
            raise Unusable(f"{fault}; it said: {noise.read()[-600:].decode('utf-8', 'replace').strip()}") from fault
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()


def wait(server, port):
    for _ in range(200):
        if server.poll() is not None:
            raise Unusable(f"the server ended with {server.returncode} before it listened")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise Unusable("the server does not listen on its port after 20 s")


def run(options):
    facts = expected()
    listed = facts[options.mode]
    scenarios = options.words if options.start else options.words[1:]
    unknown = [s for s in scenarios if s not in listed]
    if unknown:
        raise Unusable(f"no such {options.mode} scenario in expected.json: {', '.join(unknown)}")
    scenarios = scenarios or list(listed)
    if options.mode == "client":
        return gate_client(options.words[0], facts, scenarios)
    if options.start:
        with started(options.start) as url:
            return gate_server(url, facts, scenarios)
    return gate_server(options.words[0], facts, scenarios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("server", "client"))
    parser.add_argument("--start", metavar="COMMAND")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    if not options.words and not options.start or options.start and options.mode == "client":
        parser.error("give one of URL, --start COMMAND (server) or COMMAND (client)")
    try:
        counts = run(options)
    except Unusable as fault:
        print(f"FAIL {fault}")
        counts = [(0, 1)]
    print(f"{sum(p for p, _ in counts)} passed, {sum(f for _, f in counts)} failed")
    return 0 if not any(f for _, f in counts) else 1


if __name__ == "__main__":
    sys.exit(main())
