"""What is sent to seats and when: messages and their types, notices, delays, deadlines and missed
turns."""
