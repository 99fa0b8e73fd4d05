import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase, phrases, verbatim } from "../domain/core/errors/phrase.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import type { ReadConfig } from "../domain/goods/router-config/read.ts";
import { apiEndpoint } from "../domain/goods/router-setup/memory.ts";
import { RouterosClient } from "../routeros/client.ts";
import { readConfig } from "../routeros/config-export.ts";
import { RouterosError } from "../routeros/fault.ts";

const CONNECT = 5000;

/** Reads with the stored account. Rejects with `refused` where there is none, and `router_failed`. */
export async function readRouterConfig({ vault }: Db, router: Nas): Promise<ReadConfig> {
  const { name, routerosUsername: username, routerosPasswordSealed: sealed } = router;
  const endpoint = apiEndpoint(router, {});
  if (username === null || sealed === null)
    throw new DomainError(
      "refused",
      phrase`${name} has no account for its API; make one with: gatehouse nas setup, or name one with: gatehouse nas set --routeros-host`,
    );
  const target = { username, password: vault.openText(sealed), ...endpoint };
  try {
    return await readConfig({ open: () => RouterosClient.open(target, CONNECT), pause: Bun.sleep });
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const { host, port } = endpoint;
    throw new DomainError(
      "router_failed",
      phrases([verbatim(`${name} (${host}:${port})`), error.phrase], ": "),
    );
  }
}
