"""What a plan means before anything is spent: ``troupe run PLAN.toml --dry-run``."""

import asyncio

from actors.runs.estimating import Estimating
from actors.runs.forecast import Forecast, forecast, with_estimates
from evaluators.estimating import tally_judges
from gateway.plans import Prepared


def estimated(prepared: Prepared) -> Forecast:
    """What a plan means, with what it will ask of its models. Blocking."""

    async def looked_into() -> Forecast:
        estimating = Estimating(prepared.planned, prepared.catalog)
        tally = await estimating.tally()
        tally_judges(tally, estimating)
        return await with_estimates(forecast(prepared.planned, prepared.catalog), tally)

    return asyncio.run(looked_into())
