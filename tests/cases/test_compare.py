"""The comparer must pass what is right and catch each wrong observation: every case is told once as expected and once per expectation with that one spoilt."""
import copy
import glob
import json
import os
import subprocess
import sys

import pytest

import compare
import tokens

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [c for f in sorted(glob.glob(os.path.join(HERE, "*.json"))) if not f.endswith("drivers.json") for c in json.load(open(f, encoding="utf-8"))]


def told(case):
    """The observation of a library that does exactly what the case expects."""
    expect = copy.deepcopy(case.get("expect"))
    if case["kind"] == "state":
        return {"name": case["name"], "steps": [told_step(s) for s in case["steps"]]}
    if case["kind"] == "server":
        return {"name": case["name"], "legs": expect}
    if case["kind"] == "legacy":
        return {"name": case["name"], **told_legacy(expect)}
    if "shownAnyOrder" in expect:
        expect["shown"] = expect.pop("shownAnyOrder")[::-1]
    return {"name": case["name"], **expect}


def told_legacy(expect):
    refusal = {"reason": expect.get("refused")}
    if "done" in expect:
        expect["result"] = '{"content":[]}'
    if expect.pop("toolError", False):
        expect["result"] = json.dumps({"content": [], "isError": True, "_meta": {"mrtr/refusal": refusal}})
    if "rpcCode" in expect:
        expect["rpc"] = json.dumps({"code": expect.pop("rpcCode"), "message": "", "data": refusal})
    expect.pop("answered", None)
    expect["sent"] = [[method, params and params.replace("<id>", f"{at:032x}")] for at, (method, params) in enumerate(expect.get("sent", []))]
    return expect


def told_step(step):
    each = "open" in step and any(k.startswith("each") for k in step["open"].get("edit", {}))
    want = "refused" if each else "tampered" if step["expect"] == "refused" else step["expect"]
    got = {"outcome": want, **{k: step[k] for k in ("state", "stateHex", "round") if k in step}}
    if "open" in step and want not in ("ok", "bad_json"):
        got["rpc"] = [compare.S9] if each else compare.S9
    return got


def spoil(value):
    """Another value of the same type, so that only a real comparison tells them apart."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ',"zz":1}' if value.startswith("{") and value != "{}" else value + "x"
    if isinstance(value, list):
        return value + ["zz"]
    if value is None:
        return "zz"
    return {k: spoil(v) for k, v in value.items()} if value else None


def spots(case, seen):
    """Every place of the observation that the case's expectation speaks of."""
    if case["kind"] == "state":
        for at, step in enumerate(case["steps"]):
            for name in seen["steps"][at]:
                if name != "rpc" or step["expect"] != "bad_json":
                    yield seen["steps"][at], name, f"step {at} {name}"
    elif case["kind"] == "server":
        for at, leg in enumerate(seen["legs"]):
            for name in leg:
                yield leg, name, f"leg {at} {name}"
    elif case["kind"] == "legacy":
        for name in [n for n in case["expect"] if n in seen]:
            yield seen, name, name
    else:
        for name in [n for n in seen if n != "name"]:
            yield seen, name, name


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_each_expectation_is_compared(case):
    assert compare.differences(case, told(case)) == []
    for at in range(len(list(spots(case, told(case))))):
        seen = told(case)
        holder, name, where = list(spots(case, seen))[at]
        holder[name] = spoil(holder[name])
        assert compare.differences(case, seen), f"{where} was spoilt and not noticed"
        del holder[name]
        if not absent_is_fine(case, where):
            assert compare.differences(case, seen), f"{where} was left out and not noticed"


def absent_is_fine(case, where):
    """A member may be left out where it says nothing: none shown, none stopped, no continuation."""
    return isinstance(case.get("expect"), dict) and not case["expect"].get(where, case["expect"].get("shownAnyOrder"))


@pytest.mark.parametrize("seen", [None, [], 5, {}, {"name": "other"}, {"name": "c", "unsupported": True}, {"name": "c", "failed": "no"}, {"name": "c"},
                                  {"name": "c", "end": {"a": 1}, "flags": 3, "sent": [5]}])
