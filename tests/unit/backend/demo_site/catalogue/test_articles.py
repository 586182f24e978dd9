from backend.demo_site.catalogue.articles import all_articles


def test_there_are_200_articles_with_distinct_titles_newest_first():
    articles = all_articles()
    assert len(articles) == 200
    assert len({article.slug for article in articles}) == 200
    assert [article.published for article in articles] == sorted((a.published for a in articles), reverse=True)


def test_dates_come_in_five_styles():
    assert len({article.date_style for article in all_articles()}) == 5


def test_articles_have_headings_tags_and_length():
    for article in all_articles():
        assert 2 <= len(article.headings) <= 5
        assert 1 <= len(set(article.tags)) == len(article.tags) <= 3
        assert article.word_count > 200
        assert article.reading_minutes >= 1
