/** How many cases a property is tried with; THOROUGH, which is for before a release, has it tried with more. */
export const runs = (usual: number, thorough: number): { numRuns: number } => ({
  numRuns: Bun.env["THOROUGH"] ? thorough : usual,
});
