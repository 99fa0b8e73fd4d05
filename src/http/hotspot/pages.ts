import type { Branding } from "../../domain/people/branding/branding.ts";
import { firstLetter } from "../pages/initial.ts";
import { type HotspotLanguage, type HotspotWords, languages } from "../words/languages.ts";

/** A brand whose logo is a file beside the pages. */
export interface HotspotBrand extends Branding {
  readonly logoName: string | undefined;
}

/*
 * RouterOS fills `$( )` (manual, "Hotspot customisation"). Whatever visitors control (name, destination) is used only
 * URL-escaped (`-esc`), so that it cannot inject markup.
 */

export function loginPage(brand: HotspotBrand, language: HotspotLanguage): string {
  const { portal, words } = language;
  const { username, password } = portal.signIn;
  return document(brand, language, {
    title: "title",
    scripts: ["md5.js"],
    body: `<p class="lead" data-w="lead">${text(words.lead)}</p>
$(if error)<p class="bad" role="alert" id="error">$(error)</p>$(endif)
$(if chap-id)$(if plain-passwd != 'yes')<noscript><p class="bad">${text(words.noScript)}</p></noscript>$(endif)$(endif)
<form id="login" method="post" action="$(link-login-only)" data-chap-id="$(chap-id)" data-chap-challenge="$(chap-challenge)" data-plain="$(plain-passwd)" data-typed="$(username-esc)" data-to="$(link-orig-esc)">
<label><span class="plain" data-w="codeOrName">${text(words.codeOrName)}</span><span class="code" data-w="code">${text(words.code)}</span><span class="name" data-w="username">${text(username)}</span>
<input id="username" name="username" required maxlength="64" autocomplete="username" autocapitalize="characters" autocorrect="off" spellcheck="false" dir="ltr"></label>
<details id="more"><summary data-w="withPassword">${text(words.withPassword)}</summary>
<label><span data-w="password">${text(password)}</span>
<input name="password" type="password" autocomplete="current-password" dir="ltr"></label></details>
<button class="button"><span class="ready" data-w="connect">${text(words.connect)}</span><span class="wait" data-w="connecting">${text(words.connecting)}</span></button>
</form>
$(if trial == 'yes')<a class="button quiet" href="$(link-login-only)?dst=$(link-orig-esc)&amp;username=T-$(mac-esc)" data-w="trial">${text(words.trial)}</a>$(endif)`,
  });
}

/** The page that leads to the requested one, or to the remaining time and data. */
export function afterLoginPage(brand: HotspotBrand, language: HotspotLanguage): string {
  const { words } = language;
  return document(brand, language, {
    title: "connected",
    head: `<noscript><meta http-equiv="refresh" content="3; url=$(link-status)"></noscript>\n`,
    body: `<dl class="big">${whatIsLeft(words)}</dl>
<a class="button" id="go-on" href="$(link-status)" data-to="$(link-redirect-esc)" data-w="goOn">${text(words.goOn)}</a>
<a class="button quiet" href="$(link-status)" data-w="left">${text(words.left)}</a>`,
  });
}

export function statusPage(brand: HotspotBrand, language: HotspotLanguage): string {
  const { words } = language;
  return document(brand, language, {
    title: "connected",
    head: `$(if refresh-timeout)<noscript><meta http-equiv="refresh" content="$(refresh-timeout-secs)"></noscript>$(endif)\n`,
    body: `<dl class="big" data-fresh="$(refresh-timeout-secs)">${whatIsLeft(words)}</dl>
<dl>${whatWasUsed(words)}</dl>
<form method="post" action="$(link-logout)"><input type="hidden" name="erase-cookie" value="on">
<button class="button" data-w="logOut">${text(words.logOut)}</button></form>`,
  });
}

/** The page after a logout, with the usage of the session. */
export function logoutPage(brand: HotspotBrand, language: HotspotLanguage): string {
  const { words } = language;
  return document(brand, language, {
    title: "loggedOut",
    body: `<dl>${whatWasUsed(words)}</dl>
<a class="button" href="$(link-login)" data-w="again">${text(words.again)}</a>`,
  });
}

