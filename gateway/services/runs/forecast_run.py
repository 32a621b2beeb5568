"""What a plan means before anything is spent: ``troupe run PLAN.toml --dry-run``."""

import asyncio

from actors.runs.forecast.estimate_stages import Estimating
from actors.runs.forecast.forecast import Forecast, forecast, with_estimates
from evaluators.judges.estimate_calls import least_judge_calls, tally_judges
from events.base import replace
from gateway.services.runs.plan_run import Prepared


def estimated(prepared: Prepared) -> Forecast:
    """What a plan means, with what it will ask of its models. Blocking."""

    async def looked_into() -> Forecast:
        estimating = Estimating(prepared.planned, prepared.catalog)
        tally = await estimating.tally()
        tally_judges(tally, estimating)
        counts = forecast(prepared.planned, prepared.catalog)
        counts = replace(counts, judge_calls=least_judge_calls(estimating))
        return await with_estimates(counts, tally)

    return asyncio.run(looked_into())
