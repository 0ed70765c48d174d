// Theme: as the system says, light or dark; and buttons that copy a command.
const $ = (selector) => document.querySelector(selector);
const themes = ["auto", "light", "dark"];
const stored = () => { try { return localStorage.getItem("perturb-theme"); } catch { return null; } };
const store = (theme) => { try { localStorage.setItem("perturb-theme", theme); } catch { /* not kept */ } };
const wear = (theme) => {
  document.documentElement.dataset.theme = theme;
  $("#theme span").textContent = theme;
};

const startTheme = () => {
  wear(themes.includes(stored()) ? stored() : "auto");
  $("#theme").hidden = false;
  $("#theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    wear(next);
    store(next);
  });
};

const startCopying = () => document.querySelectorAll(".copied").forEach((box) => {
  const [code, button] = [box.querySelector("code"), box.querySelector("button")];
  button.hidden = false;
  button.addEventListener("click", async () => {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
});
