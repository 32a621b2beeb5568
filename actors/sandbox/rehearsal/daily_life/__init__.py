"""How an offline mind spends a day: habits, pastimes, occupations and the routine made from
them."""
