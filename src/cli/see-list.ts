/** What helps whoever has misspelt a username. */
export const SEE_LIST = "; see: gatehouse subscriber list";
