"use strict";

const RISKS = ["none", "low", "medium", "high"];
const TABS = { text: "Output", record: "Record", command: "Command line", python: "Python", yaml: "YAML", share: "Share" };
// What the page offers to begin with: a text, steps with their settings, and rules that protect.
const EXAMPLES = {
  "typing errors": { text: "Ann's hens lay 16 eggs a day. She eats three for breakfast and sells the rest at the market for $2 an egg. How much does she make every day?", steps: [["keyboard_typos", {}]] },
  "typing errors as people make them": { text: "Could you please check whether the parcel that I ordered last Wednesday has already left your warehouse, and which address it is being sent to?", steps: [["human_typos", {}]], protect: ["number"] },
  "a scanned page": { text: "The commission met on the morning of the 14th of May. Its members had read the minutes, and found that the summary of the third session was incomplete.", steps: [["ocr", {}], ["line_breaks", { width: 48 }]] },
  "speech": { text: "Which of Dr. Lee's 3 papers was cited more than 250 times by 2019, and who wrote it with her?", steps: [["asr", {}]] },
  "options in another order": { text: "Which of these is a mammal?\nA) a trout\nB) a bat\nC) a gecko\nD) a wasp", steps: [["option_shuffle", {}], ["option_labels", {}]] },
  "other words": { text: "The quick answer was wrong, but the old engineer quietly began to build a bigger bridge.", steps: [["synonym", {}]] },
  "German keys, code protected": { text: "Warum gibt `len(zeile)` für die Größe der Zeile zwei zu viel zurück, wenn am Ende ein Umbruch steht?", steps: [["keyboard_typos", { layout: "de" }]], protect: ["code"] },
  "letters that look alike": { text: "Your account has been locked. Please confirm your password at the address below.", steps: [["homoglyph", {}]] },
};
const FACTORS = [0.25, 0.5, 2, 4];
const ROWS = 5000;
const FILE_BYTES = 20_000_000;

const state = { steps: [], spans: [], tab: "text", rows: [], row: 0, answer: null };
let catalogue = [];
let asked = 0;
// What is wrong with a file, until something is asked: an answer under way does not replace it.
let refused = "";

const $ = (id) => document.getElementById(id);

