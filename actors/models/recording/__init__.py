"""Records calls to models as events: the log is searched before a call is made, and the answer is
recorded."""
