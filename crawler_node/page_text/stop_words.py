"""The commonest words of the commonest languages: running text is full of them, lists of links and keywords are not."""

from collections.abc import Sequence

_WORDS = {
    "en": (
        "the of and to a in is it you that he was for on are as with his they i at be this have from or one had by "
        "but not what all were we when your can said there an which she do how their if will"
    ),
    "de": (
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
        "hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber"
    ),
    "fr": (
        "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son "
        "aux ou mais nous cette je vous on leur être ont elle tout ses"
    ),
    "es": (
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin "
        "sobre este ya entre cuando todo esta ser son dos también fue"
    ),
    "it": (
        "di e il la che in a per un è del non le si una con i da al della sono come dei lo nel più alla anche o "
        "gli ma ha delle su se dal questo ci ed"
    ),
    "pt": (
        "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu "
        "sua ou ser quando muito nos já está"
    ),
    "nl": (
        "de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij of uit nog naar heeft "
        "ze die hij was wordt over door tot je"
    ),
    "sv": (
        "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när "
        "år under"
    ),
    "pl": (
        "w i na z do się nie że to jest o jak a po co tak za od ale są przez dla czy był jego przy jako jej może tylko"
    ),
    "ru": ("и в не на я что он с как это по но из у за то все так же от его для к была был мы они о бы или ее еще"),
}

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}


def stop_word_share(text: str, language: str) -> float:
    """Which part of the words of a text are among the commonest of a language that STOP_WORDS has."""
    return share_of(text.lower().split(), language)


def share_of(words: Sequence[str], language: str) -> float:
    """The same of words in lower case."""
    return sum(map(STOP_WORDS[language].__contains__, words)) / len(words) if words else 0.0
