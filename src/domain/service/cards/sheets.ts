import { cardTemplates } from "../../../../db/schema.ts";

export const sheets = cardTemplates.sheet.enumValues;
/** An A4 sheet of so many cards, or a roll of 58 or 80 mm. */
export type Sheet = (typeof sheets)[number];

/** Cards of one printing at the most; more take several ranges. */
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

/** Cards of one printing: whole sheets. */
export function mostAtOnce(sheet: Sheet): number {
  return MOST - (MOST % counts[sheet]);
}

/** Whether the QR code for the Wi-Fi fits beside the one for the login. */
export function hasRoomForTwo(sheet: Sheet): boolean {
  return withWifiQr.has(sheet);
}

/** Lines of own words that a card has room for. */
export function ownLinesOn(sheet: Sheet): number {
  return sheet === "a4-48" ? 0 : sheet === "a4-36" ? 1 : 2;
}
