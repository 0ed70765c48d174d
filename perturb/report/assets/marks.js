
// Marks: a text cut at its edits; offsets count code points, as in Python.
const AROUND = 160;
const UNSEEN = /^[\p{Z}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cn}\p{Co}\p{Cs}]+$/u;
const SIGNS = { " ": "␣", "\n": "↵", "\t": "⇥" };
const unseen = (text) => UNSEEN.test(text)
  ? [...text].map((one) => SIGNS[one] ?? `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ")
  : null;

const gap = (what) => node("span", { class: "gap" }, ` … ${what} … `);
const kept = (points, first, last) => {
  const [head, tail] = [first ? (last ? 2 * AROUND : 0) : AROUND, last ? 0 : AROUND];
  if (points.length <= 3 * AROUND) return [visible(points.join(""))];
  return [
    visible(points.slice(0, head).join("")),
    gap(`${(points.length - head - tail).toLocaleString("en")} characters`),
    visible(tail ? points.slice(-tail).join("") : ""),
  ];
};
const mark = (name, text, cause) => {
  if (!text) return null;
  const made = node(name, {}, visible(text));
  if (cause) made.className = "cause";
  const seen = unseen(text);
  if (seen) made.dataset.seen = seen;
  return made;
};

// The original with what went marked (`del`), or the perturbed text with what came (`ins`).
const marked = (flip, name) => {
  const points = [...flip.text];
  const made = flip.start ? [gap(`${flip.start.toLocaleString("en")} characters`)] : [];
  let at = 0;
  for (let number = 0; number < flip.edits.length; number += 3) {
    const [start, end, text] = flip.edits.slice(number, number + 3);
    made.push(...kept(points.slice(at, start), !number && !flip.start, false));
    const removed = points.slice(start, end).join("");
    made.push(mark(name, name === "del" ? removed : text, flip.causes.includes(number / 3)));
    at = end;
  }
  made.push(...kept(points.slice(at), !flip.edits.length, true));
  if (flip.left) made.push(gap(`${flip.left.toLocaleString("en")} characters`));
  if (flip.editsLeft) made.push(gap(`${flip.editsLeft} more ${flip.editsLeft === 1 ? "edit" : "edits"}`));
  return made.filter((one) => one !== null);
};
const perturbed = (text, edits) => {
  const points = [...text];
  let [made, at] = ["", 0];
  for (let number = 0; number < edits.length; number += 3) {
    made += points.slice(at, edits[number]).join("") + edits[number + 2];
    at = edits[number + 1];
  }
  return made + points.slice(at).join("");
};
