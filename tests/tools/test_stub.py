"""engine/_core.pyi is what the built core offers."""

from tengen.tools.dev import stub


def test_the_committed_stub_is_what_the_core_offers() -> None:
    committed = stub.stub_path().read_text("utf-8")
    assert committed == stub.stub_text(), "run `python -m tengen.tools.dev.stub`"
