"""The QR code of an address, for whoever points a phone at somebody else's screen (ISO/IEC 18004)."""

from __future__ import annotations

import io

QUIET = 4
"""Empty modules around it, as many as the standard asks for."""


def qr_code(address: str) -> str:
    """An SVG, dark on light in every theme, since not all readers know the opposite; its size is up to who shows it."""
    import segno  # no other page needs it, nor does the worker

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
