/** Text between the marks FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: in its own direction, and without a say in that around it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
