import { storedTold } from "../attempt.ts";
import type { StaffVisit } from "../guard.ts";
import type { ConsoleView } from "../view.ts";
import { isReason } from "../../../domain/service/access/outcomes.ts";
import { makerIn } from "./device.tsx";
import type { Seconds } from "../../../domain/core/time/time.ts";
import type { Phrases } from "../../words/console/diagnosis.ts";
import type { ConsoleWords } from "../../words/console.ts";
import type { Format } from "../../pages/format.ts";

/** Formats sentences about a subscriber; `currency` is its ISP's. */
export function makePhrases(view: ConsoleView, currency: string): Phrases {
  const { format, now, words } = view;
  const near = (at: Seconds) => format.near(at, now);
  const made = (mac: string | null) => (mac === null ? null : makerIn(words, mac));
  return {
    name: (text) => format.name(text),
    stored: (text) => storedTold(view, text),
    near,
    full: (at) => `${format.longDay(at)}${words.list.comma}${format.near(at, at)}`,
    lasted: (seconds) => format.duration(seconds),
    ago: (at) => format.ago(at, now),
    money: (minor) => format.sum(minor, currency),
    bytes: (octets) => format.bytes(octets),
    rate: (rateLimit) => describeSpeed({ format, words }, rateLimit),
    device: (mac) => {
      const maker = made(mac);
      if (mac === null) return words.diagnosis.noDevice;
      return maker === null ? mac : words.diagnosis.aDevice(maker, mac, /^[AEIOU]/i.test(maker));
    },
    maker: (mac) => {
      const maker = made(mac);
      return maker === null ? (mac ?? words.diagnosis.theDevice) : words.diagnosis.theMaker(maker);
    },
  };
}

/** An actor that is no staff: the appliance, the command line, or a local user. */
export const actorName = ({ trail: auditLog }: Pick<ConsoleWords, "trail">, name: string): string =>
  auditLog.actors[name] ?? name;

/** Domain text as a sentence; `format` rewrites its times. */
export function sentence(text: string, format?: Format): string {
  const words = format?.times(text) ?? text;
  const whole = words.charAt(0).toUpperCase() + stopped(words).slice(1);
  return format?.name(whole) ?? whole;
}

/** A full stop of any language of the console: of most, of Bengali and Hindi, of Urdu. */
const STOP = /[.।۔]$/;

/** The other way round, for what goes on behind it. */
export const unstopped = (text: string): string => text.replace(STOP, "");

const danda =
  /^\P{L}*[\p{Script=Bengali}\p{Script=Devanagari}]|[\p{Script=Bengali}\p{Script=Devanagari}]\P{L}*$/u;

/** Letters that Urdu has and Arabic has not. */
const urdu = /[ٹڈڑںہھے]/;

/** The text with the full stop of its own language, not always its reader's: what a router answers is English. Bengali and Hindi are known by first and last letter. */
export function stopped(text: string): string {
  if (STOP.test(text)) return text;
  if (danda.test(text)) return `${text}।`;
  return `${text}${urdu.test(text) ? "۔" : "."}`;
}

/** A text's name; ready-made ones have translated names. */
export function textName({ messageTexts }: StaffVisit["view"]["words"], name: string): string {
  const names: Readonly<Record<string, string>> = messageTexts.names;
  return names[name] ?? name;
}

export function reasonName({ words }: StaffVisit["view"], reason: string): string {
  return isReason(reason) ? words.logins.reasons[reason] : reason;
}

/** `30 / 10 Mbit/s`, or that there is no limit. */
export function describeSpeed(
  { format, words: { packages } }: Pick<ConsoleView, "format" | "words">,
  rateLimit: string | null,
): string {
  return format.speeds(rateLimit, packages.downUp) ?? packages.noLimit;
}
