"""Bad input of every kind, seeded: whatever comes in is taken or refused with one sentence.

``python -m tests.fuzz`` (``make fuzz``) plays cases for some minutes; ``tests/fuzz/test_fuzz.py``
a slice of them. A case is a valid sample of its kind and the steps that spoil it; both follow from
the seed and the case's number, so that a finding is played again by itself.
"""
