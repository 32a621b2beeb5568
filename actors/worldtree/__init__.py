"""World trees (SocialEval): a protagonist walks a written tree of scenes towards a social goal, and
is asked which line shows an ability."""
