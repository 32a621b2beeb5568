"""The words shown to minds, as templates; ``actors.social.prompt_writer`` fills them in."""
