"""Messages between an episode and its seats, and when they are sent: notices, answers, delays,
deadlines and missed turns."""
