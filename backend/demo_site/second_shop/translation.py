"""Product facts in German: labels, units and numbers as a German reader expects them."""

import re

LABELS = {
    "Capacity": "Kapazität", "Storage": "Speicher", "Kit": "Ausführung", "Configuration": "Ausstattung",
    "Colour": "Farbe", "Size": "Größe", "Switches": "Schalter", "Case": "Gehäuse", "Set": "Lieferumfang",
    "Finish": "Oberfläche", "Interface": "Schnittstelle", "Form factor": "Bauform",
    "Read speed": "Lesegeschwindigkeit", "Write speed": "Schreibgeschwindigkeit", "Endurance": "Haltbarkeit",
    "Display": "Anzeige", "Battery": "Akku", "Main camera": "Hauptkamera", "Weight": "Gewicht", "Sensor": "Sensor",
    "Resolution": "Auflösung", "Video": "Video", "Viewfinder": "Sucher", "Processor": "Prozessor",
    "Ports": "Anschlüsse", "Type": "Bauart", "Connection": "Verbindung", "Noise cancelling": "Geräuschunterdrückung",
    "Battery life": "Akkulaufzeit", "Panel": "Panel", "Refresh rate": "Bildrate", "Brightness": "Helligkeit",
    "Connections": "Anschlüsse", "Layout": "Tastenbelegung", "Keycaps": "Tastenkappen",
    "Water resistance": "Wasserdichtigkeit", "Navigation": "Navigation", "Strap": "Armband", "Standard": "Standard",
    "Speed": "Geschwindigkeit", "Range": "Reichweite", "Power": "Leistung", "Protection": "Schutzart",
}  # fmt: skip
NOUNS = {
    "SSD": "SSD", "phone": "Smartphone", "camera": "Kamera", "laptop": "Notebook", "headphones": "Kopfhörer",
    "monitor": "Monitor", "keyboard": "Tastatur", "watch": "Smartwatch", "router": "Router",
    "speaker": "Lautsprecher",
}  # fmt: skip
_WORDS = {
    "inch": "Zoll", "days": "Tage", "yes": "ja", "no": "nein", "none": "keiner", "adaptive": "adaptiv",
    "black": "schwarz", "white": "weiß", "midnight blue": "nachtblau", "oak": "Eiche", "single": "einzeln",
    "pack of": "Packung mit", "with": "mit", "lens": "Objektiv", "Body": "Gehäuse", "and": "und", "cable": "Kabel",
    "cores": "Kerne", "ultrawide": "ultrabreit", "linear": "linear", "tactile": "taktil", "silent": "leise",
    "Silicone": "Silikon", "Leather": "Leder", "always on": "immer an", "via phone": "über das Telefon",
    "Full size": "volle Größe", "Full frame": "Vollformat", "Graphite": "Graphit", "Sea green": "Meergrün",
    "Ivory": "Elfenbein", "Coral": "Koralle", "dots": "Punkte", "wireless": "kabellos",
}  # fmt: skip
_WORD = re.compile(r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b")
_MEASURE = re.compile(r"(?<![\w.])(\d+)(?:\.(\d+))?(?= (?:inch|MB/s|mAh|g|GHz|Gbit/s|Mbit/s|TBW|M dots)\b)")
_MEMORY = re.compile(r"\b(\d+)(GB|TB)\b")


def translate_variant(variant: str) -> str:
    """A variant in German, for the name of an article."""
    return _translate_words(_MEASURE.sub(_german_number, variant))


def translate_value(value: str) -> str:
    """A specification in German: words, decimal comma, dots between thousands, a space before GB and TB."""
    return _MEMORY.sub(r"\1 \2", translate_variant(value))


def _translate_words(text: str) -> str:
    return _WORD.sub(lambda word: _WORDS[word[1]], text)


def _german_number(match: re.Match[str]) -> str:
    whole, decimals = match.groups()
    return f"{int(whole):,}".replace(",", ".") + (f",{decimals}" if decimals else "")


def german_decimal(number: object) -> str:
    """A number with a decimal comma."""
    return str(number).replace(".", ",")
