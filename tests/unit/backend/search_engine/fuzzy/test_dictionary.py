"""Dictionary files: what is read, and what is told about the rest."""

from backend.search_engine.fuzzy import Entry, LineFault, read_dictionary


def test_a_line_is_a_name_a_score_and_synonyms():
    lines = ["Christian Dior, 120.5, Dior, CD\n", "tea,3\n", "coffee\n", '"Freiburg, Germany", 5, FR\n', "\n", " , 3\n"]
    assert list(read_dictionary(lines)) == [
        Entry("Christian Dior", 120.5, ("Dior", "CD")),
        Entry("tea", 3.0),
        Entry("coffee"),
        Entry("Freiburg, Germany", 5.0, ("FR",)),
    ]


def test_an_empty_score_is_one_and_empty_synonyms_are_left_out():
    assert list(read_dictionary(["tea, , chai, ,"])) == [Entry("tea", 1.0, ("chai",))]


def test_a_line_that_makes_no_sense_is_left_out_and_noted():
    faults: list[LineFault] = []
    lines = ["tea, much", "coffee, -1", "cocoa, nan", "milk, 1", "nul\x00, 2"]
    assert [entry.name for entry in read_dictionary(lines, faults=faults)] == ["milk", "nul"]
    assert [(fault.line, fault.message.split(" is no score")[0]) for fault in faults] == [
        (1, "“much”"),
        (2, "“-1”"),
        (3, "“nan”"),
    ]


def test_an_endless_cell_is_a_fault_not_a_crash():
    faults: list[LineFault] = []
    assert list(read_dictionary(["x" * 200_000 + ", 1\n", "tea, 1\n"], faults=faults)) == [Entry("tea", 1.0)]
    assert faults[0].line == 1


def test_a_quotation_mark_without_a_partner_spoils_its_own_line_only():
    lines = ["tea, 1\n", '"coffee, 2\n', *(f"name{number}, 3\n" for number in range(20_000))]
    names = [entry.name for entry in read_dictionary(lines)]
    assert (names[0], names[2], len(names)) == ("tea", "name0", 20_002)


def test_a_fault_names_the_line_it_is_in():
    faults: list[LineFault] = []
    list(read_dictionary(['"tea\n', "\n", "coffee, much\n"], faults=faults))
    assert [fault.line for fault in faults] == [3]
