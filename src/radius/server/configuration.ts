import { configurationGeneration } from "../../../db/generations.ts";
import type { Db } from "../../../db/open.ts";
import { answerTerms, type GardenTerms } from "../../domain/service/access/garden.ts";
import { setting } from "../../domain/core/settings/settings.ts";
import { Clients } from "./clients.ts";

/** What a RADIUS thread needs to know besides the packet; replaced as a whole when the database says that it changed. */
export interface Configuration {
  readonly clients: Clients;
  readonly interimInterval: number;
  readonly garden: GardenTerms;
  /** Seconds that a lease of DHCP lasts at the most. */
  readonly dhcpLease: number;
  /** What DHCP servers send for a password beside none; "": nothing else. */
  readonly dhcpPassword: string;
}

/** Follows the configuration of the database, whichever process changes it: one indexed read a call while nothing does. */
export function followConfiguration(db: Db): () => Configuration {
  const generation = configurationGeneration(db);
  let loaded: { generation: number; configuration: Configuration } | undefined;
  return () => {
    const now = generation();
    if (loaded?.generation !== now) loaded = { generation: now, configuration: load(db) };
    return loaded.configuration;
  };
}

function load(db: Db): Configuration {
  return {
    clients: Clients.load(db),
    ...answerTerms(db),
    dhcpLease: setting(db, "dhcp_lease"),
    dhcpPassword: setting(db, "dhcp_password"),
  };
}
