import { Database } from "bun:sqlite";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { damaged, verifyChecksum } from "./checksum.ts";
import { readLabel } from "./label.ts";

/** Verifies checksum (absent before 0.2.0), pages and references. Returns the label. Throws `refused`. */
export function inspectCopy(file: string): ReturnType<typeof readLabel> {
  const hasChecksum = verifyChecksum(file);
  using client = new Database(file, { readonly: true, strict: true });
  const label = readLabel(client);
  if (label.hasChecksum && !hasChecksum) throw damaged();
  const faults = client
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check(3)")
    .all()
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok");
  if (faults.length > 0)
    throw new DomainError("refused", phrase`the copy is damaged: ${faults.join("; ")}; take another one`);
  const dangling = client.query("PRAGMA foreign_key_check").all().length;
  if (dangling > 0)
    throw new DomainError(
      "refused",
      phrase`the copy has ${dangling} rows that refer to nothing; take another one`,
    );
  return label;
}
