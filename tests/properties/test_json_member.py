"""Edits in JSON host files hold their laws on any document; bytes of any kind do no harm."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.json_laws import CONTAINERS, document, edits_hold_for, mutated, survives
from tests.requirements import requirement

modest = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
randoms = st.randoms(use_true_random=False)


@requirement("NAT-3", "REL-4", "D-8")
@modest
@given(randoms)
def test_an_edit_changes_nothing_but_the_entry_and_can_be_taken_back(random: Random) -> None:
    edits_hold_for(document(random))


@requirement("NAT-6", "REL-5")
@modest
@given(randoms)
def test_a_damaged_file_is_refused_or_keeps_all_that_is_not_ours(random: Random) -> None:
    sample = document(random)
    survives(sample.container, mutated(random, sample.data))


@requirement("NAT-6")
@modest
@given(st.sampled_from(CONTAINERS), st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(container: tuple[str, ...], data: bytes) -> None:
    survives(container, data)
