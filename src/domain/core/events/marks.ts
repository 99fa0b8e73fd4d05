import type { Db } from "../../../../db/open.ts";

export function findMark({ $client }: Pick<Db, "$client">, name: string): number | undefined {
  return $client.query<{ value: number }, [string]>("SELECT value FROM marks WHERE name = ?").get(name)
    ?.value;
}

export function setMark({ $client }: Pick<Db, "$client">, name: string, value: number): void {
  $client
    .query<unknown, [string, number]>(
      "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(name, value);
}
