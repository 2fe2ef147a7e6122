"""The one place that holds the version; the packaging reads it from here."""

__version__ = "0.1.0"
