/** Stage pieces, pictures and forms: what pages need of them. */

export { questionForm } from "./form.js";
export { Picture, pieceAt } from "./picture.js";
