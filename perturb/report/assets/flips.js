
// Flips: all of them in columns; those that fit are drawn a few at a time.
const PAGE = 25;
const OPENED = 600;
const opening = (said) => node("details", {},
  node("summary", {}, own(said.slice(0, 200)), gap(`${(said.length - OPENED).toLocaleString("en")} characters`), own(said.slice(-400))),
  own(said));
const plural = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

const explorer = (data) => {
  const { flips } = data;
  const [size, two] = [flips.original.length, data.series.length > 1];
  const every = Array.from({ length: size }, (_, at) => at);
  const kinds = Object.values(data.groups).flat();
  const text = (number) => (number < 0 ? null : data.texts[number]);
  const metric = (at) => data.metrics[flips.metric[at]];
  // A reply that is lost is no change: nobody knows its score.
  const change = (at, series = 0) =>
    flips.lost[at][series] ? 0 : (flips.after[at][series] - flips.before[at][series]) * (metric(at).higher ? 1 : -1);
  const sizes = Float64Array.from(every, (at) => Math.max(Math.abs(change(at)), two ? Math.abs(change(at, 1)) : 0));
  const edits = Float64Array.from(every, (at) => flips.edits[at].length / 3 + flips.editsLeft[at]);
  const explained = Uint8Array.from(flips.status, (one) => (one === "" ? 0 : 1));
  const rows = flips.flip?.includes(1) ? "flips" : "every";
  const status = (at) => (change(at, 0) < 0 ? 1 : 0) + (change(at, 1) < 0 ? 2 : 0);

  const broke = (at) => Number(status(at) > 0);

  const orders = {
    telling: ["most telling", (a, b) => explained[b] - explained[a] || broke(b) - broke(a) || sizes[b] - sizes[a] || edits[a] - edits[b]],
    edits: ["fewest edits", (a, b) => edits[a] - edits[b]],
    drop: ["condition, largest drop", (a, b) => flips.condition[a] - flips.condition[b]],
    change: ["largest change", (a, b) => sizes[b] - sizes[a]],
    original: ["original", (a, b) => flips.original[a] - flips.original[b]],
  };

  const haystacks = new Map();
  const haystack = (at) => {
    if (!haystacks.has(at)) {
      const original = text(flips.text[at]) ?? "";
      const found = [text(flips.original[at]), original,
        text(flips.written[at]) ?? perturbed(original, flips.edits[at]), text(flips.target[at]),
        ...flips.answers[at].map(text), ...flips.cleanAnswers[at].map(text)];
      haystacks.set(at, found.join("\n").toLowerCase());
    }
    return haystacks.get(at);
  };

  const tests = {
    rows: (at, value) => value === "every" || flips.flip[at] === (value === "flips" ? 1 : 0),
    metric: (at, value) => metric(at).name === value,
    condition: (at, value) => {
      const condition = data.conditions[flips.condition[at]];
      return condition.name === value || condition.perturbator === value;
    },
    direction: (at, value) => flips.before[at].some((_, series) =>
      (value === "worse" ? change(at, series) < 0 : change(at, series) > 0)),
    who: (at, value) => status(at) === { A: 1, B: 2, both: 3 }[value],
    kind: (at, value) => ((flips.status[at] ? flips.causeKinds[at] : flips.kinds[at]) >> kinds.indexOf(value)) & 1,
    explained: (at, value) => (flips.status[at] !== "") === (value === "yes"),
    original: (at, value) => text(flips.original[at]) === value,
    text: (at, value) => haystack(at).includes(value.toLowerCase()),
  };
  data.slices.forEach((field, number) => {
    tests[`slice.${field}`] = (at, value) => text(flips.slices[at][number]) === value;
  });
  const fitting = (state) => {
    const wanted = Object.entries({ rows, ...state }).filter(([key, value]) => Object.hasOwn(tests, key) && value);
    const found = every.filter((at) => wanted.every(([key, value]) => tests[key](at, value)));
    return found.sort((orders[state.sort] ?? orders.telling)[1]);
  };

  const side = (at, series) => {
    const [before, after] = [flips.before[at][series], flips.after[at][series]];
    const moved = change(at, series);
    const [name, way] = [data.series[series], moved < 0 ? "worse" : moved > 0 ? "better" : ""];
    const whole = [before, after].every((score) => score === 0 || score === 1);
    let said = `${+before.toFixed(3)} → ${+after.toFixed(3)}`;
    if (flips.lost[at][series]) said = "reply lost";
    else if (moved === 0 && !whole) said = `${+before.toFixed(3)}, as before`;
    else if (metric(at).sides && whole) said = moved < 0 ? "good → bad" : moved > 0 ? "bad → good" : before ? "stays good" : "stays bad";
    else if (flips.flip[at] && (before - metric(at).threshold) * (after - metric(at).threshold) <= 0) said = `${moved < 0 ? "good → bad" : "bad → good"}, ${said}`;
    return node("span", { class: `word ${way}` }, name ? `${isolated(name)}: ${said}` : said);
  };
  const answers = (at) => {
    const target = text(flips.target[at]);
    const pairs = data.series.map((name, series) =>
      [name, text(flips.cleanAnswers[at][series]), text(flips.answers[at][series])]);
    if (pairs.every(([, clean, noisy]) => clean === null && noisy === null)) return [];
    const none = (word) => node("span", { class: "id" }, word);
    const say = (answer) => (answer === null ? none("none") : answer.length <= OPENED ? own(answer) : opening(answer));
    const long = pairs.flat().some((answer) => answer && (answer.length > 60 || answer.includes("\n")));
    const rows = pairs.flatMap(([name, clean, noisy]) => long
      ? [node("dt", {}, `answer ${name && `of ${isolated(name)} `}before`), node("dd", { class: "answers" }, say(clean)),
        node("dt", {}, `answer ${name && `of ${isolated(name)} `}after`), node("dd", { class: "answers" }, say(noisy))]
      : [node("dt", {}, name ? `answers of ${isolated(name)}` : "answers"),
        node("dd", { class: "answers" }, say(clean), " → ", say(noisy))]);
    data.series.forEach((name, series) => {
      const read = [flips.cleanRead[at][series], flips.read[at][series]].map(text);
      if (read.every((one) => one === null)) return;
      const [clean, noisy] = read.map((one, side) => {
        const shown = one ?? pairs[series][side + 1];
        return one === "" || shown === null ? none("nothing") : own(shown.slice(0, 200));
      });
      rows.push(node("dt", {}, name ? `read in ${isolated(name)}` : "read"), node("dd", { class: "answers" }, clean, " → ", noisy));
    });
    if (target !== null) rows.push(node("dt", {}, "right answer"), node("dd", { class: "answers" }, own(target)));
    return rows;
  };
  const explanation = (at) => {
    const count = flips.causeCount[at];
    const [repeats, turned, before] = flips.tries[at];
    const tries = repeats > 1 ? ` ${count === 1 ? "It does" : "They do"} in ${turned} of ${repeats} tries, and the original in ${before}.` : "";
    const said = {
      minimal: (count === 1 ? "The marked edit alone flips the answer."
        : `The ${count} marked edits together flip the answer; without any one of them it stays.`) + tries,
      "no flip": "Asked again, the system did not flip.",
      varies: "Asked again, the answers vary: the flip may be the system's own, and no edit is to blame.",
    };
    return flips.status[at] === "" ? []
      : [node("dt", {}, "explained"), node("dd", {}, Object.hasOwn(said, flips.status[at]) ? said[flips.status[at]]
        : `The ${count} marked edits flip the answer; the budget ended before fewer were tried.${tries}`)];
  };
  const item = (at) => {
    const condition = data.conditions[flips.condition[at]];
    const id = text(flips.original[at]);
    const flip = { text: text(flips.text[at]), start: flips.start[at], left: flips.left[at],
      edits: flips.edits[at], editsLeft: flips.editsLeft[at], causes: flips.causes[at] };
    const texts = node("dl", { class: "texts" });
    const line = (name, ...shown) => texts.append(node("dt", {}, name), node("dd", { class: "text", dir: "auto" }, ...shown));
    if (flip.text !== null) line("original", ...marked(flip, "del"));
    if (flip.text !== null && flip.edits.length) line("perturbed", ...marked(flip, "ins"));
    else if (flips.written[at] >= 0) line("perturbed", visible(text(flips.written[at])));
    texts.append(...answers(at), ...explanation(at));
    const facts = [flips.replicate[at] ? ` · version ${flips.replicate[at]}` : "", ` · ${plural(edits[at], "edit")}`];
    const what = node("p", { class: "what" }, ...data.series.map((_, series) => side(at, series)),
      data.metrics.length > 1 ? node("span", { class: "strength" }, own(metric(at).name)) : null,
      node("b", {}, own(condition.perturbator)), node("span", { class: "strength" }, condition.strength),
      node("a", { class: "id", href: `#${new URLSearchParams({ original: id })}` }, own(id)),
      node("span", { class: "id" }, ...facts));
    return node("li", {}, node("article", { "aria-label": `${isolated(id)}, ${isolated(condition.name)}` }, what, texts));
  };
  return { data, size, two, orders, rows, fitting, item, tests };
};

