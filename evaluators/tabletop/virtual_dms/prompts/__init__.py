"""What virtual game masters that are language models are told."""
