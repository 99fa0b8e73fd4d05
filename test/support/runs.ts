/** Whether what takes turns or is said by less is done in full, as before a release. */
export const isThorough = Boolean(Bun.env["THOROUGH"]);

/** Cases of a property test; THOROUGH, for releases, asks for more. */
export const runs = (usual: number, thorough: number): { numRuns: number } => ({
  numRuns: isThorough ? thorough : usual,
});

/** Rows of a test: those that show it, and before a release those beside them too. */
export const crossed = <T>(usual: readonly T[], thorough: readonly T[]): T[] => [
  ...usual,
  ...(isThorough ? thorough : []),
];
