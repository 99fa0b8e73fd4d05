import { isMissing } from "./active.ts";
import type { RouterosClient, Row } from "./client.ts";
import { RouterosError } from "./fault.ts";

const WITHIN = 5000;

/** Whether the user may read the active lists and end what they show; else what the router says against it. */
export async function probePermissions(client: RouterosClient): Promise<string | undefined> {
  const orders: [path: string, word: string][] = [
    ["/ppp/active/print", "?name=gatehouse-test"],
    ["/ppp/active/remove", "=.id=*FFFFFFFF"],
  ];
  for (const [path, word] of orders) {
    try {
      await client.command(path, [word], WITHIN);
    } catch (error) {
      if (!(error instanceof RouterosError)) throw error;
      // there is no such entry, and it would have been removed
      if (!isMissing(error)) return `${path}: ${error.message}`;
    }
  }
  return undefined;
}

/** The router's clock in UTC seconds; undefined when it is refused or unreadable. */
export async function readClock(client: RouterosClient): Promise<number | undefined> {
  try {
    const [row] = await client.command("/system/clock/print", [], WITHIN);
    return row && parseClock(row);
  } catch (error) {
    if (error instanceof RouterosError && error.code === "trap") return undefined;
    throw error;
  }
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2030-01-15` (RouterOS 7.10) or `jan/15/2030`, `12:00:00`, and an offset of `+02:00` or in seconds. */
export function parseClock({ date = "", time = "", "gmt-offset": offset = "0" }: Row): number | undefined {
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
