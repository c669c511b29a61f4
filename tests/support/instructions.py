"""An instruction of an API, as EasyTool's graph would write it."""

from datetime import UTC, datetime

from toolquiver.catalog.instruction import Guideline, Stored, api_hash, parameters_of


def instruction_of(api, description="What it is for."):
    """An instruction that says in these words what the API is for, ready to be put into its catalogue."""
    return Stored(
        subject=api.id,
        document=api_hash(api),
        prompt="p",
        model="m",
        made=datetime.now(UTC),
        content=Guideline(description=description, parameters=parameters_of(api)),
    )
