import type { Nas } from "../nas/find.ts";

/** By which way a configuration was read: as the router exports it, or its menus one by one, where it does not. */
export const configSources = ["export", "menus"] as const;
export type ConfigSource = (typeof configSources)[number];

export interface ReadConfig {
  readonly text: string;
  readonly source: ConfigSource;
  /** Of RouterOS; empty where it does not say. */
  readonly version: string;
  /** Why it was not exported, or what of that is still on the router; null: all went as it should. */
  readonly note: string | null;
}

/** Reads it from a router by the account that is kept. Rejects with `router_failed`, and `refused` for one that is too long. */
export type ReadRouterConfig = (router: Nas) => Promise<ReadConfig>;

/** Bytes of a configuration that is kept at the most. */
export const MOST_CONFIG = 4 * 1024 * 1024;
