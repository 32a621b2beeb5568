"""Hard scenarios made of a chain's own past: their goals rest on what was said in it.

``past`` reads the chain, ``rule_finder`` and ``model_finder`` find facts in what was said,
``rule_writer`` and ``model_writer`` make scenarios that need them, ``checking`` refuses those that
give a fact away or need one that never came up, and ``generating`` puts a catalog together.
"""
