import { IMPORT } from "../../parts/hrefs.ts";

export const runPath = (id: string) => `${IMPORT}/runs/${id}`;
export const movePath = (id: number) => `${IMPORT}/moves/${id}`;
export const newPath = (source: string) => `${IMPORT}/new/${source}`;
