// How Sphinx's search ranks: as ever, with "Where is it?" before pages that merely have a word.
var Scorer = {
  score: ([page, , , , score]) => score + (page === "find" ? 6 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