// The form: a choice for each property that differs, a search, and the order.
const choice = (key, label, options) => {
  const select = node("select", { name: key }, node("option", { value: "" }, "all"));
  for (const [group, entries] of options) {
    const parent = group ? select.appendChild(node("optgroup", { label: isolated(group) })) : select;
    entries.forEach(([value, shown]) => parent.append(node("option", { value }, shown)));
  }
  return node("label", {}, label, select);
};
const conditionOptions = (conditions) => {
  const groups = Map.groupBy(conditions, (one) => one.perturbator);
  return [...groups].map(([name, found]) => {
    const entries = found.map((one) => [one.name, `${isolated(name)} ${one.strength}`]);
    return found.length > 1 ? [name, [[name, `${isolated(name)}, any strength`], ...entries]] : ["", entries];
  });
};
const fillForm = (form, { data, two, orders }) => {
  const { flips } = data;
  const sided = data.metrics.every((one) => one.sides);
  const ways = [["worse", sided ? "good → bad" : "lower"], ["better", sided ? "bad → good" : "higher"]];
  const ours = (names) => [["", names.map((name) => [name, isolated(name)])]];
  if (data.metrics.length > 1) form.append(choice("metric", "Metric", ours(data.metrics.map((one) => one.name))));
  if (flips.flip.includes(0)) {
    const rows = choice("rows", "Rows", [["", [["flips", sided ? "flips" : "changes"], ["others", "others"], ["every", "all rows"]]]]);
    rows.querySelector("option").remove();
    form.append(rows);
  }
  form.append(choice("condition", "Condition", conditionOptions(data.conditions)));
  if (two) {
    const [a, b] = data.series.map(isolated);
    form.append(choice("who", "System", [["", [["B", `${a} holds, ${b} breaks`], ["A", `${b} holds, ${a} breaks`], ["both", "both break"]]]]));
  }
  form.append(choice("direction", "Direction", [["", ways]]));
  const kinds = Object.entries(data.groups).map(([group, names]) => [group, names.map((name) => [name, name])]);
  form.append(choice("kind", "Edits", kinds));
  if (flips.status.some((one) => one !== "")) form.append(choice("explained", "Explained", [["", [["yes", "yes"], ["no", "no"]]]]));
  data.slices.forEach((field, number) => {
    const values = [...new Set(flips.slices.map((row) => row[number]))].map((at) => data.texts[at]).sort();
    form.append(choice(`slice.${field}`, isolated(field), ours(values)));
  });
  const order = choice("sort", "Order", [["", Object.entries(orders).map(([key, [shown]]) => [key, shown])]]);
  order.querySelector("option").remove();
  form.append(order, node("label", { class: "wide" }, "Text", node("input", { name: "text", type: "search", autocomplete: "off", spellcheck: "false" })));
};

