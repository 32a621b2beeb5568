"""What scenarios are made from: vignettes, offers to bargain over, and lists of friends."""
