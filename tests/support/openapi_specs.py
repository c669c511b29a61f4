"""Where the real OpenAPI documents are; they are not part of the repository."""

import os
from pathlib import Path

SPECS = Path(os.environ.get("TOOLQUIVER_DATA", Path(__file__).parents[3] / "shared/data")) / "openapi_specs"
