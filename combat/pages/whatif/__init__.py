"""The pages of branches and forecasts."""
