"""Vehicles that hit something: ramming, crashes, wrecks."""
