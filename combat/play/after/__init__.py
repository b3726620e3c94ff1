"""After a fight: its report, downtime, a copy to play again, import of an exported encounter."""
