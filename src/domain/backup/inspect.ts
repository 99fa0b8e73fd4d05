import { Database } from "bun:sqlite";
import { DomainError } from "../errors.ts";
import { type Label, readLabel } from "./label.ts";

/** Opens a backup and looks at every page and reference of it; returns what it says about itself. Throws `refused`. */
export function inspectCopy(file: string): Label {
  using client = new Database(file, { readonly: true, strict: true });
  const label = readLabel(client);
  const faults = client
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check(3)")
    .all()
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok");
  if (faults.length > 0)
    throw new DomainError("refused", `the copy is damaged: ${faults.join("; ")}; take another one`);
  const dangling = client.query("PRAGMA foreign_key_check").all().length;
  if (dangling > 0)
    throw new DomainError("refused", `the copy has ${dangling} rows that refer to nothing; take another one`);
  return label;
}
