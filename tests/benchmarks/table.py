"""How benchmarks print: what, the figure, what stands beside it, the goal, whether it is met."""

import msgspec

WIDTHS = {"what": 46, "figure": 27, "beside": 34, "goal": 32}


class Row(msgspec.Struct, frozen=True):
    """One line of the table."""

    what: str
    figure: str
    beside: str = ""
    """A peer or a limit, measured in the same run."""
    goal: str = ""
    reached: bool | None = None
    """None: no goal."""

    def __str__(self) -> str:
        verdict = {True: "ok", False: "SHORT", None: ""}[self.reached]
        cells = [
            f"{cell:>{width}}" if name == "figure" else f"{cell:<{width}}"
            for name, width in WIDTHS.items()
            for cell in (getattr(self, name),)
        ]
        return "  ".join([*cells, verdict]).rstrip()


HEADING = Row("what", "figure", "beside it, in the same run", "goal")
