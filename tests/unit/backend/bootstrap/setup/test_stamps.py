from pathlib import Path

from backend.bootstrap.setup.stamps import StampBook, digest, files_matching


def make_tree(root: Path) -> list[Path]:
    (root / "src" / "made").mkdir(parents=True)
    files = [root / "a.txt", root / "src" / "b.txt", root / "src" / "made" / "c.txt"]
    for file in files:
        file.write_text(file.name)
    return files


def test_order_and_repetition_of_files_do_not_matter(tmp_path):
    files = make_tree(tmp_path)
    assert digest(files, root=tmp_path) == digest([*reversed(files), files[0]], root=tmp_path)


def test_content_name_and_facts_matter(tmp_path):
    files = make_tree(tmp_path)
    before = digest(files, root=tmp_path, facts=["node 20"])
    assert digest(files, root=tmp_path, facts=["node 22"]) != before
    assert digest(files[1:], root=tmp_path, facts=["node 20"]) != before
    files[0].rename(tmp_path / "z.txt")
    renamed = digest([tmp_path / "z.txt", *files[1:]], root=tmp_path, facts=["node 20"])
    files[1].write_text("changed")
    changed = digest([tmp_path / "z.txt", *files[1:]], root=tmp_path, facts=["node 20"])
    assert len({before, renamed, changed}) == 3


def test_a_moved_clone_keeps_its_digest(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    assert digest(make_tree(here), root=here) == digest(make_tree(there), root=there)


def test_patterns_leave_out_folders_and_what_is_no_file(tmp_path):
    files = make_tree(tmp_path)
    assert set(files_matching(tmp_path, ["**/*"])) == set(files)
    assert set(files_matching(tmp_path, ["**/*"], but_not=["src/made"])) == set(files[:2])


def test_a_stamp_is_current_only_for_the_value_written(tmp_path):
    book = StampBook(tmp_path / "stamps")
    assert not book.is_current("npm packages", "1")
    book.write("npm packages", "1")
    assert book.is_current("npm packages", "1")
    assert not book.is_current("npm packages", "2")
    assert not book.is_current("npm", "1")
    book.remove("npm packages")
    assert not book.is_current("npm packages", "1")
