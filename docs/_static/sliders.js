// What is wider than the page is scrolled by keys too; the two bars beside the text have names.
const label = () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
};
addEventListener("load", label);
addEventListener("resize", label);

// A slider moves the strength of the texts beside it, or of the page: an edit stands where p is at
// least its own. The address keeps p, so that it can be shared.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll(".at-p:has(input)")) {
    const scope = box.matches(".all") ? document : box;
    const [input, output] = box.querySelectorAll("input, output");
    const show = () => {
      output.value = input.value;
      for (const p of scope.querySelectorAll(".at-p b")) p.textContent = input.value;
      for (const edit of scope.querySelectorAll("[data-p]"))
        edit.classList.toggle("off", edit.dataset.p > +input.value);
    };
    const shared = /^#p=([\d.]+)$/.exec(location.hash);
    if (shared) {
      input.value = shared[1];
      show();
    }
    input.addEventListener("input", show);
    input.addEventListener("change", () => history.replaceState(null, "", `#p=${input.value}`));
  }
});
