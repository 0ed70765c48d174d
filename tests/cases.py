"""One row for each way to call each perturbator: what the contract suite and the goldens run."""

from typing import NamedTuple

SENTENCE = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."


class Case(NamedTuple):
    """A spec without a strength, and what it makes of `SENTENCE` at p = 0.2 with seed 1."""

    spec: str
    golden: str


# The sentence has no place for these, or is none of the texts in five that they act on.
WITHOUT_PLACE = """
    gender_swap gender_swap:kind=pronouns,direction=to_female name_swap date_format currency_format
    unit_format unit_format:mode=scale transliterate negation distractor distractor:kind=tautology
    distractor:kind=option instruction_style:style=question tool_result
    tool_result:kind=error,valid=true tool_result:kind=truncated passages passages:kind=repeat
    passages:kind=drop entity_swap number_variant grammar_errors dialect dialect:variety=irish
    code_switch html_entities html_entities:direction=unescape passages:kind=contradict turns
    turns:kind=drop tool_schema tool_schema:kind=description tool_schema:kind=order
    tool_schema:kind=decoy punctuation:mode=double paraphrase asr asr:errors=0.5
    asr:style=whisper,errors=0.3
"""

CASES = [
    *(Case(spec, SENTENCE) for spec in WITHOUT_PLACE.split()),
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
    Case("char_replace", "The quick bcown foe, ey any gewsure, pby gump gveu 12 luzy pogs txdny."),
    Case(
        "char_replace:alphabet=xyz",
        "The quick bxown foyy xy any xezsure, yxy jump xvez 12 lzzy yogs tzdyy.",
    ),
    Case("char_swap", "The qiuck bronw ofx, by any measure, may jmup over 12 layz odsg today."),
    Case(
        "comma_insert", "The quick brown fox, by any, measure, may jump, over 12 lazy dogs, today."
    ),
    Case("identity", "The quick brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "keyboard_typos", "The wuick bfiwh fox, by zby measire, may jump over 12 lzay dogs tpfsh,"
    ),
    Case(
        "keyboard_typos:layout=de",
        "The wuick bfiwh fox, by <by measire, may jump over 12 l<uy dogs tpfss,",
    ),
    Case("keyboard_typos:layout=ru", SENTENCE),
    Case("ocr", "The qokekbrown fox, by. any measure, may jump ovor 12 lazy dogs today. ."),
    Case(
        "ocr:engine=ppocr", "The quick brown fox, by. any measure, may jump over 12 lazy dogs todoy"
    ),
    Case("ocr:engine=ppocr_v4", "Thequickbrown fox,bya measure, may jump ovcr 12 lazy dogs today"),
    Case("synonym", SENTENCE),
    Case(
        "synonym:profile=all",
        "The quick brown fox, by any measure, may spring over 12 lazy dogs today.",
    ),
    Case("antonym", "The quick brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "hypernym:profile=all",
        "The quick brown fox, by any measure, may jump over 12 lazy canines today.",
    ),
    Case(
        "whitespace",
        "T he q uick br ownf ox , byany me asu re, ma y jump over 12laz y dogs to d ay.",
    ),
    Case(
        "whitespace:mode=add",
        "T he q uick br ow n f o x , by any me asu re, ma y jump ove r 12 laz y dogs to d ay.",
    ),
    Case(
        "whitespace:mode=remove",
        "The quick brownfox, byany measure, may jump over 12 lazy dogs today.",
    ),
    Case(
        "whitespace:mode=double",
        "The quick brown fox, by any measure, may jump  over 12 lazy  dogs today.",
    ),
    Case(
        "whitespace:mode=double,longest=3",
        "The quick brown fox, by any measure, may jump   over 12 lazy   dogs today.",
    ),
    Case("word_delete", "The quick fox, by measure, jump over 12 lazy dogs today."),
    Case(
        "word_duplicate",
        "The quick brown fox, by by any measure measure, may jump over 12 lazy dogs dogs today.",
    ),
    Case("word_swap", "The quick brown fox, by any measure, may over jump 12 lazy dogs today."),
    Case(
        "word_swap:fix_case=true",
        "The quick brown fox, by any measure, may over jump 12 lazy dogs today.",
    ),
    Case("yz_swap", "The quick brown fox, by any measure, may jump over 12 lazz dogs today."),
    Case("homophone", SENTENCE),
    Case("misspelling", "The quik brown fox, by any measure, may jump over 12 lazy dogs today."),
    Case(
        "misspelling:rules=false",
        "The quik brown fox, by any measure, may jump over 12 lazy dogs today.",
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
    Case("abbreviation:kind=chat", SENTENCE),
    Case("abbreviation:kind=notes", SENTENCE),
    Case("abbreviation:kind=sms", SENTENCE),
    Case("homophone:profile=all", SENTENCE),
    Case("filler", SENTENCE),
    Case(
        "filler:kind=hesitation,where=word",
        "The quick brown, uh, fox, by, uh, any measure, may, ah, jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=marker,where=word",
        "The quick brown, like, fox, by, let me see, any measure, may actually jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=hedge,where=word",
        "The quick brown, I'm not sure but fox, by, I think, any measure, may, as far as I can tell, jump over 12 lazy dogs today.",
    ),
    Case(
        "filler:kind=repair,where=word",
        "The quick brown, or rather fox, by, no wait, any measure, may, hold on, jump over 12 lazy dogs today.",
    ),
    Case("homophone:language=fr", SENTENCE),
    Case("homophone:language=zh", SENTENCE),
    Case("homophone:language=ja", SENTENCE),
    Case("contraction:language=de,informal=true", SENTENCE),
    Case("filler:language=es", SENTENCE),
    Case("number_format", SENTENCE),
    Case("number_format:to=digits", SENTENCE),
    Case("number_format:to=separators", SENTENCE),
    Case("number_format:to=speech", SENTENCE),
    Case(
        "encode:codec=uuencode,unit=word",
        "The %<75I8VL` brown fox, by any measure, may jump over 12 lazy $9&]G<P`` today.",
    ),
    Case(
        "encode:codec=reverse,unit=word",
        "The kciuq brown fox, by any measure, may jump over 12 lazy sgod today.",
    ),
    Case(
        "encode:codec=tags,unit=word",
        "The \U000e0071\U000e0075\U000e0069\U000e0063\U000e006b brown fox, by any measure, may jump over 12 lazy \U000e0064\U000e006f\U000e0067\U000e0073 today.",
    ),
    Case(
        "instruction_style",
        "This is urgent! The quick brown fox, by any measure, may jump over 12 lazy dogs today.",
    ),
    Case("typo_mix", "Tre quicck bronw fox, bp any meafure, mcy judp kivjr 12 clazd dogs today."),
    Case("human_typos", "The quic anw Fo, b any mresrue, mmay jumop poee 12 lazy sog tlodauy."),
    Case(
        "human_typos:layout=dvorak",
        "The quic anw Fo, b any muesrue, mmay jumyp eoee 12 lazy iog tqodapy.",
    ),
    Case(
        "human_typos:kind=copied",
        "he quic iwn Fo , b any measure emay sjumop iev 12 lazy sohg todaty",
    ),
    Case(
        "human_typos:kind=own",
        "The qicc banw fo, bhy any mresle, mmuy jumpp ov e 12 lazy dog toodaty.",
    ),
    Case(
        "typo_mix:layout=us",
        "Tbe quicck bronw fox, bu any meadure, msy ju[p pcvwr 12 ;lazt dogs today.",
    ),
    Case(
        "typo_mix:insert=0,delete=0,substitute=0,repeat=0",
        "Teh quikc bronw fox, by any meausre, mya jupm vore 12 lazy dogs today.",
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
    Case("layout_swap", "The quick brown fox; by any ,eqsure; may jump over 12 lazy dogs today."),
    Case(
        "layout_swap:active=ru",
        "The quick brown ащчб by any measure, may jump over 12 lazy вщпы today.",
    ),
    Case("layout_swap:layout=ru,active=us", SENTENCE),
    Case("leetspeak", "The quick br0wn fox, by any me4sur3, may jump 0ver 12 lazy dogs today."),
    Case(
        "leetspeak:level=3",
        "The 9uic|< brow|\\| |=ox, by any me/\\sur3, may jump 0\\/er 12 laz`/ dogs to|)ay.",
    ),
    Case("mojibake", SENTENCE),
    Case("mojibake:written=cp1251,read=cp1252", SENTENCE),
    Case("mojibake:written=cp1252,read=utf-8", SENTENCE),
    Case("homoglyph", "The qսick bгoաո քox, bу аny mҽasure, maү јump ονer 12 lazy dogѕ todaу."),
    Case(
        "homoglyph:mode=single_script",
        "The qʋɩck brown ƒox, bɣ anɣ measʋre, maɣ jʋmþ over 12 Iazɣ dogs todaɣ.",
    ),
    Case(
        "styled_letters",
        "Th\U0001d41e quick brown \U0001d41fox, \U0001d41by a\U0001d427y m\U0001d41e\U0001d41as\U0001d42e\U0001d42be, m\U0001d41ay jump ove\U0001d42b 12 \U0001d425azy \U0001d41dog\U0001d42c \U0001d42doday.",
    ),
    Case(
        "styled_letters:style=fullwidth",
        "Thｅ quick brown ｆox, ｂy aｎy mｅａsｕｒe, mａy jump oveｒ 12 ｌazy ｄogｓ ｔoday.",
    ),
    Case(
        "styled_letters:style=small_caps",
        "Thᴇ quick brown ꜰox, ʙy aɴy mᴇᴀsᴜʀe, mᴀy jump oveʀ 12 ʟazy ᴅogꜱ ᴛoday.",
    ),
    Case(
        "zero_width",
        "The quick b\u200br\u200bown f\u2060o\u2060x, by any me\ufeffa\u200bs\u200bu\u200bre, ma\ufeffy jum\ufeffp over 12 la\ufeffzy d\ufeffo\ufeffgs to\u2060day.",
    ),
    Case(
        "zero_width:kind=joiner",
        "The quick b\u200dr\u200down f\u200do\u200dx, by any me\u200da\u200ds\u200du\u200dre, ma\u200dy jum\u200dp over 12 la\u200dzy d\u200do\u200dgs to\u200dday.",
    ),
    Case(
        "bidi",
        "The \u200e\u2066\u202ekciuq\u202c\u2069\u200e brown fox, by any measure, \u200e\u2066\u202eyam\u202c\u2069\u200e jump over 12 lazy dogs today.",
    ),
    Case("normalize", SENTENCE),
    Case("normalize:form=NFC", SENTENCE),
    Case("normalize:form=NFKC", SENTENCE),
    Case("normalize:form=NFKD", SENTENCE),
    Case("strip_diacritics", SENTENCE),
    Case("strip_diacritics:script=devanagari", SENTENCE),
    Case(
        "add_diacritics", "Thè quicķ bŕőwñ fox, by anÿ mèäsuŕe, maŷ jump over 12 lazý ďoģs toďay."
    ),
    Case(
        "combining_marks",
        "The q\u0315u\u0309ick bro\u0307wn f\u0307ox, b\u0308y a\u0339ny m\u0305easure, m\u0318ay j\u0331ump\u0358 over 12 lazy d\u0319o\u031ags to\u033ad\u034eay.",
    ),
    Case(
        "combining_marks:marks=3",
        "The q\u0315\u0342\u035bu\u0309\u031e\u0311ick bro\u0307\u0317\u0325wn f\u0307\u0333\u0324ox, b\u0308\u0358\u0346y a\u0339\u033f\u0327ny m\u0305\u032a\u0318easure, m\u0318\u0347\u0301ay j\u0331\u0311\u0304ump\u0358\u034a\u0319 over 12 lazy d\u0319\u0316\u035ao\u031a\u0323\u034egs to\u033a\u033c\u033cd\u034e\u0333\u0306ay.",
    ),
    Case(
        "exotic_whitespace",
        "The quick brown fox, by any\u202fmeasure, may jump over 12 lazy\u2009dogs today.",
    ),
    Case(
        "exotic_whitespace:kind=ideographic",
        "The quick brown fox, by any\u3000measure, may jump over 12 lazy\u3000dogs today.",
    ),
    Case("smart_punctuation", SENTENCE),
    Case("smart_punctuation:direction=smart", SENTENCE),
    Case("smart_punctuation:direction=plain", SENTENCE),
    Case("smart_punctuation:kind=quotes", SENTENCE),
    Case("emoji", SENTENCE),
    Case("emoji:mode=replace", SENTENCE),
    Case("emoji:mode=to_text", SENTENCE),
    Case("option_shuffle", SENTENCE),
    Case("option_shuffle:mode=rotate", SENTENCE),
    Case("option_shuffle:form=lines", SENTENCE),
    Case("option_labels", SENTENCE),
    Case("option_labels:numbering=digit,brackets=brackets", SENTENCE),
    Case("prompt_format", SENTENCE),
    Case("prompt_format:separator=keep,casing=upper", SENTENCE),
    Case('prompt_format:separator=" - ",marker=keep', SENTENCE),
    Case("example_shuffle", SENTENCE),
    Case("example_shuffle:blocks=paragraph,skip=1", SENTENCE),
    Case("encode", SENTENCE),
    Case(
        "encode:unit=word",
        "The cXVpY2s= brown fox, by any measure, may jump over 12 lazy ZG9ncw== today.",
    ),
    Case(
        'encode:unit=word,template="<{text}>"',
        "The <cXVpY2s=> brown fox, by any measure, may jump over 12 lazy <ZG9ncw==> today.",
    ),
    Case("encode:codec=hex", SENTENCE),
    Case(
        "encode:codec=atbash,unit=word",
        "The jfrxp brown fox, by any measure, may jump over 12 lazy wlth today.",
    ),
    Case(
        "encode:codec=caesar,unit=word",
        "The txlfn brown fox, by any measure, may jump over 12 lazy grjv today.",
    ),
    Case(
        "encode:codec=nato,unit=word",
        "The Quebec Uniform India Charlie Kilo brown fox, by any measure, may jump over 12 lazy Delta Oscar Golf Sierra today.",
    ),
    Case(
        "encode:codec=braille,unit=word",
        "The ⠟⠥⠊⠉⠅ brown fox, by any measure, may jump over 12 lazy ⠙⠕⠛⠎ today.",
    ),
    Case(
        "encode:codec=binary,unit=word",
        "The 01110001 01110101 01101001 01100011 01101011 brown fox, by any measure, may jump over 12 lazy 01100100 01101111 01100111 01110011 today.",
    ),
    Case(
        "encode:codec=base32,unit=word",
        "The OF2WSY3L brown fox, by any measure, may jump over 12 lazy MRXWO4Y= today.",
    ),
    Case(
        "encode:codec=ascii85,unit=word",
        "The EHPu*CB brown fox, by any measure, may jump over 12 lazy A8c+% today.",
    ),
    Case(
        "encode:codec=hex_spaces,unit=word",
        "The 71 75 69 63 6b brown fox, by any measure, may jump over 12 lazy 64 6f 67 73 today.",
    ),
    Case(
        "encode:codec=rot13,unit=word",
        "The dhvpx brown fox, by any measure, may jump over 12 lazy qbtf today.",
    ),
    Case("encode:codec=url", SENTENCE),
    Case(
        "encode:codec=html,unit=word",
        "The &#113;&#117;&#105;&#99;&#107; brown fox, by any measure, may jump over 12 lazy &#100;&#111;&#103;&#115; today.",
    ),
    Case(
        "encode:codec=morse,unit=word",
        "The --.- ..- .. -.-. -.- brown fox, by any measure, may jump over 12 lazy -.. --- --. ... today.",
    ),
    Case(
        "encode:codec=pig_latin,unit=word",
        "The ickquay brown fox, by any measure, may jump over 12 lazy ogsday today.",
    ),
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
    Case("fitted", "thte quuitcc brwn fpc,-byay esu8rem at uhmp over y12 laxy doogs oxdsu"),
    Case("add_context", SENTENCE),
    Case("add_context:where=start", SENTENCE),
    Case("add_context:where=inside", SENTENCE),
    Case("duplicate", SENTENCE),
    Case("duplicate:unit=line", SENTENCE),
    Case("duplicate:unit=text", SENTENCE),
    Case("truncate", "The quick brown fox, by any measure, may jump over 12"),
    Case("truncate:where=start", "fox, by any measure, may jump over 12 lazy dogs today."),
    Case("truncate:unit=character", "The quick brown fox, by any measure, may jump over 12 la"),
    Case("line_breaks", SENTENCE),
    Case(
        "line_breaks:width=20",
        "The quick brown fox,\nby any measure, may jump over 12 lazy dogs today.",
    ),
    Case(
        "line_breaks:mode=hyphenate,width=12",
        "The quick brown fox,\nby any measure, may jump over 12 lazy dogs today.",
    ),
    Case(
        "line_breaks:mode=hyphenate,width=12,dictionary=en_US",
        "The quick brown fox,\nby any measure, may jump over 12 lazy dogs today.",
    ),
    Case("line_breaks:mode=join", SENTENCE),
    Case("line_breaks:mode=crlf", SENTENCE),
    Case("edge_whitespace", SENTENCE),
    Case("edge_whitespace:where=start", SENTENCE),
    Case("edge_whitespace:unit=text", SENTENCE),
    Case("edge_whitespace:mode=remove", SENTENCE),
    Case("punctuation", SENTENCE),
    Case("punctuation:mode=strip_end", SENTENCE),
    Case(
        "punctuation:mode=add",
        "The quick brown fox, by any measure, may jump over! 12 lazy, dogs today.",
    ),
    Case(
        "dictation", "The quick brown fox comma by any measure, may jump over 12 lazy dogs today."
    ),
]
SPECS = [case.spec for case in CASES]
# The first way to call each perturbator; the others differ from it in a parameter.
FIRST = frozenset({spec.partition(":")[0]: spec for spec in reversed(SPECS)}.values())
