"""The parts of a town's rules: how it begins, who is asked, what follows from the answers, and the
next instant."""
