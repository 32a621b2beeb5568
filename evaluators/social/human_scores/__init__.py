"""A judge beside the people who annotated: correlations, differences and ranges. Pure computation;
``evaluators.social.tables.judge_and_people`` makes tables of it."""
