"""Hard scenarios, generated from a chain's past: their goals depend on what was said in it.

``chain_history`` reads the chain, ``rule_finder`` and ``model_finder`` find facts in what was said,
``rule_writer`` and ``model_writer`` make scenarios that need them, ``scenario_check`` refuses
scenarios that give a fact away or need one that never came up, and ``generator`` builds the
catalog.
"""
