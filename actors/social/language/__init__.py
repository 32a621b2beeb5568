"""What utterances do, read off their words: offers, agreements, refusals, promises."""
