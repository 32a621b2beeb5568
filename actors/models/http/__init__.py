"""What every adapter needs to speak with a server over HTTP: parameters, status codes, and replies
read with a bound."""