// What fits is found anew after every change; the list keeps as many as were asked for.
const startFlips = (data, onChange) => {
  const [form, list, count, more, load] = [$("#filter"), $("ol.flips"), $("#count"), $("#more"), $("#beside")];
  let [state, found] = [{}, explorer(data)];
  const defaults = { sort: "telling", rows: found.rows };
  fillForm(form, found);
  const draw = () => {
    const fits = found.fitting(state);
    const shown = Math.min(fits.length, Math.max(Number(state.shown) || PAGE, 1));
    list.replaceChildren(...fits.slice(0, shown).map(found.item));
    const original = state.original ? ` of ${isolated(state.original)}` : "";
    count.textContent = `${shown.toLocaleString("en")} of ${fits.length.toLocaleString("en")} shown${original}`;
    more.hidden = shown === fits.length;
    $("#clear").hidden = !Object.keys(state).some((key) => Object.hasOwn(found.tests, key) && state[key]);
    onChange(state);
  };
  const change = (next) => {
    state = Object.fromEntries(Object.entries(next).filter(([, value]) => value));
    writeState(state);
    draw();
  };
  const restore = () => {
    state = readState();
    for (const field of form.elements) field.value = state[field.name] ?? defaults[field.name] ?? "";
    draw();
    if (Object.keys(state).length) $("#filter").scrollIntoView();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const { original } = state;
    const given = Object.fromEntries(new FormData(form));
    for (const [key, value] of Object.entries(defaults)) if (given[key] === value) delete given[key];
    change({ ...given, original });
  });
  more.addEventListener("click", () => {
    const before = list.children.length;
    change({ ...state, shown: before + PAGE });
    const first = list.children[before];
    first.tabIndex = -1;
    first.focus();
  });
  $("#clear").addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    restore();
    form.elements[0].focus();
  });
  load.hidden = !data.beside.length;
  load.addEventListener("click", async () => {
    load.disabled = true;
    try {
      while (data.beside.length) {
        const further = await beside(data.beside[0]);
        for (const [name, column] of Object.entries(further.flips)) for (const value of column) data.flips[name].push(value);
        for (const text of further.texts) data.texts.push(text);
        data.beside.shift();
      }
      load.hidden = true;
    } catch (error) {
      load.textContent = `${error.message}; try again`;
    }
    load.disabled = false;
    found = explorer(data);
    form.replaceChildren();
    fillForm(form, found);
    restore();
  });
  addEventListener("hashchange", () => { if (location.hash.includes("=")) restore(); });
  restore();
};
