"""No test may leave an object of the library behind."""

from __future__ import annotations

import gc
from typing import Iterator

import mrtr
import pytest


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    before = mrtr.live_objects()
    yield
    gc.collect()
    assert mrtr.live_objects() <= before
