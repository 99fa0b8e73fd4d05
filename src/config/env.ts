/** The only reader of the environment; on import it sets NODE_ENV, which Elysia reads when it starts. */
Bun.env.NODE_ENV ??= "production";

export type Environment = Readonly<Record<string, string>>;

/** The variables that are set, as plain strings. */
export function environment(): Environment {
  const set = Object.entries(Bun.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(set);
}
