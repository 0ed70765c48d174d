"""What word tables of languages other than English write: each entry, its case and its place."""

import re
from itertools import permutations

import pytest
from taken import all_of, some_of

import perturb
from perturb.errors import UsageError
from perturb.perturbators.shared.english import LANGUAGES
from perturb.perturbators.words import fillers, substitutions
from perturb.resources import read_rows

OTHERS = LANGUAGES[1:]
CONTRACTING = tuple(code for code in OTHERS if code != "es")
HOMOPHONES = read_rows("languages", "homophones.tsv")
CONTRACTIONS = read_rows("languages", "contractions.tsv")
FILLERS = read_rows("languages", "fillers.tsv")


def pairs(language):
    """Each word with all that may stand for it, from all groups that have it."""
    found = {}
    for code, row in HOMOPHONES:
        if code == language:
            group = re.split(" [/>] ", row.lower())
            for word, other in permutations(group, 2):
                if " > " not in row or word == group[0]:
                    found.setdefault(word, set()).add(other)
    return found


def capital(text):
    """A capital as these languages write it, past an apostrophe."""
    at = int(text[0] == "'")
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def shouted(text):
    """ß stays, as it has no capital of one letter in Latin-1."""
    return "".join(sign if sign == "ß" else sign.upper() for sign in text)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_every_homophone_is_written_in_the_case_of_the_word(language) -> None:
    table = pairs(language)
    assert len(table) >= 40
    for word, others in table.items():
        for cased in (str, capital, shouted):
            if cased is shouted and len(word) == 1:
                continue
            made = some_of(f"homophone:language={language}", cased(word), 100)
            assert made == {cased(other) for other in others}, (word, cased)


@pytest.mark.parametrize("language", OTHERS)
def test_tables_can_be_found_in_texts(language) -> None:
    """They are Latin-1, and have no word "i", which a table of phrases takes for the English I."""
    entries = [
        row.replace(" /", "").replace(" >", "") for code, row in HOMOPHONES if code == language
    ]
    entries += [entry for row in CONTRACTIONS if row[0] == language for entry in row[1:3]]
    entries += [row[1] for row in FILLERS if row[0] == language]
    for entry in entries:
        assert entry.encode("latin-1")
        assert "i" not in entry.lower().replace("'", " ").split()
    table = substitutions.homophones("common", language)
    wanted = sum(len(others) for others in pairs(language).values())
    assert len(table._options[1]) == wanted  # no pair is taboo


def test_what_is_written_one_way_only() -> None:
    assert some_of("homophone:language=pt", "há", 300) == {"a", "à"}
    assert some_of("homophone:language=pt", "a") == {"à"}
    assert all_of("homophone:language=it", "Sì, lui lo sa.") == "Si, lui lo sa."


def test_a_language_has_no_other_profile() -> None:
    text = "Das war viel, man ist seit gestern wieder da."
    common, every = (
        all_of(f"homophone:profile={name},language=de", text) for name in ("common", "all")
    )
    assert common == every != text


AROUND = {
    "any": [("wer {} von", "{}"), ("{} von", "capital")],
    "noun": [("wer {} Haus", "{}"), ("{} Haus", "capital")],
    "small": [("wer {} von", "{}"), ("wer {}.", "{}")],
}


@pytest.mark.parametrize("row", CONTRACTIONS, ids=" ".join)
def test_every_contraction_is_written(row) -> None:
    language, full, short, style, way, wants = row
    spec = f"contraction:language={language},informal=true,direction="
    for frame, case in AROUND[wants]:
        cased = capital if case == "capital" else str
        long_one, short_one = frame.format(cased(full)), frame.format(cased(short))
        if way != "expand":
            assert short_one in some_of(f"{spec}contract", long_one, 20)
        if way != "contract":
            assert long_one in some_of(f"{spec}expand", short_one, 20)
        if style == "informal":
            assert all_of(f"contraction:language={language}", long_one) == long_one
    assert (language, way) != ("es", way)


@pytest.mark.parametrize("language", CONTRACTING)
@pytest.mark.parametrize("informal", [False, True])
@pytest.mark.parametrize("direction", ["contract", "expand", "both"])
def test_every_way_to_contract_has_a_table(language, informal, direction) -> None:
    ((table, wants),) = substitutions._contractions(direction, informal, language)
    assert 0 < len(table.keys) == len(wants)


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("de", "Das Haus, in dem ich wohne, steht in dem Dorf.",
         "Das Haus, in dem ich wohne, steht im Dorf."),
        ("de", "für das, was war; für das große Haus", "für das, was war; für das große Haus"),
        ("de", "Im Dorf geht es.", "Im Dorf geht's."),
        ("fr", "Ça va ? Ça marche.", "Ça va ? Cela marche."),
        ("fr", "Il y a du pain, cela va. Tu as vu ?", "Y a du pain, ça va. T'as vu ?"),
        ("it", "Anche io so dov’è. COME È?", "Anch'io so dove è. COM'È?"),
        ("nl", "Het is het huis. In het Hof.", "Het is 't huis. In het Hof."),
        ("nl", "'t Hof en 't huis", "'t Hof en het huis"),
        ("pt", "Você está em uma casa? Para mim, num ano.",
         "Você tá numa casa? Pra mim, em um ano."),
    ],
)  # fmt: skip
def test_contraction_by_its_place(language, before, after) -> None:
    assert all_of(f"contraction:language={language},informal=true", before) == after


