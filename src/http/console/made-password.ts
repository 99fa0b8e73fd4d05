/** What is read out over a telephone: without letters that are taken for others. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP = 4;

/** A password that is shown once. */
export function madePassword(): string {
  const letter = () =>
    LETTERS.charAt(
      Math.floor(((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * LETTERS.length),
    );
  const group = () => Array.from({ length: GROUP }, letter).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
