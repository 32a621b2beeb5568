"""What one viewer of an episode is told: the frames of the websocket, made from events."""
