"""Analysis in Python: ``from gateway.notebook import open_store``.

See ``docs/how-to/notebook.md``.
"""

from gateway.notebook.analysis_store import Store, open_store
from gateway.notebook.frames import BadChoice, BadFilter, MissingLibrary, Table

__all__ = ["BadChoice", "BadFilter", "MissingLibrary", "Store", "Table", "open_store"]
