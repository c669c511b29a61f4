"""Catalogues by name."""

import asyncio

import pytest
from langchain_core.tools import tool

from toolquiver.catalog import Catalog
from toolquiver.catalog.named import catalog_named, load_catalog
from toolquiver.errors import CatalogError


@tool
def now() -> str:
    """Tell the time."""
    return ""


def test_the_demo_can_all_be_called():
    pytest.importorskip("airportsdata", reason="the packages of the extra `demo` are not installed")
    with load_catalog("demo") as catalog:
        stats = catalog.stats()
        assert stats["callable"] == stats["apis"] > 100


def test_a_file_is_opened_by_its_path(tmp_path):
    Catalog.from_tools([now], path=tmp_path / "apis.db").close()
    with load_catalog(str(tmp_path / "apis.db")) as catalog:
        assert [api.name for api in catalog.apis()] == ["now"]


def test_a_run_gets_the_same_catalogue_as_the_one_before(tmp_path):
    path = tmp_path / "apis.db"
    with pytest.raises(CatalogError):
        asyncio.run(catalog_named(str(path)))
    Catalog.from_tools([now], path=path).close()
    first, second = (asyncio.run(catalog_named(str(path))) for _ in range(2))
    assert first is second
    first.close()
