"""The QR code of an address, for opening it on a phone that is pointed at the screen (ISO/IEC 18004)."""

from __future__ import annotations

import io

QUIET = 4
"""The width of the empty margin in modules, as required by the standard."""


def qr_code(address: str) -> str:
    """An SVG of the QR code, dark on light in every theme because not all readers accept the opposite. The caller sets
    its size.
    """
    import segno  # no other page needs it, and the worker does not either

    drawn = io.BytesIO()
    segno.make_qr(address, error="m").save(
        drawn,
        kind="svg",
        border=QUIET,
        dark="#000",
        light="#fff",
        xmldecl=False,
        omitsize=True,
        nl=False,
    )
    return drawn.getvalue().decode()
