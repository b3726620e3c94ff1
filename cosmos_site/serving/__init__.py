"""How the pages of Django are answered in an event loop."""
