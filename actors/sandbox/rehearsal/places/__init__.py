"""The places that an offline mind knows: sectors of the town, and where things can be done."""
