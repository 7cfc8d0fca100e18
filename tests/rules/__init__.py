"""Tests of `smashup.rules`."""
