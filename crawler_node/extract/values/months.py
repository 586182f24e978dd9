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

MONTHS = {
    name: number
    for number, line in enumerate(_NAMES.strip().replace("\n  ", " ").splitlines(), 1)
    for name in line.split()
}
