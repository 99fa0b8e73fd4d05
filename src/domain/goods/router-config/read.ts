import type { Nas } from "../nas/find.ts";

export const configSources = ["export", "menus"] as const;
export type ConfigSource = (typeof configSources)[number];

export interface ReadConfig {
  readonly text: string;
  readonly source: ConfigSource;
  readonly version: string;
  /** Why it was not exported, or what stayed on the router. */
  readonly note: string | null;
}

export type ReadRouterConfig = (router: Nas) => Promise<ReadConfig>;

/** Bytes. */
export const MOST_CONFIG = 4 * 1024 * 1024;
