
// State: filters, order and place in the list, kept in the address, as in #condition=ocr+p%3D0.1&sort=edits.
const readState = () => location.hash.includes("=")
  ? Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  : {};
const writeState = (state) => {
  const written = new URLSearchParams(state).toString();
  const clean = location.pathname + location.search;
  history.replaceState(null, "", written ? `#${written}` : clean);
};
