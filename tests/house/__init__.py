"""How large the code is and how it hangs together, beside limits."""
