"""The tables and figures of SOTOPIA (Zhou et al. 2024), by the paper's names.

What is shown is listed in ``entries.ENTRIES``: a ``PaperEntry`` has the paper's name (``2``,
``G.4``), whether that is a table or a figure, and one or two builders. A builder is a pure function
of a ``TableInput``: it returns plain tables (``evaluators.tables.plain_tables``), and for a figure
also charts (``evaluators.report.charts.svg_charts.Chart``). Where scores cannot fill a table the
builder raises ``NothingToShow`` with the reason. ``troupe sotopia tables`` and the section of the
report print whatever is listed; an entry needs no more than its line there.

A ``TableInput`` has the scores of all judges of some runs as ``ScoreColumns``, people who annotated
among them (``TableInput.annotators``), and one judge whose tables are asked for. Builders work on
``SeatTable``: a row for each seat of each episode, a column for each dimension, one judge's values
(``TableInput.seats``, or ``seat_table`` for another judge). Seats that people played are ``human``.

Unit: one seat's score in one episode by one judge. A failed score is missing, and is counted.
"""
