"""Writes of judged queries."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from backend.apps.accounts.models import User
from backend.apps.errors import Invalid
from backend.apps.indexers.models import Indexer
from backend.apps.search.models import MAX_GRADE, JudgedQuery, Judgement

MAX_QUERIES = 1_000
MAX_JUDGEMENTS = 1_000


@transaction.atomic
def save_query(
    *, indexer: Indexer, values: Mapping[str, Any], user: User | None, query: JudgedQuery | None = None
) -> JudgedQuery:
    """Make a judged query or change the given one. Where `judgements` are given, they are the whole list."""
    if query is None and indexer.judged_queries.count() >= MAX_QUERIES:
        raise Invalid({"text": [f"An indexer has at most {MAX_QUERIES:,} judged queries. Delete some first."]})
    query = query or JudgedQuery(indexer=indexer)
    query.text = _text(values.get("text", query.text))
    if indexer.judged_queries.filter(text=query.text).exclude(pk=query.pk).exists():
        raise Invalid({"text": ["This indexer has that query already."]})
    query.save()
    if "judgements" in values:
        _write(query, values["judgements"], user)
    return query


@transaction.atomic
def judge(*, indexer: Indexer, text: str, key: str, grade: int | None, user: User | None) -> JudgedQuery | None:
    """Judge one result of a query; None as grade takes the judgement back. The query goes with its last judgement."""
    found = indexer.judged_queries.filter(text=_text(text)).first()
    if grade is None:
        if found is not None:
            found.judgements.filter(document_key=key).delete()
            if not found.judgements.exists():
                found.delete()
                return None
        return found
    query = found or save_query(indexer=indexer, values={"text": text}, user=user)
    Judgement.objects.update_or_create(query=query, document_key=key, defaults={"grade": grade, "judged_by": user})
    return query


def _write(query: JudgedQuery, rows: list[Mapping[str, Any]], user: User | None) -> None:
    keys = [row["key"] for row in rows]
    if len(set(keys)) < len(keys):
        raise Invalid({"judgements": ["A document is judged twice. Leave one of the judgements out."]})
    query.judgements.exclude(document_key__in=keys).delete()
    known = {each.document_key: each for each in query.judgements.all()}
    for row in rows:
        found = known.get(row["key"])
        if found is None or found.grade != row["grade"]:
            values = {"grade": row["grade"], "judged_by": user}
            Judgement.objects.update_or_create(query=query, document_key=row["key"], defaults=values)


def _text(text: str) -> str:
    """One spelling of a query's spaces."""
    return " ".join(text.split())


GRADES = range(MAX_GRADE + 1)
