/** Domain sentences have no full stop. */
export function ended(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return text.startsWith("/") ? `${text}.` : `${first}.`;
}
