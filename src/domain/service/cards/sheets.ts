import { cardTemplates } from "../../../../db/schema.ts";

export const sheets = cardTemplates.sheet.enumValues;
/** What cards are printed on: so many on a sheet of A4, or one after the other on a roll of 58 or 80 mm. */
export type Sheet = (typeof sheets)[number];

/** Cards that are shown, and printed, in one go; more are a range after a range. */
const MOST = 480;

const counts: Readonly<Record<Sheet, number>> = {
  "a4-10": 10,
  "a4-21": 21,
  "a4-36": 36,
  "a4-48": 48,
  "roll-58": 1,
  "roll-80": 1,
};

/** Sheets on which a second QR, as large as phones want it, finds room. */
const roomy: ReadonlySet<Sheet> = new Set(["a4-10", "roll-58", "roll-80"]);

export function isSheet(name: string | null): name is Sheet {
  return sheets.some((one) => one === name);
}

export function cardsOn(sheet: Sheet): number {
  return counts[sheet];
}

/** How many cards are printed in one go: whole sheets. */
export function mostAtOnce(sheet: Sheet): number {
  return MOST - (MOST % counts[sheet]);
}

/** Whether the QR that joins the Wi-Fi stands on its cards beside the one that logs in. */
export function hasRoomForTwo(sheet: Sheet): boolean {
  return roomy.has(sheet);
}

export function linesOf(sheet: Sheet): number {
  return sheet === "a4-48" ? 0 : sheet === "a4-36" ? 1 : 2;
}
