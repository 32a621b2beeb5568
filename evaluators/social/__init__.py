"""What social episodes are judged by: SOTOPIA's dimensions, believability extended, and facts."""
