"""The base of the core: dice and requests, words, errors, checked data."""
