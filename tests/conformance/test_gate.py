"""The gate must be red on everything but what is expected."""
import pytest

import gate

WANT = {"a": 1, "b": 2}
ALLOWED = [{"scenario": "s", "check": "b", "status": "SKIPPED", "reason": "x"}, {"scenario": "s", "check": "NameOfA", "status": "INFO", "reason": "x"}]


def run(*got, scenario="s"):
    return gate.judge(scenario, [{"id": i, "status": s, "name": n} for i, s, n in got], WANT, ALLOWED)


def test_all_there_is_green():
    assert run(("a", "SUCCESS", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", "")) == (3, [])
    assert run(("a", "INFO", "NameOfA"), ("b", "SKIPPED", ""), ("b", "SUCCESS", "")) == (3, [])


@pytest.mark.parametrize("got", [
    [],
    [("a", "SUCCESS", ""), ("b", "SUCCESS", "")],
    [("a", "SUCCESS", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", "")],
    [("a", "SUCCESS", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", ""), ("c", "SUCCESS", "")],
    [("a", "WARNING", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", "")],
    [("a", "SKIPPED", ""), ("b", "SUCCESS", ""), ("b", "SUCCESS", "")],
    [("a", "INFO", "NameOfB"), ("b", "SUCCESS", ""), ("b", "SUCCESS", "")],
    [("a", "SUCCESS", ""), ("b", "FAILURE", ""), ("b", "FAILURE", "")],
])
def test_anything_else_is_red(got):
    assert len(run(*got)[1]) >= 1
    assert gate.judge("s", [], WANT, ALLOWED)[0] == 0


def test_what_is_allowed_belongs_to_its_scenario():
    assert run(("a", "SUCCESS", ""), ("b", "SKIPPED", ""), ("b", "SUCCESS", ""), scenario="other")[1]
