"""What happens in a language model while it reads which line shows an ability (SocialEval, section
4 and appendix D): where samples lie among its last hidden states, which of its weights each aspect
leans on, and which words it attends to.

Needs PyTorch, transformers and scikit-learn, which are imported only where they are used.
"""
