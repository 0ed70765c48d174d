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
    Case("typo_mix", "Tre quicck bronw fox, bp any meafure, mcy judp kivjr 22 lazd dogs today."),
    Case(
        "typo_mix:layout=us",
        "Tbe quicck bronw fox, b6 any meadure, msy ju[p lcvwr 22 lazt dogs today.",
    ),
    Case(
        "typo_mix:insert=0,delete=0,substitute=0,repeat=0",
        "Teh quikc brown fox, by any meausre, mya jupm vore 21 lazy dogs today.",
    ),
    Case(
        "char_repeat",
        "TThe quickk brownn foxx, byy any meaasurre, may jjump over 12 lazyy dooggss toodday.",
    ),
    Case("char_repeat:mode=collapse", SENTENCE),
    Case(
        "elongate",
        "Theeeee quick brooooown fox, by any measure, may juuuump over 12 lazy dogs today.",
    ),
    Case(
        "elongate:where=last,longest=2",
        "Theee quick brownn fox, by any measure, may jump over 12 lazy dogsss today.",
    ),
    Case("shift_slip", SENTENCE),
    Case("shift_slip:mode=missed", SENTENCE),
    Case("shift_slip:mode=held", SENTENCE),
    Case("layout_swap", "The quick brown fox; by any measure, may jump over &é lazy dogs today."),
    Case(
        "layout_swap:active=ru",
        "The quick brown ащчб by any measure, may jump over 12 lazy вщпы today.",
    ),
    Case("layout_swap:layout=ru,active=us", SENTENCE),
    Case("leetspeak", "Th3 qu1ck br0wn fox, by 4ny m34sur3, may jump 0v3r 12 l4zy d0gs 70d4y."),
    Case(
        "leetspeak:level=3",
        "Th3 9uic|< br()w|\\| |=ox, by any me/\\sur3, |\\/|ay jump 0\\/er 12 laz`/ do6s to|)ay.",
    ),
    Case("mojibake", SENTENCE),
    Case("mojibake:written=cp1251,read=cp1252", SENTENCE),
    Case("mojibake:written=cp1252,read=utf-8", SENTENCE),
]
