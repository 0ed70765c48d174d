"""Words of the Cyrillic and Greek scripts in Latin letters."""

import pytest

import perturb


@pytest.mark.parametrize(
    ("text", "system", "wanted"),
    [
        ("Чехов, ЩУКА, цирк", "iso", "Čehov, ŜUKA, cirk"),
        ("Чехов, ЩУКА, Щука, цирк, Цой", "gost", "Chexov, SHHUKA, Shhuka, cirk, Czoj"),
        ("Чехов, ЩУКА, цирк", "icao", "Chekhov, SHCHUKA, tsirk"),
        ("Αθήνα, Ευρώπη, ουρανός", "iso", "Athī́na, Eurṓpī, ouranós"),
        ("Ευρώπη, αυτός, άγγελος, μπίρα", "icao", "Evropi, aftos, angelos, bira"),
        ("Київ", "gost", "Київ"),
        ("hello, 5, שלום", "iso", "hello, 5, שלום"),
    ],
)
def test_transliterate(text, system, wanted):
    assert str(perturb.apply(text, perturb.steps.transliterate(p=1, system=system))) == wanted
