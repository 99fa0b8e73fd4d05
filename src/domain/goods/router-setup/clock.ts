import type { Item } from "./values.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2030-01-15` (RouterOS 7.10) or `jan/15/2030`, `12:00:00`, offset `+02:00` or seconds. */
export function parseClock({ date = "", time = "", "gmt-offset": offset = "0" }: Item): number | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  const old = /^([a-z]{3})\/(\d\d)\/(\d{4})$/i.exec(date);
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : [old?.[3], String(MONTHS.indexOf(old?.[1]?.toLowerCase() ?? "") + 1).padStart(2, "0"), old?.[2]];
  const local = Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000;
  const seconds = parseOffset(offset);
  return Number.isNaN(local) || seconds === undefined ? undefined : local - seconds;
}

function parseOffset(text: string): number | undefined {
  const clock = /^([+-])(\d\d):(\d\d)$/.exec(text);
  if (clock) return (clock[1] === "-" ? -1 : 1) * (Number(clock[2]) * 3600 + Number(clock[3]) * 60);
  if (!/^-?\d+$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds >= 2 ** 31 ? seconds - 2 ** 32 : seconds; // old versions show it as an unsigned number
}
