"""The adapter for servers that speak OpenAI's protocol, such as vLLM, SGLang and llama.cpp."""