def test_no_observation_is_no_pass(seen):
    case = {"name": "c", "kind": "client", "expect": {"end": "complete", "flags": {"a": []}, "sent": ["{}"]}}
    assert compare.differences(case, seen)


def test_unknown_kinds_and_expectations_are_no_pass():
    assert compare.differences({"name": "c", "kind": "new", "expect": {}}, {"name": "c"})
    for kind, expect in (("client", {"end": "complete", "colour": 1}), ("build", {"colour": 1}), ("server", [{"colour": 1}])):
        seen = {"name": "c", "end": "complete", "colour": 1, "legs": [{"colour": 1}]}
        assert compare.differences({"name": "c", "kind": kind, "expect": expect}, seen)


def client(expect):
    return {"name": "c", "kind": "client", "expect": {"end": "complete", **expect}}


def seen(**fields):
    return {"name": "c", "end": "complete", **fields}


@pytest.mark.parametrize("want, have, right", [
    ('{"name":"x","arguments":{"b":1.0,"a":2}}', '{ "name":"x", "arguments":{"b":1.0,"a":2}, "_meta":{"k":1}}', True),
    ('{"name":"x","arguments":{"b":1.0,"a":2}}', '{"name":"x","arguments":{"a":2,"b":1.0}}', False),       # the caller's order
    ('{"name":"x","arguments":{"b":1.0}}', '{"name":"x","arguments":{"b":1}}', False),                     # the caller's spelling
    ('{"name":"x","arguments":{"b":"\\/"}}', '{"name":"x","arguments":{"b":"/"}}', False),
    ('{"name":"x","a":1,"a":1}', '{"name":"x","a":1}', False),                                             # duplicates stay
    ('{"name":"x","requestState":"s","inputResponses":{"a":{"action":"accept","content":{"n":1,"m":2}},"b":{"action":"decline"}}}',
     '{"inputResponses":{"b":{"action":"decline"},"a":{"content":{"m":2,"n":1},"action":"accept"}},"name":"x","requestState":"s"}', True),
    ('{"requestState":"s"}', '{"requestState":"s","requestState":"s"}', False),
    ('{"requestState":"s"}', '{"requestState":"s","inputResponses":{}}', False),
    ('{"inputResponses":{"a":{"action":"accept","content":{"n":[1,2]}}}}', '{"inputResponses":{"a":{"action":"accept","content":{"n":[2,1]}}}}', False),
    ('{"name":"x"}', '{"name":"x"} x', False),
])
def test_sent_params(want, have, right):
    assert (compare.differences(client({"sent": [want]}), seen(sent=[have])) == []) is right


def test_flags_and_stopped_are_sets_and_the_result_is_bytes():
    assert not compare.differences(client({"flags": {"u": ["a", "b"]}}), seen(flags={"u": ["b", "a"], "v": ["c"]}))
    assert compare.differences(client({"flags": {"u": []}}), seen(flags={}))
    assert not compare.differences(client({"stopped": ["a", "b"]}), seen(stopped=["b", "a"]))
    assert compare.differences(client({"shown": ["a", "b"]}), seen(shown=["b", "a"]))
    assert compare.differences(client({"result": '{"a":1}'}), seen(result='{"a": 1}'))


def test_a_wrong_end_beside_the_right_one():
    server = {"name": "c", "kind": "server", "expect": [{"error": {"code": -32602}}]}
    assert compare.differences(server, {"name": "c", "legs": [{"error": {"code": -32602}, "asks": ["a"]}]})
    build = {"name": "c", "kind": "build", "expect": {"error": "bad_mode"}}
    assert compare.differences(build, {"name": "c", "error": "bad_mode", "result": "{}"})


