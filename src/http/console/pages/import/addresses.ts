/** Where the pages of moves from other systems are. */
export const IMPORT = "/console/settings/import";
export const runPath = (id: string) => `${IMPORT}/runs/${id}`;
export const movePath = (id: number) => `${IMPORT}/moves/${id}`;
export const newPath = (source: string) => `${IMPORT}/new/${source}`;
