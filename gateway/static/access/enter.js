// The sign-in page: a link's token is taken from behind the `#` into the form, and out of the
// address, so that neither history nor a copied address holds it.

import { all, byId } from "../shared/elements.js";

const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname + location.search);
  byId("token", HTMLInputElement).value = token;
  byId("by-hand").hidden = true;
  byId("by-link").hidden = false;
  byId("heading").textContent = "Welcome";
  all(document, "#enter button")[0].focus();
}
