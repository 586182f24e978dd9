"""What a locale such as `de-CH` says about numbers, dates and currencies; a page's `lang` serves as well."""

from dataclasses import dataclass
from functools import lru_cache

_COMMA = """
af az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv
tr uk uz vi
"""
_COMMA_LANGUAGES = frozenset(_COMMA.split())
_POINT_REGIONS = frozenset({"CH", "LI", "MX", "US", "GB", "PR", "GT", "HN", "NI", "PA", "PE", "SV", "DO"})
_COMMA_REGIONS = frozenset({"ZA"})
_MONTH_FIRST = frozenset({"", "US", "PH", "FM", "GU", "PR"})
_DOLLARS = {"AU": "AUD", "CA": "CAD", "NZ": "NZD", "HK": "HKD", "SG": "SGD", "TW": "TWD", "MX": "MXN"} | {
    "AR": "ARS",
    "CL": "CLP",
    "CO": "COP",
    "UY": "UYU",
}
_KRONAS = {"sv": "SEK", "nb": "NOK", "nn": "NOK", "no": "NOK", "da": "DKK", "is": "ISK", "fo": "DKK"}


@dataclass(frozen=True, slots=True)
class Locale:
    """A language and a region, either may be ''; what they say about how things are written."""

    language: str
    region: str

    @property
    def decimal_separator(self) -> str:
        """`,` or `.`, '' when nothing is known."""
        if not self.language:
            return ""
        if self.region in _POINT_REGIONS:
            return "."
        return "," if self.language in _COMMA_LANGUAGES or self.region in _COMMA_REGIONS else "."

    @property
    def is_month_first(self) -> bool:
        """Whether 3/4/2011 is the 4th of March."""
        return self.language in {"", "en", "fil"} and self.region in _MONTH_FIRST

    @property
    def dollar(self) -> str:
        """Which currency `$` stands for."""
        return _DOLLARS.get(self.region, "USD")

    @property
    def krona(self) -> str:
        """Which currency `kr` stands for, '' when nothing is known."""
        return _KRONAS.get(self.language, "")

    @property
    def yen(self) -> str:
        """Which currency `¥` stands for."""
        return "CNY" if self.language == "zh" else "JPY"


@lru_cache(maxsize=512)
def parse_locale(text: str) -> Locale:
    """`de`, `de-CH`, `de_CH.UTF-8`, `zh-Hant-TW`: anything else gives a locale that says nothing."""
    parts = text.strip().replace("_", "-").partition(".")[0].split("-")
    language = parts[0].lower()
    if not (language.isascii() and language.isalpha() and 2 <= len(language) <= 3):
        return Locale("", "")
    region = next((part.upper() for part in parts[1:] if len(part) == 2 and part.isalpha()), "")
    return Locale(language, region)
