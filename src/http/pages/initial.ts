/** The letter in place of a logo. */
export function firstLetter(name: string): string {
  const [letter = ""] = name.match(/\p{L}|\p{N}/u) ?? [];
  return letter.toUpperCase();
}
