"""What the text of a reply holds: thoughts apart from the answer, repetition, no answer at all, and
the tokens used."""
