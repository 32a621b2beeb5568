"""What a plan will cost before it is played: calls, tokens and money."""
