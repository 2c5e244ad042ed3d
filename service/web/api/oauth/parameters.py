"""The parameters of OAuth's requests, as forms write them. Unknown parameters are ignored, as RFC 6749 demands."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode

from authlib.oauth2.rfc6749.errors import InvalidRequestError

MOST_PARAMETERS = 30
"""The most parameters of a request that are read, including unknown ones."""
_PATTERNS = {
    "response_type": r"[a-z_ ]{1,40}",
    "client_id": r"[ !#-\[\]-~]{1,200}",
    "redirect_uri": r"[!#-\[\]-~]{1,500}",
    "scope": r"[!#-\[\]-~ ]{1,200}",
    "state": r"[ -~]{1,1000}",
    "code_challenge": r"[A-Za-z0-9._~-]{43,128}",
    "code_challenge_method": r"[A-Za-z0-9]{1,10}",
    "response_mode": r"[a-z_.]{1,40}",
    "grant_type": r"[A-Za-z0-9:._-]{1,100}",
    "code": r"[!-~]{1,100}",
    "code_verifier": r"[A-Za-z0-9._~-]{43,128}",
    "client_secret": r"[!-~]{1,200}",
    "token": r"[!-~]{1,200}",
}
"""The form of each parameter; anything else that the specifications allow is neither stored nor sent back."""
_PARAMETERS = {name: re.compile(pattern, re.ASCII) for name, pattern in _PATTERNS.items()}
Parameters = dict[str, str]


def read(text: str) -> Parameters:
    """The known parameters in a query or a body; those without a value count as missing.

    Raises InvalidRequestError for a parameter that is repeated or malformed.
    """
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except ValueError:
        raise InvalidRequestError("The parameters cannot be read.") from None
    found = Parameters()
    for name, value in pairs:
        if name not in _PARAMETERS:
            continue
        if name in found:
            raise InvalidRequestError(f"There is more than one '{name}'.")
        if value and not _PARAMETERS[name].fullmatch(value):
            raise InvalidRequestError(f"The '{name}' is malformed.")
        found[name] = value
    return {name: value for name, value in found.items() if value}


def written(parameters: Parameters) -> str:
    """The query string of these parameters."""
    return urlencode(parameters)
