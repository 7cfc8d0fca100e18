"""Class names are unique: one word per concept."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for path in (ROOT / "smashup").glob("*/__init__.py"))


def class_names(package: Path) -> Counter[str]:
    """Count each class name in the modules of a package and its subpackages."""
    return Counter(
        node.name
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_class_names_are_unique_in_a_package(package: Path) -> None:
    repeated = {name for name, count in class_names(package).items() if count > 1}
    assert not repeated
