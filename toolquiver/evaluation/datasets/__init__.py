"""Data sets: questions with what is known to be right, the catalogue to ask over, and scores by program."""

from toolquiver.evaluation.datasets.loaded import Loaded, Options, Pool, Subset
from toolquiver.evaluation.datasets.registry import DATA_SETS, load_dataset

__all__ = ["DATA_SETS", "Loaded", "Options", "Pool", "Subset", "load_dataset"]
