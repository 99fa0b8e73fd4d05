import base from "../pages/css/base.css" with { type: "text" };
import button from "../pages/css/button.css" with { type: "text" };
import buttonKinds from "../pages/css/button-kinds.css" with { type: "text" };
import card from "../pages/css/card.css" with { type: "text" };
import charts from "../pages/css/charts.css" with { type: "text" };
import chip from "../pages/css/chip.css" with { type: "text" };
import dialog from "../pages/css/dialog.css" with { type: "text" };
import direction from "../pages/css/direction.css" with { type: "text" };
import entry from "../pages/css/entry.css" with { type: "text" };
import field from "../pages/css/field.css" with { type: "text" };
import frame from "../pages/css/frame.css" with { type: "text" };
import layout from "../pages/css/layout.css" with { type: "text" };
import noteTones from "../pages/css/note-tones.css" with { type: "text" };
import paper from "../pages/css/paper.css" with { type: "text" };
import prose from "../pages/css/prose.css" with { type: "text" };
import paperRoll from "../pages/css/paper-roll.css" with { type: "text" };
import pill from "../pages/css/pill.css" with { type: "text" };
import print from "../pages/css/print.css" with { type: "text" };
import table from "../pages/css/table.css" with { type: "text" };
import staff from "../pages/css/staff.css" with { type: "text" };
import tabs from "../pages/css/tabs.css" with { type: "text" };
import toast from "../pages/css/toast.css" with { type: "text" };
import tokens from "../pages/css/tokens.css" with { type: "text" };
import verdict from "../pages/css/verdict.css" with { type: "text" };
import htmx from "../../../node_modules/htmx.org/dist/htmx.min.js" with { type: "text" };
import uplot from "../../../node_modules/uplot/dist/uPlot.iife.min.js" with { type: "text" };
import uplotStyle from "../../../node_modules/uplot/dist/uPlot.min.css" with { type: "text" };
import buttons from "../pages/scripts/buttons.js" with { type: "text" };
import push from "../pages/scripts/push.js" with { type: "text" };
import dates from "../pages/scripts/dates.js" with { type: "text" };
import { asset } from "../pages/assets.ts";
import docsStyle from "../docs/docs.css" with { type: "text" };
import type { PlaceName } from "./places.ts";
import busy from "./assets/busy.js" with { type: "text" };
import choosingStyle from "./assets/choosing.css" with { type: "text" };
import chartReadouts from "./assets/charts.js" with { type: "text" };
import dialogs from "./assets/dialogs.js" with { type: "text" };
import focus from "./assets/focus.js" with { type: "text" };
import finder from "./assets/finder.js" with { type: "text" };
import keys from "./assets/keys.js" with { type: "text" };
import rows from "./assets/rows.js" with { type: "text" };
import liveStyle from "./assets/live.css" with { type: "text" };
import live from "./assets/live.js" with { type: "text" };
import loginsStyle from "./assets/logins.css" with { type: "text" };
import onlineStyle from "./assets/online.css" with { type: "text" };
import meStyle from "./assets/me.css" with { type: "text" };
import startZone from "./assets/start.js" with { type: "text" };
import startStyle from "./assets/start.css" with { type: "text" };
import outagesStyle from "./assets/outages.css" with { type: "text" };
import moneyScript from "./assets/money.js" with { type: "text" };
import moneyStyle from "./assets/money.css" with { type: "text" };
import signUp from "./assets/sign-up.js" with { type: "text" };
import signUpStyle from "./assets/sign-up.css" with { type: "text" };
import routersStyle from "./assets/routers.css" with { type: "text" };
import cardPrintStyle from "./assets/card-print.css" with { type: "text" };
import cardsStyle from "./assets/cards.css" with { type: "text" };
import reportsStyle from "./assets/reports.css" with { type: "text" };
import trailStyle from "./assets/trail.css" with { type: "text" };
import teamStyle from "./assets/team.css" with { type: "text" };
import branding from "./assets/branding.js" with { type: "text" };
import settingsStyle from "./assets/settings.css" with { type: "text" };
import backupsStyle from "./assets/backups.css" with { type: "text" };
import messageRulesStyle from "./assets/message-rules.css" with { type: "text" };
import webhooksStyle from "./assets/webhooks.css" with { type: "text" };
import writingStyle from "./assets/message-writing.css" with { type: "text" };
import arrivedStyle from "./assets/arrived.css" with { type: "text" };
import outboxStyle from "./assets/outbox.css" with { type: "text" };
import importUpload from "./assets/import.js" with { type: "text" };
import importStyle from "./assets/import.css" with { type: "text" };
import peopleStyle from "./assets/subscribers.css" with { type: "text" };
import todayStyle from "./assets/today.css" with { type: "text" };
import session from "./assets/session.js" with { type: "text" };
import subscriberStyle from "./assets/subscriber.css" with { type: "text" };
import subscriber from "./assets/subscriber.js" with { type: "text" };
import toasts from "./assets/toasts.js" with { type: "text" };
import zoom from "./assets/zoom.js" with { type: "text" };

