import { readFileSync } from "node:fs";
import { EnvironmentFile } from "./environment-file.ts";

/** The only reader of the environment; on import it sets NODE_ENV, which Elysia reads when it starts. */
Bun.env.NODE_ENV ??= "production";

export type Environment = Readonly<Record<string, string>>;

export function environment(): Environment {
  const set = Object.entries(Bun.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(set);
}

/** The variable that the installed command line sets, so that it runs with the service's configuration. */
const ENVIRONMENT_FILE = "GATEHOUSE_ENV_FILE";

/** Names the file and what is wrong with it. */
export class UnreadableEnvironment extends Error {
  override name = "UnreadableEnvironment";
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`${file} ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.file = file;
  }
}

/**
 * The environment plus the service's environment file. Variables already set win, and a missing file adds nothing, as in the
 * unit. Also takes the time zone from the file. Throws UnreadableEnvironment.
 */
export function withEnvironmentFile(env: Environment): Environment {
  const { [ENVIRONMENT_FILE]: file, ...own } = env;
  if (!file) return own;
  const all = { ...readEnvironmentFile(file), ...own };
  if (all["TZ"]) Bun.env.TZ = all["TZ"];
  return all;
}

let begun: string | undefined;

/** Sets the time zone of this process and its threads; empty: the one it started with. */
export function useZone(zone: string): void {
  begun ??= Temporal.Now.timeZoneId();
  const zoneName = zone === "" ? begun : zone;
  if (Temporal.Now.timeZoneId() !== zoneName) Bun.env.TZ = zoneName;
}

function readEnvironmentFile(file: string): Environment {
  try {
    return EnvironmentFile.read(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new UnreadableEnvironment(file, error);
  }
}
