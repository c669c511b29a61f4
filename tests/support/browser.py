"""A page of HTML as a browser reads it."""

from html.parser import HTMLParser


class Reading(HTMLParser):
    """What a browser makes of a page: its elements with their attributes, and that every one is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "circle", "rect", "line", "polyline", "polygon"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
