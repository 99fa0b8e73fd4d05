import { openPrivately } from "./label.ts";

/** The books of a restored store number changes anew, so that copies which follow the former ones begin again. */
export function beginBooks(incoming: string): void {
  using client = openPrivately(incoming);
  const isThere = client.query("SELECT 1 FROM sqlite_master WHERE name = 'generations'").get() !== null;
  if (isThere) client.run("UPDATE generations SET value = abs(random() % 1000000000) WHERE name = 'books'");
}
