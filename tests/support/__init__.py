"""What tests share: servers, stores, builders of episodes and runs, minds."""
