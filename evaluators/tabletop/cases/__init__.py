"""The case study (AntEval, section 5.4): the words of readers for sessions of little exchange."""
