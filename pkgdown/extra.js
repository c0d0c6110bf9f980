// extra.js - the list of contents beside a page, from its headings.
(function () {
  const nav = document.querySelector("nav#toc");
  const headings = document.querySelectorAll("main h2, main h3");
  if (!nav) return;
  if (headings.length < 2) {
    nav.remove();
    return;
  }
  const list = document.createElement("ul");
  let inner = null; // the list below the last heading of the first kind
  headings.forEach(function (heading, i) {
    const holder = heading.closest("[id]");
    const id = heading.id || (holder && holder.tagName !== "MAIN" ? holder.id : "");
    if (!id) heading.id = "heading-" + i;
    const item = document.createElement("li");
    const link = document.createElement("a");
    const text = heading.cloneNode(true);
    text.querySelectorAll("a.anchor").forEach((a) => a.remove());
    link.href = "#" + (id || heading.id);
    link.append(...text.childNodes);
    item.append(link);
    if (heading.tagName === "H3" && inner) {
      inner.append(item);
      return;
    }
    list.append(item);
    if (heading.tagName === "H3") return;
    inner = document.createElement("ul");
    item.append(inner);
  });
  nav.append(list);
})();
