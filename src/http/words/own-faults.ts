import type { Messages } from "./compiled/messages.ts";
import { loadMessages } from "./messages.ts";
import type { OwnFault } from "./own.ts";

/** What is wrong, in a sentence. */
export function faultSentence({ kind, about }: OwnFault, { faults }: Messages["languages"]): string {
  const said = faults[kind];
  return typeof said === "string" ? said : said(about);
}

/** With key and place, for command line and log. */
export function inEnglish(fault: OwnFault): string {
  const place = fault.key === "" ? fault.file : `${fault.file}, ${fault.key}`;
  return `${place}: ${faultSentence(fault, loadMessages("en").languages).replace(/\.$/, "")}`;
}
