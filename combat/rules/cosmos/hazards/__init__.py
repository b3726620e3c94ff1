"""Hazards, one module each: falls, fire, electricity, gas, hazardous ground."""
