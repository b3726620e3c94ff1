"""The log and the sealed dice, each as one viewer may read it."""
