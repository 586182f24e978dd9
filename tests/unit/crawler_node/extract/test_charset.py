"""Bytes are read as what they are, whatever the page calls them."""

import pytest

from crawler_node.extract.charset import decode
from crawler_node.extract.hebrew import is_hebrew

GERMAN = "<p>Grüße für Käufer: Öl, Übung, Straße, süß, schön, Äpfel, 5 €</p>"
RUSSIAN = "<p>Привет, это обычный русский текст о ценах и товарах в нашем магазине.</p>" * 3
JAPANESE = "<p>これは日本語のページです。価格は千円です。よろしくお願いします。</p>" * 3


@pytest.mark.parametrize(
    ("text", "encoding", "content_type", "charset"),
    [
        (GERMAN, "utf-8", "", "utf-8"),
        (GERMAN, "utf-8", "text/html; charset=UTF-8", "utf-8"),
        (GERMAN, "utf-8-sig", "text/html; charset=iso-8859-1", "utf-8"),
        (GERMAN, "cp1252", "text/html; charset=iso-8859-1", "cp1252"),
        (GERMAN, "cp1252", 'text/html; charset="latin1"', "cp1252"),
        ("<meta charset=windows-1252>" + GERMAN, "cp1252", "text/html", "cp1252"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>" + RUSSIAN, "koi8-r", "", "koi8-r"),
        ("<?xml version='1.0' encoding='windows-1251'?>" + RUSSIAN, "cp1251", "", "cp1251"),
        (JAPANESE, "shift_jis", "text/html; charset=x-sjis", "cp932"),
        (JAPANESE, "euc-jp", "text/html; charset=euc-jp", "euc_jp"),
        (GERMAN, "utf-16", "", "utf-16-le"),
        ("\ufeff" + GERMAN, "utf-16-be", "text/html; charset=utf-8", "utf-16-be"),
        (GERMAN, "utf-16-le", "", "utf-16-le"),
        ("<!-- <meta charset=iso-8859-1> --><meta charset=utf-8>" + GERMAN, "utf-8", "", "utf-8"),
        ("<meta charset=utf-16>" + GERMAN, "utf-8", "", "utf-8"),
        ("<meta charset=no-such>" + GERMAN, "utf-8", "text/html; charset=nonsense", "utf-8"),
    ],
)
def test_declared_charsets_are_read(text, encoding, content_type, charset):
    decoded = decode(text.encode(encoding), content_type)
    assert (decoded.utf8.decode(), decoded.charset, decoded.notice) == (text.removeprefix("\ufeff"), charset, "")


def test_utf8_under_another_name_is_read_as_utf8_and_noted():
    decoded = decode(GERMAN.encode(), "text/html; charset=iso-8859-1")
    assert decoded.utf8.decode() == GERMAN
    assert "it is UTF-8" in decoded.notice


def test_a_legacy_page_that_says_utf8_is_read_and_noted():
    decoded = decode(b"<meta charset=utf-8>" + GERMAN.encode("cp1252"))
    assert decoded.utf8.decode() == "<meta charset=utf-8>" + GERMAN
    assert "read as cp1252" in decoded.notice


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Größe für", "cp1252"),
        ("Größe für schöne Häuser und süße Äpfel, die über den Zaun hängen, Preis 12 €", "cp1252"),
        ("Le café était fermé, mais la forêt était très agréable à l’été. Où êtes-vous ?", "cp1252"),
        ("El niño pequeño comió una manzana por la mañana y después volvió a España.", "cp1252"),
        ("A informação não está disponível até amanhã; você também é português.", "cp1252"),
        ("Små fåglar sjöng på åkern när vi gick över bron i går kväll.", "cp1252"),
        ("Zażółć gęślą jaźń, chrząszcz brzmi w trzcinie, świeżo skoszona łąka.", "cp1250"),
        ("Zażółć gęślą jaźń, chrząszcz brzmi w trzcinie, świeżo skoszona łąka.", "iso8859-2"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy a běžel přes řeku domů.", "cp1250"),
        ("Árvíztűrő tükörfúrógép, a gyönyörű kislány elment a boltba.", "iso8859-2"),
        ("Güneşli bir günde çocuklar bahçede şarkı söylüyor ve ıslık çalıyor.", "cp1254"),
        ("Καλημέρα σας, πώς είστε σήμερα το πρωί στην πόλη μας.", "cp1253"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        ("这是一个中文网页，价格便宜，欢迎购买。", "gbk"),
        ("한국어 텍스트입니다 안녕하세요 반갑습니다", "euc_kr"),
    ],
)
@pytest.mark.parametrize("times", [1, 5])
def test_an_undeclared_page_is_read_by_its_letters(text, encoding, times):
    page = f"<html><body><p>{text * times}</p><a href='/x'>link</a></body></html>"
    assert decode(page.encode(encoding)).utf8.decode() == page


def test_nothing_but_zeros_is_no_trouble():
    assert decode(b"\0" * 100).utf8.strip(b"\0") == b""


def test_a_few_damaged_bytes_stay_damage():
    decoded = decode((GERMAN * 5).encode() + b"\xff", "text/html; charset=utf-8")
    assert decoded.charset == "utf-8"
    assert decoded.utf8.decode() == GERMAN * 5 + "\ufffd"
    assert "1 damaged character," in decoded.notice


def test_bytes_that_python_does_not_define_are_read_as_browsers_do():
    assert decode(b"\x80\x81\x9d", "text/html; charset=windows-1252").utf8.decode() == "€\x81\x9d"


@pytest.mark.parametrize("text", ["①あ②い㈱", "㎏", "髙﨑", "纊黑", "ミリ㍉㎜"])
def test_what_pythons_euc_jp_lacks_is_read_as_browsers_do(text):
    shifted = text.encode("cp932")
    euc, place = b"", 0
    while place < len(shifted):  # by the tables of JIS X 0208: from lead and trail bytes to row and cell
        lead, trail = shifted[place : place + 2]
        row = (lead - (0x80 if lead < 0xE0 else 0xC0)) * 2 - (trail < 0x9F)
        cell = trail - (0x9E if trail >= 0x9F else 0x3F if trail < 0x80 else 0x40)
        euc += bytes([row + 0xA0, cell + 0xA0])
        place += 2
    decoded = decode(b"<p>" + euc + b"</p>\xad", "text/html; charset=euc-jp")
    assert decoded.utf8.decode() == f"<p>{text}</p>\ufffd"
    assert "1 damaged character," in decoded.notice


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("x-cp1251", "cp1251", "Цена"),
        ("koi8-ru", "koi8-u", "ціна"),
        ("x-gbk", "gbk", "价格"),
        ("cn-big5", "big5", "價格"),
        ("windows-949", "cp949", "가격"),
        ("x-euc-jp", "euc_jp", "価格"),
    ],
)
def test_names_that_only_the_web_knows_are_known(label, encoding, text):
    decoded = decode(text.encode(encoding), f"text/html; charset={label}")
    assert (decoded.utf8.decode(), decoded.notice) == (text, "")


