// The edits of a record, read and undone without perturb.
function parse(edits) {
  const texts = Object.create(null), values = Object.create(null);
  for (const change of edits ? edits.split(";") : []) {
    const at = change.search(/[|=]/);
    const path = decoded(change.slice(0, at)), rest = change.slice(at + 1);
    if (change[at] === "=") values[path] = rest ? JSON.parse(decoded(rest)) : null;
    else texts[path] = rest.split("|").map((edit) => {
      const [, start, old, text] = /^(\d+):(.*)>(.*)$/s.exec(edit);
      return [Number(start), decoded(old), decoded(text)];
    });
  }
  return [texts, values];
}

// decodeURIComponent refuses the three bytes of half a surrogate pair.
function decoded(text) {
  return text
    .replace(/%ED%([AB].)%([89AB].)/g, (_, a, b) =>
      String.fromCharCode(0xd000 | ((parseInt(a, 16) & 63) << 6) | (parseInt(b, 16) & 63)))
    .replace(/(%[0-9A-F]{2})+/g, decodeURIComponent);
}

function restore(text, edits) {
  const points = Array.from(text); // START counts code points
  for (const [start, old, now] of edits)
    points.splice(start, Array.from(now).length, ...Array.from(old));
  return points.join("");
}