const FOLDER = "/console/assets";
export const WORKER = "/console/worker.js";
export const PUSH_FOLLOW = "/console/me/push/follow";

/** Styles shared by several pages: parts first, pages after them, print last. */
const styles = [
  ...[
    tokens,
    base,
    staff,
    layout,
    frame,
    button,
    buttonKinds,
    field,
    pill,
    chip,
    card,
    table,
    tabs,
    verdict,
    toast,
    noteTones,
    dialog,
    entry,
    charts,
    paper,
    paperRoll,
    prose,
  ],
  ...[meStyle, todayStyle],
  ...[outagesStyle],
  ...[liveStyle, choosingStyle, onlineStyle, loginsStyle],
  subscriberStyle,
  ...[peopleStyle, signUpStyle],
  moneyStyle,
  ...[routersStyle, cardsStyle, arrivedStyle, writingStyle, outboxStyle],
  direction,
  print,
];

/** Each wrapped in a scope of its own. */
const scripts = [
  busy,
  rows,
  keys,
  buttons,
  push,
  dates,
  dialogs,
  focus,
  session,
  toasts,
  finder,
  live,
  chartReadouts,
  zoom,
  subscriber,
  moneyScript,
];

export const consoleStyle = asset(FOLDER, "console", "css", styles.join("\n"));

/** Extra styles for the pages of one place of the sidebar. */
export const placeStyles = {
  cards: asset(FOLDER, "cards", "css", cardPrintStyle),
  reports: asset(FOLDER, "reports", "css", reportsStyle),
  trail: asset(FOLDER, "trail", "css", trailStyle),
  messages: asset(FOLDER, "messages", "css", messageRulesStyle),
  settings: asset(
    FOLDER,
    "settings",
    "css",
    [...[teamStyle, settingsStyle, webhooksStyle, backupsStyle, importStyle]].join("\n"),
  ),
} as const satisfies Partial<Record<PlaceName, object>>;

export const startSheet = asset(FOLDER, "start", "css", startStyle);

export function placeStylesheets(place: PlaceName | null): string[] {
  const styles: Partial<Record<PlaceName, { readonly path: string }>> = placeStyles;
  const own = place === null ? undefined : styles[place];
  return own ? [consoleStyle.path, own.path] : [consoleStyle.path];
}

/** The sheet of the documentation of the API alone. */
export const docsSheet = asset(FOLDER, "docs", "css", docsStyle);

/** Begins when a document has been read where it is there before, and a moment later where it is not. */
export const htmxScript = asset(FOLDER, "htmx", "js", htmx);

export const consoleScript = asset(
  FOLDER,
  "console",
  "js",
  scripts.map((script) => `{\n${script}}\n`).join(""),
);

export const signUpScript = asset(FOLDER, "sign-up", "js", signUp);

/** Proposes the browser's time zone. */
export const startScript = asset(FOLDER, "start", "js", startZone);

export const brandingScript = asset(FOLDER, "branding", "js", branding);

export const importScript = asset(FOLDER, "import", "js", importUpload);

export const zoomScript = asset(FOLDER, "uplot", "js", `${uplot}\nexport default uPlot;\n`);
export const zoomStyle = asset(FOLDER, "uplot", "css", uplotStyle);

export const consoleAssets = [
  consoleStyle,
  ...Object.values(placeStyles),
  startSheet,
  docsSheet,
  htmxScript,
  consoleScript,
  zoomScript,
  zoomStyle,
  signUpScript,
  startScript,
  importScript,
  brandingScript,
];
