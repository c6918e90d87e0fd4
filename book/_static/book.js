// The theme asks its scroll spy to follow a list that it names differently: point it to the list of sections, or turn it off.
document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("nav.page-toc [href]")) document.body.dataset.bsTarget = "nav.page-toc";
  else document.body.removeAttribute("data-bs-spy");
});
