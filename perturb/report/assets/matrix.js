
// The matrix: a row for each original that is listed, a column for each condition; what is in sight is drawn.
const startMatrix = (data) => {
  const [box, spacer, canvas, said] = [$("#matrix"), $("#matrix .spacer"), $("#matrix canvas"), $("#cell")];
  const columns = data.conditions.length;
  const two = data.series.length > 1;
  let [measure, size, height, order, cells, at] = [0, 0, 16, [], [], { row: 0, column: 0 }];
  const id = (row) => data.texts[order[row]];
  const value = (row, column, series = 0) => cells[series].get(order[row] * columns + column);
  const none = (row, column) => value(row, column) === undefined;
  // Of each cell the mean change of its rows, in percent of what scores can take; worse is negative.
  const arrange = () => {
    const { flips } = data;
    const { higher, range } = data.metrics[measure];
    const [counts, losses] = [new Map(), new Map()];
    cells = data.series.map(() => new Map());
    size = flips.original.length;
    for (let row = 0; row < size; row++) {
      if (flips.metric[row] !== measure) continue;
      const cell = flips.original[row] * columns + flips.condition[row];
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
      losses.set(flips.original[row], 0);
      cells.forEach((one, series) => {
        const change = flips.after[row][series] - flips.before[row][series];
        one.set(cell, (one.get(cell) ?? 0) + (100 * change * (higher ? 1 : -1)) / range);
      });
    }
    for (const one of cells) {
      for (const [cell, sum] of one) {
        one.set(cell, sum / counts.get(cell));
        const original = Math.floor(cell / columns);
        losses.set(original, losses.get(original) + Math.min(one.get(cell), 0));
      }
    }
    order = [...losses.keys()].sort((a, b) => losses.get(a) - losses.get(b) || a - b);
    height = order.length > 60 ? 9 : 16;
    at = { row: 0, column: 0 };
  };
  const names = $("#matrix .names");
  names.append(...data.conditions.map((one) => node("span", {}, `${isolated(one.perturbator)} ${one.strength}`)));
  const wide = () => Math.max(Math.min(box.clientWidth / columns, 44), 6);
  const head = () => names.offsetHeight;
  const draw = () => {
    const cell = wide();
    names.hidden = cell < 13;
    names.style.gridTemplateColumns = `repeat(${columns}, ${cell}px)`;
    const [width, tall] = [cell * columns, Math.max(Math.min(box.clientHeight - head(), order.length * height), 1)];
    canvas.style.top = `${head()}px`;
    const scale = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [width * scale, tall * scale];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${tall}px`];
    spacer.style.height = `${order.length * height}px`;
    const colour = (name) => { // of the two that it may be, the one that counts
      canvas.style.color = `var(${name})`;
      return getComputedStyle(canvas).color;
    };
    const [worse, better, faint, a, b] = ["--worse", "--better", "--line", "--series-a", "--series-b"].map(colour);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const first = Math.floor(box.scrollTop / height);
    for (let row = first; row < Math.min(order.length, first + tall / height + 1); row++) {
      for (let column = 0; column < columns; column++) {
        if (none(row, column)) continue;
        const [one, other] = [value(row, column), two ? value(row, column, 1) : 0];
        const lost = two && one < 0 && other < 0;
        const painted = two ? (lost ? worse : other < 0 ? b : one < 0 ? a : faint) : one < 0 ? worse : one > 0 ? better : faint;
        const largest = Math.max(Math.abs(one), Math.abs(other));
        context.globalAlpha = painted === faint ? 1 : 0.35 + 0.65 * Math.min(largest / 100, 1);
        context.fillStyle = painted;
        context.fillRect(column * cell, row * height - box.scrollTop, Math.max(cell - 1, 1), height - 1);
      }
    }
    context.globalAlpha = 1;
    if (document.activeElement === box) {
      context.strokeStyle = colour("--accent");
      context.lineWidth = 2;
      context.strokeRect(at.column * cell, at.row * height - box.scrollTop, cell - 1, height - 1);
    }
  };
  const tell = () => {
    const condition = data.conditions[at.column];
    const what = (series) => {
      const change = value(at.row, at.column, series);
      return change < 0 ? "worse" : change > 0 ? "better" : "as before";
    };
    const result = none(at.row, at.column) ? "no row"
      : data.series.map((name, series) => `${name ? `${isolated(name)} ` : ""}${what(series)}`).join(", ");
    said.replaceChildren(own(id(at.row)), " under ", own(condition.perturbator), ` ${condition.strength}: ${result}`);
  };
  const list = () => {
    const state = { original: id(at.row), condition: data.conditions[at.column].name, rows: "every" };
    if (data.metrics.length > 1) state.metric = data.metrics[measure].name;
    location.hash = new URLSearchParams(state).toString();
  };
  const pointed = (event) => {
    const place = canvas.getBoundingClientRect();
    const [row, column] = [(event.clientY - place.top + box.scrollTop) / height, (event.clientX - place.left) / wide()].map(Math.floor);
    return row >= 0 && row < order.length && column >= 0 && column < columns ? { row, column } : null;
  };
  box.addEventListener("scroll", draw);
  box.addEventListener("focus", () => { tell(); draw(); });
  box.addEventListener("blur", draw);
  box.addEventListener("pointermove", (event) => { const place = pointed(event); if (place) { at = place; tell(); } });
  box.addEventListener("click", (event) => { const place = pointed(event); if (place) { at = place; list(); } });
  box.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") return list();
    if (!step) return undefined;
    event.preventDefault();
    at = { row: Math.min(Math.max(at.row + step[0], 0), order.length - 1), column: Math.min(Math.max(at.column + step[1], 0), columns - 1) };
    const [top, bottom] = [at.row * height, (at.row + 1) * height];
    if (top < box.scrollTop) box.scrollTop = top;
    if (bottom > box.scrollTop + box.clientHeight - head()) box.scrollTop = bottom - box.clientHeight + head();
    tell();
    return draw();
  });
  new ResizeObserver(draw).observe(box);
  new MutationObserver(draw).observe(document.documentElement, { attributes: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  arrange();
  draw();
  return (state) => {
    const wanted = Math.max(data.metrics.findIndex((one) => one.name === state.metric), 0);
    if (wanted === measure && size === data.flips.original.length) return;
    measure = wanted;
    arrange();
    draw();
  };
};
