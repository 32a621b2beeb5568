// On every page: times in the reader's zone, and the current page's entry in view.

import { showTimes } from "./times.js";

showTimes(document);
document.querySelector("header.site [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
