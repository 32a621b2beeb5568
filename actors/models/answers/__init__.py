"""Getting an answer that can be used: a model is asked, the reply is decoded, and what is wrong is
sent back to be corrected."""
