"""Tables and figures of world trees, as the paper lays them out; and trees drawn."""
