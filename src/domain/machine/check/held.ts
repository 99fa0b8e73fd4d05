import type { Db } from "../../../../db/open.ts";
import { heldBecause } from "../access-boxes/promote.ts";
import { error, type Finding } from "./finding.ts";

/** A held primary: another counts, or recovery waits. */
export function checkHeld(db: Db): Finding[] {
  const words = heldBecause(db);
  return words === undefined ? [] : [error("books", words.toString(), "books_held", {})];
}
