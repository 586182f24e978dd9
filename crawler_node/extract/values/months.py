"""The names of the months in the languages of most websites; words with another meaning are left out."""

_NAMES = """
january jan januar jänner janvier janv enero ene gennaio
  gen janeiro januari stycznia styczeń ledna leden января янв ocak
february feb februar feber février févr fév fevrier febrero febbraio
  fevereiro fev februari lutego luty února únor февраля фев şubat
march mar märz mär maerz mars marzo março marco maart mrt mrz marca marzec března březen марта мар mart
april apr avril avr abril abr aprile kwietnia kwiecień dubna duben апреля апр nisan
may mai mayo maggio maio mei maj maja května květen мая mayıs
june jun juni juin junio giugno giu junho czerwca czerwiec června červen июня июн haziran
july jul juli juillet juil julio luglio lug julho lipca lipiec července červenec июля июл temmuz
august aug août aout agosto augustus augusti sierpnia sierpień srpna srpen августа авг ağustos
september sep sept septembre septiembre settembre setembro września wrzesień září сентября сен eylül
october oct oktober okt octobre octubre ottobre outubro października październik října říjen октября окт ekim
november nov novembre noviembre novembro listopada listopad listopadu ноября ноя kasım
december dec dezember dez décembre déc decembre diciembre dic
  dicembre dezembro grudnia grudzień prosince prosinec декабря дек aralık
"""

_THAI_NAMES = """
มกราคม ม.ค
กุมภาพันธ์ ก.พ
มีนาคม มี.ค
เมษายน เม.ย
พฤษภาคม พ.ค
มิถุนายน มิ.ย
กรกฎาคม ก.ค
สิงหาคม ส.ค
กันยายน ก.ย
ตุลาคม ต.ค
พฤศจิกายน พ.ย
ธันวาคม ธ.ค
"""
_PERSIAN_NAMES = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"


def _numbered(names: str) -> dict[str, int]:
    lines = names.strip().replace("\n  ", " ").splitlines()
    return {name: number for number, line in enumerate(lines, 1) for name in line.split()}


PERSIAN_MONTHS = _numbered(_PERSIAN_NAMES.replace(" ", "\n"))
THAI_MONTHS = _numbered(_THAI_NAMES)
MONTHS = _numbered(_NAMES) | THAI_MONTHS | PERSIAN_MONTHS
# The leaves fall a month earlier in Croatia than in Poland.
_CROATIAN = {"listopad": 10, "listopada": 10}
_OWN_MONTHS = {"hr": _CROATIAN, "bs": _CROATIAN}


def month_number(written: str, language: str) -> int:
    """The month of a name or of digits; a name may mean different months in different languages."""
    name = written.lower()
    own = _OWN_MONTHS.get(language)
    return (own.get(name) if own else None) or MONTHS.get(name) or int(written)
