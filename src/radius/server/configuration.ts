import { configurationGeneration } from "../../../db/generations.ts";
import type { Db } from "../../../db/open.ts";
import { answerTerms, type GardenTerms } from "../../domain/service/access/garden.ts";
import { setting } from "../../domain/core/settings/settings.ts";
import { Clients } from "./clients.ts";

/** What a RADIUS thread needs besides the packet; replaced as a whole when the database changes. */
export interface Configuration {
  readonly clients: Clients;
  readonly interimInterval: number;
  readonly garden: GardenTerms;
  /** Longest DHCP lease in seconds. */
  readonly dhcpLease: number;
  /** The password that DHCP servers may send; "": none. */
  readonly dhcpPassword: string;
}

/** Follows the configuration in the database, whichever process changes it: one indexed read per call while nothing changes. */
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
