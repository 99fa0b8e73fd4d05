import { Type } from "@sinclair/typebox";
import type { Db } from "../../../../db/open.ts";
import { DomainError, type Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, field } from "../../core/fields/fields.ts";

const PRINTABLE = /^[\x20-\x7e]*$/;
/** Bytes of an option 82 part (RFC 3046), as in a Vendor-Specific. */
const MOST = 247;

export const lineId = field(
  Type.String({ maxLength: 2 * MOST + 2 }),
  phrase`must be text as the switch sends it, or its bytes such as 0x000400640001`,
  (value) => {
    const bytes = parseBytes(value);
    return bytes && bytes.length > 0 && bytes.length <= MOST ? lineIdText(bytes) : undefined;
  },
);

/** Canonical. */
export function lineIdText(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  return PRINTABLE.test(text) && !text.startsWith("0x") && text === text.trim()
    ? text
    : `0x${bytes.toString("hex")}`;
}

function parseBytes(value: string): Buffer | undefined {
  if (/^0x(?:[0-9a-f]{2})+$/i.test(value)) return Buffer.from(value.slice(2), "hex");
  const text = value.trim();
  return PRINTABLE.test(text) && !text.startsWith("0x") ? Buffer.from(text, "latin1") : undefined;
}

interface Line {
  readonly circuit_id?: string | null | undefined;
  readonly remote_id?: string | null | undefined;
}

/** Adds a fault for another subscriber's circuit and remote id. */
export function findLineFault(
  { $client }: Db,
  { id, ispId, values }: { id: number; ispId: number; values: Line },
  faults: Faults,
): void {
  const { circuit_id, remote_id } = values;
  if (circuit_id === undefined && remote_id === undefined) return;
  const stored = $client
    .query<{ circuit: string | null; remote: string | null }, [number]>(
      "SELECT circuit_id AS circuit, remote_id AS remote FROM subscribers WHERE id = ?",
    )
    .get(id);
  const circuit = circuit_id === undefined ? (stored?.circuit ?? null) : circuit_id;
  const remote = remote_id === undefined ? (stored?.remote ?? null) : remote_id;
  if (circuit === null && remote === null) return;
  const [index, value] = circuit === null ? ["remote_id", remote] : ["circuit_id", circuit];
  const other = $client
    .query<unknown, [string | null, string | null, string | null, number, number]>(
      `SELECT 1 FROM subscribers WHERE ${index} = ? AND circuit_id IS ? AND remote_id IS ? AND +isp_id = ? AND id <> ? AND archived_at IS NULL`,
    )
    .get(value, circuit, remote, ispId, id);
  if (other !== null)
    addFault(
      faults,
      circuit === null ? "remote_id" : "circuit_id",
      phrase`is the line of another subscriber`,
    );
}

/** Refuses an import after which two have the same line. Throws `refused`. */
export function requireOwnLines({ $client }: Db): void {
  const shared = $client
    .query<{ circuit: string | null; remote: string | null; usernames: string }, []>(
      `SELECT circuit_id AS circuit, remote_id AS remote, group_concat(username, ', ') AS usernames FROM subscribers
       WHERE (circuit_id IS NOT NULL OR remote_id IS NOT NULL) AND archived_at IS NULL
       GROUP BY isp_id, circuit_id, remote_id HAVING count(*) > 1 LIMIT 1`,
    )
    .get();
  if (!shared) return;
  const line = [shared.circuit, shared.remote].filter((part) => part !== null).join(" at ");
  throw new DomainError(
    "refused",
    phrase`the line ${line} is that of ${shared.usernames}; leave it with one of them`,
    { code: "line_taken" },
  );
}
