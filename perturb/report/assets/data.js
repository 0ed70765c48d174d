
// Data: JSON in DEFLATE in base64, unpacked by the browser.
const unpacked = async (text) => {
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at++) bytes[at] = packed.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};

// Further rows: a script beside the page, which calls this with their data.
const beside = (name) => new Promise((resolve, reject) => {
  window.perturbRows = (text) => resolve(unpacked(text));
  const script = node("script", { src: name });
  script.addEventListener("error", () => reject(new Error(`${name} is not beside this page`)));
  document.head.append(script);
});

// A node of the page; what is not ours is only ever its text.
const node = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
};

// Characters that a browser hides or obeys, written as what they are; joiners do no harm.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const visible = (text) => text.replace(HIDDEN, (one) => {
  const code = one.codePointAt(0);
  if ("\n\t\u200c\u200d\u00ad".includes(one)) return one;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
});
const own = (text) => node("bdi", {}, visible(text));
// In an attribute or an option there is no element to isolate text that may run from right to left.
const isolated = (text) => (/^[ -~]*$/.test(text) ? text : `\u2068${visible(text)}\u2069`);
