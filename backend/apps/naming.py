"""Names: free ones, and names for copies."""

from collections.abc import Collection

from backend.apps.errors import Invalid
from backend.apps.model_parts import ProjectNoun
from backend.apps.sentences import name_sentence


def check_name(noun: ProjectNoun) -> None:
    """Refuse a name that cannot be one, or that another noun of the same kind has in this project."""
    kind = noun._meta.verbose_name
    if sentence := name_sentence(noun.name):
        raise Invalid({"name": [sentence]})
    others = type(noun)._default_manager.filter(project=noun.project_id, name=noun.name).exclude(pk=noun.pk)
    if others.exists():
        raise Invalid({"name": [f"This project already has a {kind} called “{noun.name}”. Choose another name."]})


def copy_name(name: str, taken: Collection[str]) -> str:
    """“Shop (copy)”, “Shop (copy 2)”, …: the first that is free."""
    base = name[:180]
    number = 1
    while (candidate := f"{base} (copy)" if number == 1 else f"{base} (copy {number})") in taken:
        number += 1
    return candidate
