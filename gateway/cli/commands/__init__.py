"""The commands of `troupe`, in folders by the panel of the help that lists them."""