@pytest.mark.parametrize(
    "label", ["base64", "rot13", "idna", "punycode", "unicode_escape", "utf-7", "hex", "zip", "undefined"]
)
def test_codecs_that_are_no_charsets_of_the_web_are_not_believed(label):
    assert decode(GERMAN.encode(), f"text/html; charset={label}").utf8.decode() == GERMAN


@pytest.mark.parametrize(
    "label",
    [
        "utf8",
        "UTF-8",
        "latin1",
        "iso-8859-2",
        "windows-1251",
        "macintosh",
        "gb2312",
        "big5",
        "euc-kr",
        "x-sjis",
        "koi8-u",
        "ibm866",
    ],
)
def test_names_of_the_web_are_known(label):
    assert "says" not in decode(b"<p>plain</p>", f"text/html; charset={label}").notice
    assert decode("<p>\u20ac</p>".encode(), f"text/html; charset={label}").utf8


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("x-GBK", "gbk", "中"),
        ("windows-949", "cp949", "똠"),
        ("x-euc-jp", "euc_jp", "日本"),
        ("x-cp1251", "cp1251", "П"),
        ("koi8-ru", "koi8-u", "Ї"),
        ("x-mac-roman", "mac-roman", "é"),
        ("logical", "cp1255", "ש"),
    ],
)
def test_labels_that_only_browsers_know_are_believed(label, encoding, text):
    decoded = decode(f"<p>{text}</p>".encode(encoding), f"text/html; charset={label}")
    assert (decoded.utf8.decode(), decoded.notice) == (f"<p>{text}</p>", "")


HEBREW = [
    "שלום עולם",
    "הוסף לסל",
    "מחשב נייד 15 אינץ' - 8GB",
    "מבצעים חמים לקיץ",
    "בGoogle תוכלו למצוא את כל המוצרים שלנו במחירים נמוכים",
    "ירושלים היא עיר הבירה של מדינת ישראל, והעיר הגדולה ביותר בה.",
    "חברת טלפון ת\"א מס' 5",
]


@pytest.mark.parametrize("text", HEBREW)
def test_few_words_of_hebrew_are_hebrew(text):
    decoded = decode(f"<h1>{text}</h1>".encode("cp1255"))
    assert (decoded.utf8.decode(), decoded.charset) == (f"<h1>{text}</h1>", "cp1255")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("каталог товаров", "cp1251"),
        ("вода", "cp1251"),
        ("дом и сад", "cp1251"),
        ("купить недорого с доставкой", "cp1251"),
        ("новости дня", "cp1251"),
        ("Каталог", "cp1251"),
        ("τα νέα της ημέρας", "cp1253"),
        ("مرحبا بالعالم", "cp1256"),
        ("สวัสดีชาวโลก", "cp874"),
        ("欢迎光临", "gbk"),
        ("안녕하세요", "euc_kr"),
        ("こんにちは世界", "shift_jis"),
        ("é à ù", "cp1252"),
        ("à la carte", "cp1252"),
    ],
)
def test_what_is_not_hebrew_is_not_taken_for_it(text, encoding):
    assert not is_hebrew(f"<p>{text}</p>".encode(encoding))


def test_a_charset_that_was_guessed_is_told():
    told = "The page does not name its charset; it was read as cp1252."
    assert decode(GERMAN.encode("cp1252")).notice == told
    assert decode(b"<p>plain</p>").notice == decode(GERMAN.encode()).notice == ""
