(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const root = document.documentElement;

  // Theme: as the system says, light or dark.
  const themes = ["auto", "light", "dark"];
  const button = $("#theme");
  const stored = () => { try { return localStorage.getItem("perturb-theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("perturb-theme", theme); } catch { /* not kept */ } };
  const wear = (theme) => {
    root.dataset.theme = theme;
    button.lastElementChild.textContent = theme;
  };
  wear(themes.includes(stored()) ? stored() : "auto");
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
    wear(next);
    store(next);
  });

  // Flips: filtered, and shown a few at a time.
  const form = $("#filter");
  const items = [...document.querySelectorAll(".flips > li")];
  const texts = items.map((item) => item.textContent.toLowerCase());
  const PAGE = 25;
  let shown = PAGE;
  const matches = (item, at, wanted) =>
    ["perturbator", "p", "direction"].every((key) => !wanted[key] || item.dataset[key] === wanted[key]) &&
    texts[at].includes(wanted.text.toLowerCase());
  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    let found = 0;
    items.forEach((item, at) => {
      const fits = matches(item, at, wanted);
      found += fits;
      item.hidden = !fits || found > shown;
    });
    $("#count").textContent = `${Math.min(found, shown)} of ${found} shown`;
    $("#more").hidden = found <= shown;
  };
  const list = (perturbator, p) => {
    form.reset();
    form.elements.perturbator.value = perturbator;
    form.elements.p.value = p;
    shown = PAGE;
    filter();
    $("#flips").scrollIntoView();
    form.elements.perturbator.focus({ preventScroll: true });
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => { shown = PAGE; filter(); });
    $("#more").addEventListener("click", () => {
      const next = items.filter((item) => !item.hidden).length;
      shown += PAGE;
      filter();
      const first = items.filter((item) => !item.hidden)[next];
      first.tabIndex = -1;
      first.focus();
    });
    document.querySelectorAll("a[data-perturbator]").forEach((link) =>
      link.addEventListener("click", (event) => {
        event.preventDefault();
        list(link.dataset.perturbator, link.dataset.p);
      }));
    filter();
  }

  // Charts: drawn without evaluating code, in the colours of the page.
  $("#unscripted")?.remove();
  const specs = $("#charts") ? JSON.parse($("#charts").textContent) : {};
  const options = { mode: "vega-lite", renderer: "svg", actions: false, ast: true, tooltip: { theme: "custom" } };
  document.querySelectorAll(".chart").forEach(async (place) => {
    const { chart, focus } = place.dataset;
    const spec = focus ? { ...specs[chart], params: [{ name: "focus", value: focus }] } : specs[chart];
    const { view } = await vegaEmbed(place, spec, options);
    view.addEventListener("click", (_, item) => {
      if (form && item?.datum?.perturbator) list(item.datum.perturbator, item.datum.strength);
    });
    place.dataset.drawn = "";
  });
})();
