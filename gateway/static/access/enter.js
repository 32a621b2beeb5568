// The sign-in page: a link's token is taken from behind the `#` into the form, and out of the
// address, so that neither history nor a copied address holds it.

const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname + location.search);
  const field = /** @type {HTMLInputElement} */ (document.getElementById("token"));
  field.value = token;
  /** @type {HTMLElement} */ (document.getElementById("by-hand")).hidden = true;
  /** @type {HTMLElement} */ (document.getElementById("by-link")).hidden = false;
  /** @type {HTMLElement} */ (document.getElementById("heading")).textContent = "Welcome";
  /** @type {HTMLElement} */ (document.querySelector("#enter button")).focus();
}
