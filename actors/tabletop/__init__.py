"""The environment of a tabletop adventure: players and a non-player character talk and act in
turns; measured is what the players find out and whether what they mean can be read from what they
do (AntEval)."""
