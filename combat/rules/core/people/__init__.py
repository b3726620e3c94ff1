"""Relations between combatants: who is inside whom, and who is on which side."""
