"""The words shown to minds, as templates; ``actors.worldtree.prompt_writer`` fills them in."""
