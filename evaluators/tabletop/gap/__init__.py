"""The gap between virtual game masters trained on real and on played sessions."""
