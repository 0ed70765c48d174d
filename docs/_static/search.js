// Rank the pages for what is asked, by BM25 of their words: a page needs to have some of them, not all.
const STOP = new Set([...stopwords, ..."can get way want need use using used like make tool perturb please one".split(" ")]);
const stemmer = new Stemmer();
const stems = new Map();
const stem = (word) => stems.get(word) ?? (stems.set(word, stemmer.stemWord(word)), stems.get(word));
// A name such as word_swap or lm-eval is a word, and so is each of its parts.
const wordsOf = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((name) => {
    const parts = name.split(/[_-]/);
    return (parts[1] ? [name, ...parts] : parts).map(stem);
  });

// A word of the title, of a heading, or one that "Where is it?" gives, says more than any number in the text.
const TITLE = 2.5, LEADS = 2, HEADING = 1.5;
const K = 1.2, B = 0.5;

// How often a section, or all sections of a page, have each word, and what its headings add to it.
function unitOf(page, sections) {
  const counts = new Map(), bonus = new Map();
  let length = 0;
  for (const word of sections.flatMap((section) => section.words)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    length += 1;
  }
  const add = (words, weight) => new Set(words).forEach((word) => bonus.set(word, (bonus.get(word) ?? 0) + weight));
  add(page.titleWords, TITLE);
  add(sections.flatMap((section) => section.headingWords), HEADING);
  add(sections.flatMap((section) => section.leadWords), LEADS);
  return { counts, bonus, length };
}

for (const page of PAGES) {
  page.titleWords = wordsOf(`${page.sections[0][1]} ${page.page.split("/").pop()}`);
  const sections = page.sections.map(([, heading, text, leads]) => ({ words: wordsOf(text), headingWords: wordsOf(heading), leadWords: wordsOf(leads) }));
  page.whole = unitOf(page, sections);
  page.parts = sections.map((section) => unitOf(page, [section]));
}
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const LENGTH = { whole: mean(PAGES.map((page) => page.whole.length)), part: mean(PAGES.flatMap((page) => page.parts.map((part) => part.length))) };
const pagesWith = new Map();
for (const { whole } of PAGES) for (const word of new Set([...whole.counts.keys(), ...whole.bonus.keys()])) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);
const rarity = (word) => Math.log(1 + (PAGES.length - pagesWith.get(word) + 0.5) / (pagesWith.get(word) + 0.5));

function score(asked, { counts, bonus, length }, usual) {
  let sum = 0;
  for (const [word, weight] of asked) {
    const count = counts.get(word) ?? 0;
    const text = (count * (K + 1)) / (count + K * (1 - B + (B * length) / usual));
    sum += weight * rarity(word) * (text + (bonus.get(word) ?? 0));
  }
  return sum;
}

// A word that no page has stands for those that begin like it, such as "transl" for translations.
function known(word) {
  if (pagesWith.has(word)) return [[word, 1]];
  const near = [...pagesWith.keys()].filter((one) => one.length > 3 && word.length > 3 && (one.startsWith(word) || word.startsWith(one)));
  return near.map((one) => [one, 0.5 / near.length]);
}

function search(question) {
  const all = (question.toLowerCase().match(/[\p{L}\p{N}_'-]+/gu) ?? []);
  const telling = all.filter((word) => !STOP.has(word));
  const words = wordsOf((telling.length ? telling : all).join(" "));
  const asked = [...new Set(words)].flatMap(known);
  const most = asked.reduce((sum, [word, weight]) => sum + weight * rarity(word), 0);
  const name = telling.join("_").replaceAll("-", "_");
  return PAGES.map((page) => {
    // The beginning of a page says what it is about: a section has to be clearly better.
    const parts = page.parts.map((part, at) => score(asked, part, LENGTH.part) * (at ? 1 : 1.3));
    const best = parts.indexOf(Math.max(...parts));
    const has = ([word]) => page.whole.counts.has(word) || page.whole.bonus.has(word);
    const share = asked.filter(has).reduce((sum, [word, weight]) => sum + weight * rarity(word), 0) / most;
    const exact = page.page.split("/").pop().replaceAll("-", "_") === name ? 3 : 1;
    const points = (score(asked, page.whole, LENGTH.whole) + parts[best]) * page.weight * exact * share;
    return { page, section: page.sections[best], points, asked };
  })
    .filter((found) => found.points > 0)
    .sort((a, b) => b.points - a.points);
}

// ---- The page: what is asked in its address, and what is typed into its field.

// The piece of a text with the most of the words that were asked, and these words marked.
function excerpt(text, asked) {
  const wanted = new Set(asked.map(([word]) => word));
  const spans = [...text.matchAll(/[\p{L}\p{N}_-]+/gu)].filter(([word]) => wordsOf(word).some((one) => wanted.has(one)));
  const within = (start) => new Set(spans.filter(({ index }) => index >= start && index < start + 160).map(([word]) => stem(word.toLowerCase()))).size;
  const densest = spans.reduce((best, { index }) => (within(index) > within(best) ? index : best), spans[0]?.index ?? 0);
  const from = densest < 60 ? 0 : text.indexOf(" ", densest - 60) + 1;
  const to = text.length < from + 220 ? text.length : text.lastIndexOf(" ", from + 220);
  const said = document.createElement("p");
  let at = from;
  for (const { 0: word, index } of spans.filter(({ index }) => index >= from && index < to)) {
    const mark = document.createElement("mark");
    mark.textContent = word;
    said.append(text.slice(at, index), mark);
    at = index + word.length;
  }
  said.prepend(from ? "… " : "");
  said.append(text.slice(at, to), to < text.length ? " …" : "");
  return said;
}

function item({ page, section: [anchor, heading, text], asked }) {
  const link = document.createElement("a");
  const title = page.sections[0][1];
  link.href = `${page.page}.html${anchor && `#${anchor}`}`;
  link.textContent = anchor ? `${title}: ${heading}` : title;
  const kind = document.createElement("small");
  kind.textContent = page.kind;
  const entry = document.createElement("li");
  entry.append(link, " ", kind, excerpt(text || page.sections[0][2], asked));
  return entry;
}

function show(question) {
  const list = document.createElement("ol");
  const found = search(question);
  list.append(...found.slice(0, 20).map(item));
  const none = document.createElement("p");
  none.innerHTML = 'No page has any of these words. <a href="find.html">Where is it?</a> lists what people look for.';
  document.querySelector("#search-results").replaceChildren(...(found.length ? [list] : question.trim() ? [none] : []));
}

const field = document.querySelector("#search-again input");
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", () => show(field.value));
field.form.addEventListener("submit", (event) => event.preventDefault());
show(field.value);
