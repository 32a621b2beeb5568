"""The tables for analysis, narrowed in the database: the same rows on both."""

import pyarrow as pa
import pytest

from store.parquet.run_tables import FILTERS, RunContext, read_frame
from store.parquet.schemas import SCHEMAS
from tests.store.histories import whole_run


def read(store, name, /, **filters):
    parts = list(read_frame(store, name, filters, RunContext()))
    return pa.concat_tables([SCHEMAS[name].empty_table(), *parts], promote_options="default")


@pytest.fixture
def full(store):
    whole_run(store)
    return store


def test_a_table_narrowed_by_any_of_its_values_has_the_rows_that_have_it(full):
    for name in SCHEMAS:
        every = read(full, name)
        for column in FILTERS[name]:
            values = every.column(column).to_pylist()
            if column == "minds":
                wanted = "keen"
                expected = sum(wanted in minds for minds in values)
            else:
                wanted = next(iter(values), None)
                expected = values.count(wanted)
            assert read(full, name, **{column: [wanted]}).num_rows == expected, (name, column)
        assert every.num_rows or name in ("chains", "memories")


def test_several_values_mean_any_and_several_columns_mean_all(full):
    some = read(full, "scores", seat=[0, 1], status=["failed", "abstained"], mind=["keen"])
    found = {(row["seat"], row["mind"], row["status"]) for row in some.to_pylist()}
    assert found == {(1, "keen", "failed"), (1, "keen", "abstained")}
    assert read(full, "episodes", minds=["ee"]).num_rows == 0
    assert read(full, "episodes", run=[]).num_rows == 0
