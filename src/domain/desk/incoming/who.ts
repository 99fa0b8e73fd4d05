import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";
import { parseReference } from "./reference.ts";

/** Identification of a payer, or a text that may be any. */
export type Named =
  | { readonly by: "user_id" | "username" | "invoice" | "reference" | "any"; readonly text: string }
  | { readonly by: "nothing"; readonly text: null };

export type Who = { readonly id: number } | { readonly reason: Phrase };

interface Row {
  readonly id: number;
  readonly archivedAt: number | null;
}

const find = {
  user_id: "SELECT id, archived_at AS archivedAt FROM subscribers WHERE isp_id = ? AND id = ?",
  username: "SELECT id, archived_at AS archivedAt FROM subscribers WHERE isp_id = ? AND username_key = ?",
  invoice: `SELECT s.id, s.archived_at AS archivedAt FROM invoices i JOIN subscribers s ON s.id = i.subscriber_id
    WHERE i.isp_id = ? AND i.number = ?`,
} as const;

/** The subscriber, or why unknown. */
export function whoIs(db: Pick<Db, "$client">, ispId: number, named: Named): Who {
  if (named.by === "nothing") return { reason: phrase`it does not say whose it is` };
  const text = named.text.trim();
  const ways = named.by === "any" ? (["reference", "username", "invoice"] as const) : [named.by];
  const rows = ways.map((way) => lookUp(db, ispId, way, text)).filter((row) => row !== null);
  const here = new Set(rows.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id));
  const [id] = here;
  if (here.size > 1)
    return {
      reason: phrase`${text} may be the reference of one subscriber and the username or invoice of another`,
    };
  if (id !== undefined) return { id };
  return {
    reason: rows.length > 0 ? phrase`${text} is a subscriber who left` : phrase`nobody here is ${text}`,
  };
}

function lookUp(
  { $client }: Pick<Db, "$client">,
  ispId: number,
  way: "user_id" | "username" | "invoice" | "reference",
  text: string,
): Row | null {
  switch (way) {
    case "user_id":
    case "reference": {
      const id = way === "reference" ? parseReference(text) : wholeNumber(text);
      if (id === undefined) return null;
      return $client.query<Row, [number, number]>(find.user_id).get(ispId, id);
    }
    case "username":
      return $client.query<Row, [number, string]>(find.username).get(ispId, fold(text));
    case "invoice":
      return $client.query<Row, [number, string]>(find.invoice).get(ispId, text);
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
