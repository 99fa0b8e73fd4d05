/** Cases of a property test; THOROUGH, for releases, asks for more. */
export const runs = (usual: number, thorough: number): { numRuns: number } => ({
  numRuns: Bun.env["THOROUGH"] ? thorough : usual,
});
