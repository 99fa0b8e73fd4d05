// The frame beside the form of the brand: asked for anew a moment after what is typed, and when another page, scheme or width is chosen.

const PAUSE = 300;
let waiting;

/** The address of a logo that was picked and not sent, which no other page can open. */
let picked = "";

/** Shows the picked logo in the frame in place of the one that is stored. */
const showLogo = () => {
  const page = document.getElementById("brand-frame")?.contentDocument;
  const shown = page?.querySelector(".brand > :is(.logo, .monogram)");
  if (!picked || !shown) return;
  const logo = page.createElement("img");
  logo.className = "logo";
  logo.alt = "";
  logo.src = picked;
  shown.replaceWith(logo);
};

document.getElementById("brand-frame")?.addEventListener("load", showLogo);

document.getElementById("logo")?.addEventListener("change", ({ target }) => {
  if (picked) URL.revokeObjectURL(picked);
  const [file] = target.files;
  picked = file ? URL.createObjectURL(file) : "";
  if (file) showLogo();
  else document.getElementById("brand-frame").contentWindow.location.reload();
});

const show = () => {
  const form = document.getElementById("brand");
  const frame = document.getElementById("brand-frame");
  if (!form || !frame) return;
  const values = new URLSearchParams(new FormData(form));
  values.delete("form_token");
  const [path] = frame.src.split("?");
  const src = `${path}?${values}`;
  // in place, so that going back leads to the page before and not to the frame before
  if (frame.src !== src) frame.contentWindow.location.replace(src);
  frame.classList.toggle("wide", form.elements.width.value === "wide");
};

document.addEventListener("input", ({ target }) => {
  if (!target.closest("#brand")) return;
  clearTimeout(waiting);
  waiting = setTimeout(show, PAUSE);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".brand-looks a");
  const form = document.getElementById("brand");
  if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [name, value] = link.querySelector("[data-look-of]").dataset.lookOf.split("=");
  form.elements[name].value = value;
  for (const other of link.parentElement.children) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "page");
  show();
});
