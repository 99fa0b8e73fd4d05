import type { Db } from "../../../../../db/open.ts";
import { fold } from "../../../core/fields/text.ts";
import { parseReference } from "../reference.ts";
import type { BankLine } from "./lines.ts";

export interface Guess {
  readonly subscriberId: number;
  readonly username: string;
  readonly name: string;
  readonly by: "reference" | "name" | "amount";
}

interface Person {
  readonly id: number;
  readonly username: string;
  readonly usernameKey: string;
  readonly name: string;
}

/** Guesses whose a line is by evidence that fits one subscriber alone. */
export function guesser({ $client }: Pick<Db, "$client">, ispId: number): (line: BankLine) => Guess | null {
  const people = $client
    .query<Person, [number]>(
      `SELECT id, username, username_key AS usernameKey, name FROM subscribers WHERE isp_id = ? AND archived_at IS NULL`,
    )
    .all(ispId);
  const open = $client
    .query<{ subscriberId: number; open: number }, [number]>(
      "SELECT subscriber_id AS subscriberId, open FROM invoices WHERE paid_at IS NULL AND voided_at IS NULL AND open > 0 AND isp_id = ?",
    )
    .all(ispId);
  const byId = new Map(people.map((person) => [person.id, person]));
  const byUsername = new Map(people.map((person) => [person.usernameKey, person.id]));
  const byName = Map.groupBy(people, ({ name }) => fold(name.trim()));
  const byAmount = Map.groupBy(open, (invoice) => invoice.open);
  const guess = (ids: Iterable<number>, by: Guess["by"]): Guess | null => {
    const [id, ...others] = new Set(ids);
    const person = id === undefined ? undefined : byId.get(id);
    if (!person || others.length > 0) return null;
    return { subscriberId: person.id, username: person.username, name: person.name, by };
  };
  return ({ text, payer, amount }) => {
    const words = text.split(/[\s,;:/#]+/).filter((word) => word !== "");
    const named = words.flatMap((word) => [parseReference(word), byUsername.get(fold(word))]);
    const known = named.filter((id) => id !== undefined && byId.has(id)) as number[];
    if (known.length > 0) return guess(known, "reference");
    const ofName = payer === null ? [] : (byName.get(fold(payer)) ?? []);
    if (ofName.length > 0)
      return guess(
        ofName.map(({ id }) => id),
        "name",
      );
    return guess(
      (byAmount.get(amount) ?? []).map(({ subscriberId }) => subscriberId),
      "amount",
    );
  };
}
