"""Reports: journals side by side, as Markdown and as one HTML page."""
