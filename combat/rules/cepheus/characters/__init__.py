"""People, animals and machines: sheets, scores, conditions, gear."""
