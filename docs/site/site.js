/** What TypeDoc's own script leaves out for visitors without a mouse. */

// Wide code and tables are scrolled by the arrow keys, so they take the focus; others do not.
const scrollers = document.querySelectorAll("pre > code, .table, .tsd-signature")
const reach = () => {
  for (const element of scrollers) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
    else element.removeAttribute("tabindex")
  }
}
new ResizeObserver(reach).observe(document.body)

// The menu of narrow windows opens on a released mouse button only: here by Enter as well, and Escape closes it.
const menu = document.getElementById("tsd-toolbar-menu-trigger")
const opened = () => document.documentElement.classList.contains("has-menu")
const press = () => {
  menu.dispatchEvent(new MouseEvent("ontouchstart" in document.documentElement ? "touchend" : "mouseup"))
  document.querySelector(".col-sidebar").querySelector("summary, a").focus()
}
menu.addEventListener("click", (event) => {
  if (event.detail === 0) press()
})
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !opened()) return
  document.body.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }))
  menu.focus()
})

// Enter in the search opens the first hit unless the arrow keys chose another.
const field = document.getElementById("tsd-search-input")
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || field.hasAttribute("aria-activedescendant")) return
  document.querySelector("#tsd-search-results a")?.click()
})
