"""What might happen: branches, played apart from the fight, and forecasts."""
