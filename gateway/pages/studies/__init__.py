"""The pages of studies: a participant's way through one, the seat, and the researcher's
administration."""
