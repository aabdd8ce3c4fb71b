"""The notebooks run from beginning to end; what they claim they assert."""

from pathlib import Path

import nbclient
import nbformat
import pytest

folder = Path(__file__).parents[1] / "notebooks"


@pytest.mark.filterwarnings("ignore")  # of Jupyter's own packages
@pytest.mark.parametrize("path", sorted(folder.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is stored with outputs"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    assert any("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