def test_spanish_has_no_contractions() -> None:
    with pytest.raises(UsageError, match="language must be 'auto' or 'en' or 'de'"):
        perturb.apply("de el", "contraction:language=es", p=1.0)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("kind", ["hesitation", "marker", "hedge", "repair"])
def test_every_filler_is_written_at_its_edges(language, kind) -> None:
    rows = [row[1:] for row in FILLERS if row[0] == language and row[2] == kind]
    head = {"de": "Wir", "es": "Nosotros", "fr": "Nous", "it": "Noi", "nl": "Wij", "pt": "Nós"}
    text = f"{head[language]} von, wer"
    made = some_of(f"filler:language={language},kind={kind}", text, 400)
    starts, insides = set(), set()
    for words, _, commas, place, _ in rows:
        if commas != "within" and place != "inside":
            starts.add(capital(words))
        if commas != "within" and place != "start":
            insides.add(words)
    assert starts
    assert insides
    lowered = head[language].lower()
    assert made == {f"{one}, {lowered} von, {two}, wer" for one in starts for two in insides}


def test_weights_of_fillers() -> None:
    for language in OTHERS:
        rows = [row for row in FILLERS if row[0] == language]
        assert {row[3] for row in rows} == {"around", "within"}
        assert {row[4] for row in rows} == {"any", "start", "inside"}
        assert {*fillers._OPENS} == {*LANGUAGES}
        found = fillers._fillers("any", "word", language)
        assert len(found.inside) == sum(int(row[5]) for row in rows if row[4] != "start")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        # A noun or a name, a form of address, a label, capitals.
        ("de", "Menschen gehen."), ("de", "Sie gehen."), ("de", "Ihre Hand"),
        ("es", "El Niño vino."), ("it", "Lei viene."), ("fr", "La Rochelle"),
        ("pt", "A) casa"), ("it", "A. casa"), ("nl", "U komt."), ("es", "LA CASA"),
    ],
)  # fmt: skip
def test_no_filler_before_what_may_keep_its_capital(language, text) -> None:
    assert all_of(f"filler:language={language}", text) == text


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("de", "Es regnet und er geht.", "Hm, es regnet, hm, und er geht."),
        ("es", "Él vino porque es tarde.", "Em, él vino, em, porque es tarde."),
        ("fr", "Être là et voir.", "Euh, être là, euh, et voir."),
        ("it", "È qui perché è tardi.", "Ehm, è qui, ehm, perché è tardi."),
    ],
)
def test_fillers_beside_accents(language, before, after) -> None:
    assert after in some_of(f"filler:language={language}", before, 300)


GERMAN = "Ich weiß, dass das Haus in dem Dorf steht, und man sieht es wieder."


@pytest.mark.parametrize("name", ["homophone", "contraction", "filler"])
def test_a_language_is_told(name) -> None:
    """By default these are English steps."""
    assert perturb.apply(GERMAN, name, p=1.0).status == "not English"
    assert perturb.apply(GERMAN, f"{name}:language=de", p=1.0).edits
    assert name in perturb.names(language="de")
    assert perturb.describe(name)["languages"][0] == "en"
    with pytest.raises(UsageError, match="has no severity with language=de"):
        perturb.apply(GERMAN, f"{name}:language=de", severity=2)
    english = "They do not know that their car is here."
    told, looked = (
        perturb.apply(english, f"{name}:language={one}", severity=2) for one in ("en", "auto")
    )
    assert told.edits == looked.edits


@pytest.mark.parametrize(
    ("spec", "table"),
    [
        ("homophone:language=fr", "ou"),
        ("contraction:language=pt", "em um"),
        ("filler:language=nl,where=word", "het huis"),
    ],
)
def test_what_is_no_prose_stays(spec, table) -> None:
    made = all_of(spec, f"wer {table} von `{table}` wer")
    assert made.count(table) == 1
    assert f"`{table}`" in made


def test_chinese_is_typed_by_the_syllable() -> None:
    """Each character becomes another of its row in the table; Japanese and all else stays."""
    rows = {sign: own for _, own in read_rows("languages", "pinyin.tsv") for sign in own}
    text = "谢尔曼将访问中国天津, OK 5!"
    for made in some_of("homophone:language=zh", text, 20):
        same = [old for old, new in zip(text, made, strict=True) if new == old]
        assert not rows.keys() & set(same)
        assert all(new in rows[old] for old, new in zip(text, made, strict=True) if new != old)
    assert all_of("homophone:language=zh", "私は学生です") == "私は学生です"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("はず", {"はづ"}),
        ("鼻血がとじる", {"鼻血がとぢる"}),
        ("私は本を", {"私わ本お"}),
        ("では、はなす", {"でわ、はなす"}),
        ("という", {"とゆう"}),
        ("おおきいとおり", {"おうきいとうり"}),
        ("せんせい", {"せんせえ"}),
        ("している", {"している"}),
        ("きって", {"きつて"}),
        ("コーヒーのメニュー", {"コヒのメニユ"}),
        ("こんにちは", {"こんいちは"}),
        ("きんえん", {"きねん"}),
        ("この変換は", {"この返還わ"}),
        ("先生と", {f"{word}と" for word in ("先制", "宣誓", "専制")}),
        ("変換機は", {"変換機わ"}),
        ("変換", {"変換"}),
        ("先生，你好", {"先生，你好"}),
    ],
)
def test_japanese_is_typed_by_its_sound(text, written) -> None:
    """Kana of the table where it has them; words of two kanji alone, if the text has kana."""
    assert set(some_of("homophone:language=ja", text, 20)) == written
