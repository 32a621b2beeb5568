"""The words in which models are asked to judge a talk."""
