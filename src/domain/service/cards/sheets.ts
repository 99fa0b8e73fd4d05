import { cardTemplates } from "../../../../db/schema.ts";

export const sheets = cardTemplates.sheet.enumValues;
/** An A4 sheet by number of cards, or a 58 or 80 mm roll. */
export type Sheet = (typeof sheets)[number];

/** Most cards of one print job. */
const MOST = 480;

const counts: Readonly<Record<Sheet, number>> = {
  "a4-10": 10,
  "a4-21": 21,
  "a4-36": 36,
  "a4-48": 48,
  "roll-58": 1,
  "roll-80": 1,
};

const withWifiQr: ReadonlySet<Sheet> = new Set(["a4-10", "roll-58", "roll-80"]);

export function isSheet(name: string | null): name is Sheet {
  return sheets.some((one) => one === name);
}

export function cardsOn(sheet: Sheet): number {
  return counts[sheet];
}

/** Cards of a print job: whole sheets. */
export function mostAtOnce(sheet: Sheet): number {
  return MOST - (MOST % counts[sheet]);
}

/** Whether a Wi-Fi QR code fits beside the login's. */
export function hasRoomForTwo(sheet: Sheet): boolean {
  return withWifiQr.has(sheet);
}

export function ownLinesOn(sheet: Sheet): number {
  return sheet === "a4-48" ? 0 : sheet === "a4-36" ? 1 : 2;
}
