"""The effects of surroundings over time: vacuum, heat and cold, radiation, high gravity."""
