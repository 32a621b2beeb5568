"""Messages to seats and when they are sent: notices, delays, deadlines and missed turns."""
