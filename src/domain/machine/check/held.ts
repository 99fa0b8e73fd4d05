import type { Db } from "../../../../db/open.ts";
import { heldBecause } from "../access-boxes/promote.ts";
import { error, type Finding } from "./finding.ts";

/** Whether these are books that may not be written to: others count, or a restored backup waits to be recovered. */
export function checkHeld(db: Db): Finding[] {
  const words = heldBecause(db);
  return words === undefined ? [] : [error("books", words, "books_held", {})];
}
