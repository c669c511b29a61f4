"""EasyTool: documentation into instructions."""
