"""Analysis in Python: ``from gateway.notebook import open_store``.

See ``docs/how-to/notebook.md``.
"""

from gateway.notebook.frames import BadChoice, BadFilter, MissingLibrary, Table
from gateway.notebook.opening import Store, open_store

__all__ = ["BadChoice", "BadFilter", "MissingLibrary", "Store", "Table", "open_store"]
