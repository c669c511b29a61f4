"""Reports: journals side by side, as Markdown and as one HTML page."""

from toolquiver.evaluation.report.labels import Label
from toolquiver.evaluation.report.markdown import markdown
from toolquiver.evaluation.report.measured import Measured, Verdicts, gathered
from toolquiver.evaluation.report.page import page

__all__ = ["Label", "Measured", "Verdicts", "gathered", "markdown", "page"]
