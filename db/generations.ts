import type { Db } from "./open.ts";

/** The number of configuration changes: one indexed read a call. */
export function configurationGeneration({ $client }: Pick<Db, "$client">): () => number {
  const generation = $client.query<{ value: number }, []>(
    "SELECT value FROM generations WHERE name = 'configuration'",
  );
  return () => generation.get()?.value ?? 0;
}
