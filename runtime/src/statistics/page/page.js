// Sorts a table by the column whose heading is clicked. A row and its details are one <tbody>.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = heading.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const falls = heading.getAttribute("aria-sort") !== "descending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const key = (body) => body.rows[0].cells[column].dataset.key ?? body.rows[0].cells[column].textContent;
      const isNumber = heading.classList.contains("number");
      const compare = (one, other) =>
        isNumber ? Number(key(one)) - Number(key(other)) : key(other).localeCompare(key(one));
      const bodies = [...table.tBodies].sort((one, other) => (falls ? -1 : 1) * compare(one, other));
      table.append(...bodies);
    });
  });
}
