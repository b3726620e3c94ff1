"""The battle map as pages show it."""
