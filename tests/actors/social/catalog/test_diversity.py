import numpy as np
import pytest

from actors.social.catalog.diversity import Neighbours, distinct_2, neighbours, words
from actors.social.catalog.starter import starter_catalog

TEXTS = ("a cat on the mat", "the cat on a mat", "two dogs in the yard", "")


def test_pairs_of_words_are_counted_within_texts_only() -> None:
    # "red fox", "fox ran", "ran home", "red fox": three different ones of four.
    assert distinct_2(["red fox ran home", "red fox"]) == 0.75
    assert distinct_2(["one", "two"]) == 0.0


def test_words_are_those_of_two_letters_and_more_in_lower_case() -> None:
    assert words("A cat's Wróbel, I say: x-ray.") == ["cat", "wróbel", "say", "ray"]


def test_the_nearest_text_is_found_for_each_and_an_empty_one_is_near_to_none() -> None:
    first, second, third, empty = neighbours(TEXTS)
    assert (first.one, first.other) == (0, 1)
    assert (second.one, second.other) == (1, 0)
    assert first.cosine == second.cosine == pytest.approx(1.0)
    assert 0 < third.cosine < 0.5
    assert empty.cosine == 0.0
    assert neighbours(["alone"]) == []
    assert neighbours(["?", "!"]) == [Neighbours(0.0, 0, 1), Neighbours(0.0, 1, 0)]


def test_figures_are_those_of_scikit_learn() -> None:
    library = pytest.importorskip("sklearn.feature_extraction.text")
    texts = [who.public_info + who.secret for who in starter_catalog().characters]
    matrix = library.TfidfVectorizer().fit_transform(texts)
    cosines = (matrix @ matrix.T).toarray()
    np.fill_diagonal(cosines, -1)
    found = neighbours(texts)
    assert [one.cosine for one in found] == pytest.approx(cosines.max(axis=1))
    assert [one.other for one in found] == list(cosines.argmax(axis=1))
