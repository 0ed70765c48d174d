"""One row for each way to call each perturbator: what the contract suite and the goldens run."""

from typing import NamedTuple

SENTENCE = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."


class Case(NamedTuple):
    """A spec without a strength, and what it makes of `SENTENCE` at p = 0.2 with seed 1."""

    spec: str
    golden: str


CASES = [
    Case("case", "thE QUiCK Brown FOx, bY any Measure, may jUmp Over 12 lazy dogs todAy."),
    Case(
        "case:style=lower", "the quick brown fox, by any measure, may jump over 12 lazy dogs today."
    ),
    Case(
        "case:style=upper", "THE quick brown fox, by any MEASURE, may jump over 12 lazy dogs today."
    ),
    Case(
        "case:style=title", "The Quick brown fox, by any Measure, may jump over 12 lazy dogs today."
    ),
    Case("char_delete", "Th qick brow fox by ny mre, may jump ov 12 laz gs today."),
    Case(
        "char_delete:fill=X",
        "ThX qXick browX foxX by Xny mXXXXre, may jump ovXX 12 lazX XXgs today.",
    ),
    Case(
        "char_insert",
        "MTphe quick bhryown fiox, by amny mesasure, miay jump over 12 lazdy dkosgus tordyay.",
    ),
    Case(
        "char_insert:alphabet=xyz",
        "yTyhe quick brzown fxox, by ayny mezasure, mxay jump over 12 lazxy dyozgzs toydzayz.",
    ),
    Case("char_replace", "The quick bcown foe, ey any gewsure, pby jump gveu 22 luzy pogs txdny."),
    Case(
        "char_replace:alphabet=xyz",
        "The quick bxown foyy by any xezsure, yxy jump xvez x2 lzzy yogs tzdyy.",
    ),
    Case("char_swap", "Teh qiuck bronw ofx, yb ayn meausre, may jmup vore 21 layz odsg today."),
    Case(
        "comma_insert", "The quick brown fox, by any, measure, may jump, over 12 lazy dogs, today."
    ),
    Case("identity", "The quick brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "keyboard_typos", "The auick b5pwn fox, by zby measyre, may jump over 22 lzay dogs tpfs7,"
    ),
    Case(
        "keyboard_typos:layout=de",
        "The auick b5pwn fox, by <by measzre, may jump over 22 l<hy dogs tpfss,",
    ),
    Case(
        "keyboard_typos:layout=ru",
        "The quick brown foxЭ by any measureЮ may jump over 2ц lazy dogs todayю",
    ),
    Case("ocr", "The gv;ok brewn fcx, hy any measure, rnoy ivmp ouer 12 lezy dogs tcday."),
    Case("synonym", "The quick brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "synonym:profile=all",
        "The straightaway brown fox, by any measure, may bound over 12 lazy franks today.",
    ),
    Case("antonym", "The quick brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "hypernym:profile=all",
        "The quick brown deceiver, by any measure, may jump over 12 lazy catches day.",
    ),
    Case(
        "whitespace",
        "T he q uick br ownf ox , byany me asu re, ma y jump  over 12laz y dogs tod ay.",
    ),
    Case(
        "whitespace:mode=add",
        "T he q uick br ow n f ox , by any me asu re, ma y jump  ove r 12 laz y dogs to d ay.",
    ),
    Case(
        "whitespace:mode=remove",
        "The quick brownfox, byany measure, may jump over 12 lazy dogs today.",
    ),
    Case("word_delete", "The quick fox, by measure, jump over 12 lazy dogs today."),
    Case(
        "word_duplicate",
        "The quick brown fox, by by any measure measure, may jump over 12 lazy dogs dogs today.",
    ),
    Case("word_swap", "quick The brown fox, by any measure, may over jump 12 lazy today dogs."),
    Case(
        "word_swap:fix_case=true",
        "Quick the brown fox, by any measure, may over jump 12 lazy today dogs.",
    ),
    Case("yz_swap", "The quick brown fox, by any measure, may jump over 12 lazz dogs today."),
    Case("homophone", "The quick brown fox, bye any measure, may jump over 12 lazy dogs today."),
    Case("misspelling", "The quik brown fox, by any meassure, may jump over 12 lazy dogs today."),
    Case(
        "misspelling:rules=false",
        "The quik brown fox, by any meassure, may jump over 12 lazy dogs today.",
    ),
    Case("contraction", SENTENCE),
    Case("contraction:direction=contract", SENTENCE),
    Case("contraction:direction=expand", SENTENCE),
    Case("contraction:informal=true", SENTENCE),
    Case("spelling_variant", SENTENCE),
    Case("spelling_variant:direction=us_to_gb", SENTENCE),
    Case("spelling_variant:direction=gb_to_us", SENTENCE),
    Case("abbreviation", SENTENCE),
    Case("abbreviation:direction=expand", SENTENCE),
    Case(
        "filler",
        "The quick brown, oh, fox, by, erm, any measure, may, as far as I know, jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=hesitation",
        "The quick brown, hmm, fox, by, erm, any measure, may, ah, jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=marker",
        "The quick brown, let me see, fox, by, if you will, any measure, may actually jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=hedge",
        "The quick brown, if I'm not mistaken, fox, by, if I remember correctly, any measure, may apparently jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=repair",
        "The quick brown, no wait, fox, by, no wait, any measure, may, hold on, jump over 12 lazy dogs today.",
    ),
    Case("number_format", SENTENCE),
    Case("number_format:to=digits", SENTENCE),
    Case("number_format:to=separators", SENTENCE),
    Case(
        "word_insert",
        "The quick brown fox jump, by any measure, may jump dogs over 12 lazy dogs brown today.",
    ),
    Case(
        "word_insert:words=common",
        "The quick brown fox point, by any measure, may jump together over 12 lazy dogs food today.",
    ),
    Case("word_mask", "The quick ___ fox, ___ any measure, ___ jump over 12 lazy dogs today."),
    Case(
        "word_mask:token=[MASK]",
        "The quick [MASK] fox, [MASK] any measure, [MASK] jump over 12 lazy dogs today.",
    ),
    Case("word_merge", "The quick brown fox, by any measure, may jumpover12 lazy dogstoday."),
    Case("word_split", "The qu ick brown fox, by any measur e, may jump o ver 12 lazy dogs today."),
    Case("word_shuffle", "The quick brown fox, by any measure, may jump over 12 lazy today dogs."),
    Case("word_shuffle:window=100", SENTENCE),
    Case("sentence_shuffle", SENTENCE),
    Case("sentence_shuffle:window=2", SENTENCE),
    Case("add_context", SENTENCE),
    Case("add_context:position=start", SENTENCE),
    Case("add_context:position=inside", SENTENCE),
    Case("duplicate", SENTENCE),
    Case("duplicate:what=line", SENTENCE),
    Case("duplicate:what=text", SENTENCE),
    Case("truncate", "The quick brown fox, by any measure, may jump over 12"),
    Case("truncate:cut=start", "fox, by any measure, may jump over 12 lazy dogs today."),
    Case("truncate:by=character", "The quick brown fox, by any measure, may jump over 12 la"),
    Case("line_breaks", SENTENCE),
    Case(
        "line_breaks:width=20",
        "The quick brown fox,\nby any measure, may jump over 12 lazy dogs today.",
    ),
    Case(
        "line_breaks:mode=hyphenate,width=12",
        "The quick brown fox,\nby any measure, may jump over 12 lazy dogs today.",
    ),
    Case("line_breaks:mode=join", SENTENCE),
    Case("line_breaks:mode=crlf", SENTENCE),
    Case("edge_whitespace", SENTENCE),
    Case("edge_whitespace:side=start", SENTENCE),
    Case("edge_whitespace:of=text", SENTENCE),
    Case("edge_whitespace:mode=remove", SENTENCE),
    Case("punctuation", SENTENCE),
    Case("punctuation:mode=strip_end", SENTENCE),
    Case(
        "punctuation:mode=add",
        "The quick brown fox, by any measure, may jump over! 12 lazy, dogs today.",
    ),
    Case("punctuation:mode=double", SENTENCE),
    Case(
        "dictation", "The quick brown fox comma by any measure, may jump over 12 lazy dogs today."
    ),
    Case("html_entities", SENTENCE),
    Case("html_entities:mode=unescape", SENTENCE),
]
