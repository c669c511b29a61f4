"""Where a chain's arguments come from (Reverse Chain, 2.1)."""

from __future__ import annotations

from typing import Any

REQUEST, NOBODY = "the request", "none of these"
"""No function is called so: function names have no spaces."""

Sources = dict[str, dict[str, Any]]
"""For each input where it comes from: `{"from": ..., "value": ...}`."""
