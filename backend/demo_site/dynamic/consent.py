"""The page behind a cookie banner, in several languages."""

from backend.demo_site.dynamic.layout import ITEMS, dynamic_page
from backend.demo_site.markup import Markup, fill

_BANNERS = {
    "en": ("We value your privacy", "We and our 214 partners use cookies.", "Accept all", "Reject all"),
    "de": (
        "Wir schätzen Ihre Privatsphäre",
        "Wir und unsere 214 Partner verwenden Cookies.",
        "Alle akzeptieren",
        "Ablehnen",
    ),
    "fr": (
        "Votre vie privée compte",
        "Nous et nos 214 partenaires utilisons des cookies.",
        "Tout accepter",
        "Tout refuser",
    ),
    "es": ("Nos importa tu privacidad", "Nosotros y 214 socios usamos cookies.", "Aceptar todo", "Rechazar todo"),
}
LANGUAGES = tuple(_BANNERS)
_OVERLAYS = """<div class="overlay" id="consent" role="dialog" aria-modal="true" aria-label="{title}" hidden>
<div><h2>{title}</h2><p>{text}</p>
<button class="accept">{accept}</button><button class="reject quiet">{reject}</button></div>
</div>
<template id="newsletter"><div class="overlay" role="dialog" aria-modal="true" aria-label="Newsletter">
<div><h2>Our newsletter</h2><p>Once a week, mostly about extension cords.</p>
<button class="close quiet">No thanks</button></div>
</div></template>
"""


def cookies_page(language: str) -> Markup:
    """Twenty-four things that are fetched only after an answer to the banner; then a newsletter covers them."""
    title, text, accept, reject = _BANNERS[language]
    overlays = fill(_OVERLAYS, title=title, text=text, accept=accept, reject=reject)
    about = "Nothing is fetched before the banner is answered, and a newsletter follows it."
    return dynamic_page("Cookie banner", about, Markup(ITEMS + overlays), script="cookies", language=language)
