// Around the terminal of textual-serve: fonts before the first measure, focus, and Italian ends.
"use strict";

history.replaceState(null, "", "/"); // the cookie has taken over from the token

function say(text) {
  if (document.body.classList.contains("-over")) return; // the first reason is the right one
  document.body.classList.add("-over");
  document.getElementById("message").textContent = text;
  const again = document.getElementById("again");
  again.hidden = false;
  again.onclick = () => location.reload();
  again.focus();
}

window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(address);
    const words = document.body.dataset;
    this.addEventListener("open", () => document.querySelector(".xterm-helper-textarea").focus());
    this.addEventListener("close", (event) => say(event.code === 1000 ? words.ended : words.lost));
    this.addEventListener("message", (event) => {
      if (typeof event.data !== "string") return;
      const [kind, text] = JSON.parse(event.data);
      if (kind === "fault") say(text);
    });
  }
};

const start = window.onload; // textual.js measures its cells here, which needs the fonts
window.onload = async (event) => {
  const styles = ["400", "700", "italic 400", "italic 700"];
  await Promise.allSettled(styles.map((style) => document.fonts.load(`${style} 16px "Roboto Mono"`)));
  start(event);
};
