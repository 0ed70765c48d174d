"use strict";

const shown = {
  open: (line) => line.person === null && line.accepted,
  failed: (line) => line.person === null && !line.accepted,
  signed: (line) => line.person !== null,
  all: () => true,
};
const which = document.getElementById("which");
let lines = [];

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function marked(pieces, kind, name, parent) {
  const paragraph = element("p", "", parent);
  for (const [of, text] of pieces) {
    if (of === "kept") paragraph.append(text);
    if (of === kind && text) element(name, text, paragraph);
  }
}

function count(words = "") {
  const signed = lines.filter(shown.signed).length;
  const accepted = lines.filter((line) => line.accepted).length;
  document.getElementById("count").textContent = words
    || `${signed} of ${lines.length} have your word, ${accepted} are accepted`;
}

async function sign(line, person, article) {
  const { hash, rewording } = line;
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ hash, rewording, person }) };
  const answer = await (await fetch("sign", request)).json();
  if (answer.error) return count(answer.error);
  Object.assign(line, answer);
  fill(line, article);
  count();
  article.nextElementSibling?.querySelector("button")?.focus();
}

function fill(line, article) {
  article.replaceChildren();
  const texts = element("div", "", article);
  texts.className = "pair";
  marked(line.rewording === null ? [["kept", line.text]] : line.pieces, "removed", "del", texts);
  marked(line.rewording === null ? [["kept", line.error]] : line.pieces, "written", "ins", texts);
  const failed = Object.entries(line.checks).filter(([, said]) => said);
  const said = failed.map(([name, fault]) => `${name}: ${fault}`).join(" · ");
  const bar = element("div", "", article);
  bar.className = "bar";
  if (line.rewording !== null) {
    for (const [word, person] of [["Yes", true], ["No", false]]) {
      const button = element("button", word, bar);
      button.setAttribute("aria-pressed", line.person === person);
      button.addEventListener("click", () => sign(line, line.person === person ? null : person, article));
    }
  }
  element("p", said || (line.rewording === null ? "no rewording" : "passes every check"), bar).className = said ? "wrong" : "";
}

function draw() {
  const list = document.getElementById("lines");
  list.replaceChildren();
  for (const line of lines.filter(shown[which.value])) fill(line, element("article", "", list));
  count();
}

which.addEventListener("change", draw);
fetch("table").then(async (response) => {
  const table = await response.json();
  if (table.error) return count(table.error);
  lines = table;
  return draw();
}, (error) => count(String(error)));
