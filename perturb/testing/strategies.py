"""Texts, and strategies for Hypothesis, with which the checks try a perturbator."""

from hypothesis import strategies as st

# Texts that have broken text tools before.
HOSTILE = {
    "empty": "",
    "blank": "   ",
    "one character": "a",
    "lines": "\n\n\t \n",
    "carriage returns": "one\r\ntwo\r\n\r\nthree\rfour",
    "emoji": "ok 👨‍👩‍👧‍👦 and 🏳️‍🌈, 👍🏽 to 🇩🇪🇫🇷 1️⃣!",
    "combining marks": "re\u0301sume\u0301 Z\u0351\u036b\u0343alg\u0301\u0321o \u0301start",
    "Chinese": "敏捷的棕色狐狸跳过了懒狗。价格是3.50元。",
    "Japanese": "すばやい茶色のキツネ。カタカナとｶﾞﾀｶﾅ、がぎぐ",
    "Korean": "빠른 갈색 여우 한글 ᄒᆞᆫ글",
    "Arabic": "الثَّعْلَبُ البُنِّيُّ السَّريع يقفز 123",
    "Thai": "สุนัขจิ้งจอกสีน้ำตาลที่รวดเร็ว กำลัง",
    "Devanagari": "क्षत्रिय तेज़ भूरी लोमड़ी श्री नमस्ते ज़िंदगी",
    "Hebrew": "הַשּׁוּעָל הַחוּם הַמָּהִיר",
    "Turkish": "İstanbul'da ılık IŞIK ğüşöç",
    "sharp s": "STRASSE Straße ẞ ŉ ǅ ﬁne",
    "NUL": "a\0b \0\0 c",
    "lone surrogates": "bad \ud83d and \udc00 here",
    "controls": "a\x07b\x1b[31m \x7f\u200e\u202e\ufeff x",
    "exotic spaces": "a\u00a0b\u2003c\u3000d\u2028e\u0085f",
    "punctuation": "She said \"don't  worry\" — it's 50% off ($3.50),\n\n  see e.g. http://a.b/c?d=1.",
    "options": "Which?\nA. one\nB. (two)\nC. it's 3\nD. all of the above\nAnswer: B\n- (1) x",
    "examples": "Answer:\n\nQ: 1+1?\nA: two\n\nQ: why?\nA: so\n\nQ: red?\nA:",
    "code": "```\nfor y in lazy: # zap\n\treturn {x}\n```",
}
# Everyday sentences, which are easy to read when a check fails.
SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "Janet's ducks lay 16 eggs per day, and she sells them for $2 each.",
    "Why do crazy yaks puzzle my lazy zebra on a hazy Tuesday?",
    "Yes: zinc, yttrium and zirconium are metals; water (H2O) is not.",
)

_PIECES = st.one_of(
    st.sampled_from([*HOSTILE.values(), *SENTENCES]),
    st.sampled_from([" ", "  ", "\n", "\r\n", ". ", "-", "'", "\u200d", "\u0301", "y", "Z", "rn"]),
    st.text(max_size=12),
)
# A Hypothesis strategy of texts, hostile ones among them.
texts = st.lists(_PIECES, max_size=6).map("".join)
# A Hypothesis strategy of values for `p`.
shares = st.one_of(st.sampled_from([0.05, 0.3, 1.0]), st.floats(0, 1))
# A Hypothesis strategy of seeds.
seeds = st.integers(-(1 << 63), (1 << 63) - 1)