def test_refusals_are_frozen_on_the_wire():
    case = {"name": "c", "kind": "state", "steps": [{"open": {}, "expect": "expired"}, {"open": {}, "expect": "refused"}]}
    spaced = compare.S9.replace(",", ", ")
    both = lambda a, b: {"name": "c", "steps": [{"outcome": "expired", "rpc": a}, {"outcome": "tampered", "rpc": b}]}
    assert not compare.differences(case, both(compare.S9, compare.S9))
    assert compare.differences(case, both(compare.S9, spaced))
    assert compare.differences(case, both(compare.S9.replace("Invalid", "invalid"), compare.S9))
    assert compare.differences(case, both(None, compare.S9))


@pytest.mark.parametrize("text", ['', '{', '{"a"}', '{"a":1,}', '[1 2]', '01', '"\x01"', '{"a":1}}', "nul", '{a:1}'])
def test_no_json_is_no_tokens(text):
    with pytest.raises(tokens.Bad):
        tokens.parse(text)


# the runner, with drivers made for the purpose

GOOD = {"name": "good", "kind": "client", "expect": {"end": "complete"}}
SPEAK = "import json,sys\nfor at,line in enumerate(sys.stdin):\n  case=json.loads(line)\n"


def run(tmp_path, body, *cases):
    import driver
    script = tmp_path / "d.py"
    script.write_text(SPEAK + body)
    return driver.run({"run": f"{sys.executable} {script}"}, list(cases))


def test_the_driver_is_not_told_what_is_expected(tmp_path):
    step = {"open": {}, "expect": "ok", "state": "x", "round": 1}
    got = run(tmp_path, "  print(json.dumps({'name':case['name'],'case':case}),flush=True)", {**GOOD, "rule": "C1"}, {"name": "s", "kind": "state", "steps": [step]})
    assert got == [{"name": "good", "case": {"name": "good", "kind": "client"}}, {"name": "s", "case": {"name": "s", "kind": "state", "steps": [{"open": {}}]}}]


def test_a_crash_fails_the_case_and_all_after_it(tmp_path):
    got = run(tmp_path, "  if at: sys.exit('boom')\n  print(json.dumps({'name':case['name']}),flush=True)", GOOD, GOOD, GOOD)
    assert got[0] == {"name": "good"}
    assert got[1] == got[2] == "the driver ended early with 1; it said: boom"


def test_lines_that_are_no_json_or_too_many(tmp_path):
    assert "no JSON" in run(tmp_path, "  print('hello',flush=True)", GOOD)[0]
    assert "more lines than cases" in run(tmp_path, "  print('{}');print('{}',flush=True)", GOOD)[0]


def test_a_driver_that_hangs_is_ended(tmp_path, monkeypatch):
    import driver
    monkeypatch.setattr(driver, "SECONDS_PER_CASE", 1)
    assert "no observation within" in run(tmp_path, "  import time;time.sleep(30)", GOOD)[0]


def test_waiting_cases(monkeypatch, capsys):
    import run as runner
    failing = {"a": [["no"], []], "b": [["no"], ["no"]]}
    monkeypatch.setattr(runner, "verdicts", lambda entry, cases: failing[entry["name"]])
    cases, drivers = [{"name": "x"}, {"name": "y"}], [{"name": "a"}, {"name": "b"}]
    assert runner.judge(cases, drivers, {}) == (1, 3, 0)
    assert runner.judge(cases, drivers, {"x": ["C1"]}) == (1, 1, 1)
    assert runner.judge(cases, drivers[:1], {"x": ["C1"], "y": ["C2"]}) == (0, 1, 1)      # y passes everywhere: the list must shrink
    assert runner.judge(cases, drivers[:1], {"x": ["C1"], "gone": ["C2"]}) == (1, 1, 1)
    assert "remove it from the list" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{}", "[5]", '[{"name":"a"}]', "nonsense"])
def test_files_that_hold_no_cases(tmp_path, text):
    file = tmp_path / "c.json"
    file.write_text(text)
    done = subprocess.run([sys.executable, os.path.join(HERE, "run.py"), str(file)], capture_output=True, text=True)
    assert done.returncode == 1 and str(file) in done.stdout and done.stdout.endswith("0 passed, 1 failed\n")