function make(name, properties = {}, ...children) {
  const { data, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  for (const [key, value] of Object.entries(data ?? {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Python counts code points, a page counts UTF-16 units.
const points = (text, units) => [...text.slice(0, units)].length;

function specOf(step, factor = 1) {
  const p = factor === 1 ? step.p : Number(Math.min(1, step.p * factor).toPrecision(3));
  const settings = [step.by === "severity" && factor === 1 ? `severity=${step.severity}` : `p=${p}`];
  for (const [name, value] of Object.entries(step.params)) {
    if (value !== "" && value !== step.about.parameters[name]) settings.push(`${name}=${value}`);
  }
  return `${step.about.name}:${settings.join(",")}`;
}

function request(factor) {
  const own = $("own-rules").value.split(/,\s*(?=(?:word|regex):)/).map((rule) => rule.trim());
  const checked = [...document.querySelectorAll("#rules input:checked")].map((box) => box.value);
  const seed = $("seed").value.trim();
  return {
    text: $("text").value,
    steps: state.steps.map((step) => specOf(step, factor)),
    seed: /^-?\d{1,15}$/.test(seed) ? Number(seed) : seed,
    protect: [...checked, ...own.filter(Boolean)],
    spans: state.spans,
  };
}

async function ask() {
  const number = ++asked;
  refused = "";
  if (!state.steps.length) return show({ error: "add a step below" });
  const factor = Number($("factor").value);
  const [answer, beside] = await Promise.all([answerAt(1), factor && answerAt(factor)]);
  if (number !== asked) return;
  show(answer);
  $("beside").hidden = !beside;
  $("said-beside").textContent = beside ? beside.error || summaryOf(beside) : "";
  if (beside && !beside.error) mark($("beside"), beside);
}

async function answerAt(factor) {
  try {
    const response = await fetch("perturb", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request(factor)),
    });
    return await response.json();
  } catch {
    return { error: "perturb play has ended: start it again, and reload this page" };
  }
}

function show(answer) {
  const error = refused || answer.error;
  $("said").classList.toggle("wrong", Boolean(error));
  $("said").textContent = error || summaryOf(answer);
  if (answer.error) return;
  state.answer = answer;
  mark($("diff"), answer);
  showTab();
}

function mark(place, answer) {
  const names = { removed: "del", written: "ins" };
  place.replaceChildren(
    ...answer.pieces.map(([kind, text]) => (names[kind] ? make(names[kind], { textContent: text }) : text)),
  );
}

function summaryOf(answer) {
  if (answer.status !== "changed") return `unchanged: ${answer.status}`;
  const edits = `${answer.edits} ${answer.edits === 1 ? "edit" : "edits"}`;
  return `${edits} in ${answer.units.toLocaleString("en")} units, ${(100 * answer.rate).toFixed(1)} %`;
}

function refuse(message) {
  refused = message;
  show({ error: message });
}

function showTab() {
  for (const button of document.querySelectorAll("[role=tab]")) {
    const chosen = button.id === `tab-${state.tab}`;
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
  }
  $("code").setAttribute("aria-labelledby", `tab-${state.tab}`);
  $("copy").ariaLabel = `Copy: ${TABS[state.tab]}`;
  const value = state.answer?.[state.tab];
  $("code").textContent = typeof value === "object" ? JSON.stringify(value, null, 2) : value ?? "";
}

function drawSteps() {
  $("steps").replaceChildren(...state.steps.map(drawStep));
}

// As in records: the second step of a name is name#2.
function labelOf(step) {
  const alike = state.steps.filter((one) => one.about.name === step.about.name);
  const place = alike.indexOf(step);
  return place > 0 ? `${step.about.name}#${place + 1}` : step.about.name;
}

function drawStep(step, index) {
  const label = labelOf(step);
  const remove = make("button", { type: "button", textContent: "Remove", ariaLabel: `Remove ${label}` });
  remove.onclick = () => {
    state.steps.splice(index, 1);
    drawSteps();
    ask();
  };
  const about = `${step.about.summary} Unit: ${step.about.unit}. Label risk: ${step.about.label_risk}.`;
  return make(
    "li",
    {},
    make("div", { className: "bar" }, make("h3", { textContent: label }), remove),
    make("p", { className: "about", textContent: about, title: step.about.doc }),
    make("div", { className: "settings" }, strength(step, label), ...Object.keys(step.about.parameters).map((name) => parameter(step, name, label))),
  );
}

// The slider is finer at its low end, where strengths are used.
const toSlider = (p) => Math.round(100 * Math.sqrt(p));
const ofSlider = (at) => Number(((at / 100) ** 2).toPrecision(2));

function strength(step, label) {
  const slider = make("input", { type: "range", min: 0, max: 100, value: toSlider(step.p), ariaLabel: `Strength of ${label}` });
  const number = make("input", { type: "number", min: 0, max: 1, step: "any", value: step.p, ariaLabel: `p of ${label}` });
  const set = (p) => {
    Object.assign(step, { p, by: "p" });
    if (levels) levels.value = "";
    ask();
  };
  slider.oninput = () => set(Number((number.value = ofSlider(slider.value))));
  number.oninput = () => {
    slider.value = toSlider(Number(number.value));
    set(number.value);
  };
  const known = Object.entries(step.about.severities);
  const levels = known.length && make("select", { ariaLabel: `severity of ${label}` }, make("option", { value: "", textContent: "by p" }), ...known.map(([level]) => make("option", { value: level, textContent: level })));
  const parts = [make("label", {}, "p ", number), slider];
  if (levels) {
    levels.value = step.by === "severity" ? step.severity : "";
    levels.onchange = () => {
      const p = step.about.severities[levels.value];
      if (p === undefined) return set(step.p);
      Object.assign(step, { by: "severity", severity: levels.value, p });
      number.value = p;
      slider.value = toSlider(p);
      ask();
    };
    parts.push(make("label", {}, "severity ", levels));
  }
  return make("div", { className: "strength" }, ...parts);
}

function parameter(step, name, label) {
  const usual = step.about.parameters[name];
  const input = typeof usual === "boolean"
    ? make("input", { type: "checkbox", checked: step.params[name] ?? usual })
    : make("input", { type: "text", placeholder: usual ?? "", value: step.params[name] ?? "" });
  input.ariaLabel = `${name} of ${label}`;
  input.oninput = () => {
    step.params[name] = input.type === "checkbox" ? input.checked : input.value.trim();
    ask();
  };
  return make("label", {}, `${name} `, input);
}

function stepOf(name, params, p, severity = "") {
  const about = catalogue.find((one) => one.name === name);
  const usual = about.severities[3] ?? (about.unit === "character" ? 0.1 : 1);
  return { about, p: p ?? usual, by: severity ? "severity" : "p", severity, params: { ...params } };
}

function add(about) {
  state.steps.push(stepOf(about.name, {}));
  drawSteps();
  ask();
}

// Begin with a text, steps and rules: those of an example, or of the command line.
function begin({ text, steps, protect = [], spans = [], seed = 0 }) {
  state.steps = steps.map((step) => stepOf(...step));
  $("seed").value = seed;
  const boxes = [...document.querySelectorAll("#rules input")];
  for (const box of boxes) box.checked = protect.includes(box.value);
  const named = boxes.map((box) => box.value);
  $("own-rules").value = protect.filter((rule) => !named.includes(rule)).join(", ");
  drawSteps();
  setText(text, spans);
}

function find() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const language = $("language").value;
  const risk = RISKS.indexOf($("risk").value);
  const found = catalogue.filter((one) => {
    const text = `${one.name} ${one.summary} ${one.unit} ${one.doc}`.toLowerCase();
    const speaks = !language || one.languages.includes("any") || one.languages.includes(language);
    return speaks && RISKS.indexOf(one.label_risk) <= risk && words.every((word) => text.includes(word));
  });
  const named = (one) => words.length && one.name.includes(words[0]);
  found.sort((a, b) => Boolean(named(b)) - Boolean(named(a)));
  const entries = found.map((one) => {
    const button = make("button", { type: "button" },
      make("b", { textContent: one.name }), ` ${one.summary}`,
      make("small", { textContent: `unit: ${one.unit} · label risk: ${one.label_risk} · ${one.languages.join(", ")}` }));
    button.onclick = () => add(one);
    return make("li", {}, button);
  });
  $("found").replaceChildren(...(entries.length ? entries : [make("li", { className: "none", textContent: "No perturbator fits." })]));
}

function drawSpans() {
  const letters = [...$("text").value];
  $("spans").replaceChildren(...state.spans.map(([start, end], index) => {
    const text = letters.slice(start, end).join("");
    const button = make("button", { type: "button", textContent: `${text.slice(0, 24)} ×`, ariaLabel: `Stop protecting ${text}, characters ${start + 1} to ${end}` });
    button.onclick = () => {
      state.spans.splice(index, 1);
      drawSpans();
      ask();
    };
    return make("li", {}, button);
  }));
}

function protect() {
  const { value, selectionStart, selectionEnd } = $("text");
  if (selectionStart === selectionEnd) return;
  state.spans.push([points(value, selectionStart), points(value, selectionEnd)]);
  drawSpans();
  ask();
}

function setText(text, spans = []) {
  $("text").value = text;
  state.spans = spans;
  drawSpans();
  ask();
}

async function open(file) {
  const text = await file.slice(0, FILE_BYTES).text();
  const lines = text.split("\n").filter((line) => line.trim()).slice(0, ROWS);
  if (file.size > FILE_BYTES) lines.pop(); // it may be cut
  try {
    state.rows = lines.map((line) => JSON.parse(line));
  } catch (error) {
    return refuse(`${file.name}: not JSON lines: ${error.message}`);
  }
  const fields = [...new Set(state.rows.flatMap((row) => Object.keys(row ?? {}).filter((key) => typeof row[key] === "string")))];
  if (!fields.length) return refuse(`${file.name}: no row has a field that is a string`);
  $("field").replaceChildren(...fields.map((field) => make("option", { textContent: field })));
  const likely = ["text", "question", "prompt", "input", "content"].find((name) => fields.includes(name));
  $("field").value = likely ?? fields[0];
  $("rows").hidden = false;
  go(0);
}

function go(row) {
  state.row = Math.min(Math.max(row, 0), state.rows.length - 1);
  $("row").textContent = `row ${state.row + 1} of ${state.rows.length}`;
  setText(state.rows[state.row]?.[$("field").value] ?? "");
}

async function copy() {
  const done = $("copied");
  try {
    await navigator.clipboard.writeText($("code").textContent);
    done.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($("code"));
    done.textContent = "Selected: copy it with the keyboard";
  }
  setTimeout(() => (done.textContent = ""), 3000);
}

function drawTabs() {
  const tabs = Object.entries(TABS).map(([name, label]) => {
    const button = make("button", { type: "button", id: `tab-${name}`, textContent: label, data: { role: "tab", "aria-controls": "code" } });
    button.onclick = () => {
      state.tab = name;
      showTab();
    };
    return button;
  });
  const list = document.querySelector("[role=tablist]");
  list.replaceChildren(...tabs);
  list.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex((tab) => tab.id === `tab-${state.tab}`);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  };
}

function listen() {
  $("text").oninput = () => {
    // The offsets of what was selected hold for the text as it was.
    state.spans = [];
    drawSpans();
    ask();
  };
  $("protect").onclick = protect;
  $("seed").oninput = ask;
  $("reseed").onclick = () => {
    $("seed").value = (Number($("seed").value) || 0) + 1;
    ask();
  };
  $("file").onchange = async ({ target }) => {
    const file = target.files[0];
    if (file) await open(file);
    target.value = ""; // so that the same file can be opened again
  };
  $("field").onchange = () => go(state.row);
  $("previous").onclick = () => go(state.row - 1);
  $("next").onclick = () => go(state.row + 1);
  $("copy").onclick = copy;
  $("own-rules").oninput = ask;
  $("factor").onchange = ask;
  $("example").onchange = () => begin(EXAMPLES[$("example").value]);
  for (const id of ["find", "language", "risk"]) $(id).oninput = find;
}

async function start() {
  drawTabs();
  listen();
  const known = await (await fetch("catalogue")).json();
  catalogue = known.perturbators;
  $("rules").append(...known.presets.map((rule) => {
    const box = make("input", { type: "checkbox", value: rule, onchange: ask });
    return make("label", {}, box, rule);
  }));
  const languages = [...new Set(catalogue.flatMap((one) => one.languages))].filter((one) => one !== "any").sort();
  $("language").append(make("option", { value: "", textContent: "any" }), ...languages.map((one) => make("option", { textContent: one })));
  $("risk").append(...RISKS.map((one) => make("option", { textContent: one })));
  $("risk").value = "high";
  $("example").append(...Object.keys(EXAMPLES).map((name) => make("option", { textContent: name })));
  $("factor").append(make("option", { value: "", textContent: "—" }), ...FACTORS.map((factor) => make("option", { textContent: factor })));
  find();
  begin({ ...Object.values(EXAMPLES)[0], ...known.start });
}

start();
