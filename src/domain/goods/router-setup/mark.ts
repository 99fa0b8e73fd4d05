/** The comment of what we make on a router. */
export const MARK = "gatehouse";
