import type { Db } from "../../../../db/open.ts";

export function answers(db: Db): boolean {
  try {
    return db.$client.query("SELECT 1").get() !== null;
  } catch {
    return false; // which is the answer
  }
}