/** The page for faults of the router. */
export function errorPage(brand: HotspotBrand, language: HotspotLanguage): string {
  const { words } = language;
  return document(brand, language, {
    title: "failed",
    body: `<p class="bad" role="alert" id="error">$(error)</p>
<a class="button" href="$(link-login)" data-w="again">${text(words.again)}</a>`,
  });
}

/** Redirects by the requested status and header, else by a page. */
export const redirectPage = `$(if http-status == 302)Hotspot redirect$(endif)
$(if http-header == "Location")$(link-redirect)$(endif)
<!doctype html>
<html lang="en"><head><title>Hotspot</title><meta http-equiv="refresh" content="0; url=$(link-login)"></head>
<body><a href="$(link-login)">$(hostname)</a></body></html>
`;

function whatIsLeft(words: HotspotWords): string {
  return (
    ifLimited(
      "session-time-left",
      row(words, "timeLeft", `data-seconds="$(session-time-left-secs)"`, "$(session-time-left)"),
    ) +
    ifLimited(
      "remain-bytes-total",
      row(words, "dataLeft", `data-bytes="$(remain-bytes-total)"`, "$(remain-bytes-total-nice)"),
    )
  );
}

function whatWasUsed(words: HotspotWords): string {
  return (
    row(words, "online", `data-seconds="$(uptime-secs)"`, "$(uptime)") +
    row(words, "used", `data-bytes="$(bytes-in)+$(bytes-out)"`, "$(bytes-in-nice) / $(bytes-out-nice)")
  );
}

/** The text where a limit exists: otherwise `variable` is empty or `---`. */
export function ifLimited(variable: string, text: string): string {
  return `$(if ${variable})$(if ${variable} != '---')${text}$(endif)$(endif)`;
}

function row(words: HotspotWords, key: keyof HotspotWords, data: string, plain: string): string {
  return `<div><dt data-w="${key}">${text(words[key])}</dt><dd ${data}>${plain}</dd></div>`;
}

interface Parts {
  readonly title: keyof HotspotWords;
  readonly head?: string;
  readonly scripts?: readonly string[];
  readonly body: string;
}

function document(
  brand: HotspotBrand,
  { portal, words }: HotspotLanguage,
  { title, head = "", scripts = [], body }: Parts,
): string {
  const tags = [...scripts, "hotspot.js"].map((name) => `<script src="${name}" defer></script>`);
  return `<!doctype html>
<html lang="${words.tag}" dir="${portal.dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="cache-control" content="no-store"><meta name="referrer" content="no-referrer">
<title>${text(words[title])}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">
${head}${tags.join("")}</head>
<body><main>
<div class="brand">${mark(brand)}<bdi>${text(brand.name)}</bdi></div>
<h1 data-w="${title}">${text(words[title])}</h1>
${body}
</main>
<footer>${help(brand, portal.help)}${menu(words.tag, portal.language)}</footer>
</body></html>
`;
}

function mark({ logoName, name }: HotspotBrand): string {
  if (logoName !== undefined) return `<img src="${logoName}" alt="">`;
  return `<span class="monogram" aria-hidden="true">${text(firstLetter(name))}</span>`;
}

/** A telephone number, for a link would need the network. */
function help({ phone, contact }: HotspotBrand, question: string): string {
  if (phone === "" && contact.length === 0) return "";
  const call = phone && `<p><a href="tel:${phone.replace(/[^+\d]/g, "")}" dir="ltr">${text(phone)}</a></p>`;
  const lines = contact.filter((line) => line !== phone).map((line) => `<p><bdi>${text(line)}</bdi></p>`);
  return `<p data-w="help">${text(question)}</p>${call}${lines.join("")}`;
}

function menu(chosen: string, label: string): string {
  const options = languages.map(
    ({ tag, name }) =>
      `<option value="${tag}" lang="${tag}"${tag === chosen ? " selected" : ""}>${text(name)}</option>`,
  );
  return `<select id="language" aria-label="${text(label)}">${options.join("")}</select>`;
}

function text(plain: string): string {
  return plain
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\$\(/g, "&#36;(");
}
