"""Measure the ranking on a test collection: nDCG@10, MAP, R@100, P@5 and ms per query; JSON last."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.search_engine.errors import SearchEngineError
from backend.search_engine.evaluation import Report, Setup, evaluate
from backend.search_engine.ranking.bm25 import Bm25, Idf
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.text import Analysis, Reduction

_OFF = "none"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--docs", type=Path, required=True, help="JSON lines with an id and text fields")
        parser.add_argument("--queries", type=Path, required=True, help="lines of `id<TAB>text`")
        parser.add_argument(
            "--qrels", type=Path, required=True, help="judgements of TREC or BEIR: `query 0 document grade`"
        )
        parser.add_argument("--fields", default="", help="fields and boosts, as in title:2,text (default: all, alike)")
        parser.add_argument("--k", type=float, default=Bm25().k, help="BM25's k (default: %(default)s)")
        parser.add_argument("--b", type=float, default=Bm25().b, help="BM25's b (default: %(default)s)")
        parser.add_argument("--idf", choices=[str(idf) for idf in Idf], default=str(Idf.THESIS))
        parser.add_argument("--language", default="en", help="of stems and stop words (default: %(default)s)")
        parser.add_argument("--stem", nargs="?", const="", default="", help="stem words, in a language or `none`")
        parser.add_argument("--no-stem", dest="stem", action="store_const", const=_OFF, help="keep word forms apart")
        parser.add_argument("--lemma", action="store_true", help="lemmas instead of stems")
        parser.add_argument("--stop", nargs="?", const="", default="", help="drop stop words, or `none`")
        parser.add_argument("--no-stop", dest="stop", action="store_const", const=_OFF, help="keep stop words")
        parser.add_argument("--min-length", type=int, default=1, help="drop shorter words (default: %(default)s)")
        parser.add_argument("--formula", default="", help="a ranking formula over `text`")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = evaluate(options["docs"], options["queries"], options["qrels"], _setup(options))
        except SearchEngineError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_table(report))
        self.stdout.write(json.dumps(report.to_json()))


def _setup(options: dict[str, Any]) -> Setup:
    return Setup(
        fields=_fields(options["fields"]),
        analysis=Analysis(
            language=options["stem"] if options["stem"] not in ("", _OFF) else options["language"],
            reduction=_reduction(options),
            stop_words=options["stop"] != _OFF,
            min_length=options["min_length"],
        ),
        ranking=Ranking(
            bm25=Bm25(options["k"], options["b"], Idf(options["idf"])),
            formula=parse_formula(options["formula"]) if options["formula"] else None,
        ),
    )


def _fields(text: str) -> dict[str, float]:
    fields = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, boost = part.partition(":")
        try:
            fields[name] = float(boost or 1)
        except ValueError:
            raise CommandError(f"“{boost}” is no boost; write the fields as in title:2,text.") from None
    return fields


def _reduction(options: dict[str, Any]) -> Reduction:
    if options["lemma"]:
        return Reduction.LEMMA
    return Reduction.NONE if options["stem"] == _OFF else Reduction.STEM


def _table(report: Report) -> str:
    rows = {
        "nDCG@10": f"{report.ndcg_at_10:.4f}",
        "MAP": f"{report.map:.4f}",
        "R@100": f"{report.recall_at_100:.4f}",
        "P@5": f"{report.precision_at_5:.4f}",
        "ms per query": f"{report.ms_per_query:.2f}",
        "queries": f"{report.queries:,}",
        "documents": f"{report.documents:,}, indexed in {report.index_seconds:.1f} s",
    }
    if report.missing:
        rows["missing"] = f"{report.missing:,} relevant documents are not in --docs; they count as not found"
    return "\n".join(f"{name:<14}{value}" for name, value in rows.items())
