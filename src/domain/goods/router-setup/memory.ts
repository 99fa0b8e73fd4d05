import type { SetupChoices } from "./garden/found.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { ApiAccount } from "./api-account.ts";
import { defaultRouterosPort } from "../nas/fields.ts";
import type { Nas } from "../nas/find.ts";
import { splitZone } from "../../core/networks/zone.ts";
import type { Memory } from "./plan.ts";
import type { NamedPlace } from "./places.ts";
import type { RadiusPlace } from "./parts.ts";

/** Absent parts as stored, else defaults. */
export interface RouterLogin {
  readonly username: string;
  readonly password: string;
  readonly port?: number | undefined;
  readonly tls?: boolean | undefined;
}

export function apiEndpoint(router: Nas, { port, tls }: Pick<RouterLogin, "port" | "tls">) {
  const isTls = tls ?? router.routerosTls === 1;
  const stored = tls === undefined || isTls === (router.routerosTls === 1) ? router.routerosPort : null;
  return {
    host: router.routerosHost ?? splitZone(router.address).host,
    port: port ?? stored ?? defaultRouterosPort(isTls),
    tls: isTls,
    fingerprint: router.routerosTlsFingerprint,
  };
}

/** State before the set-up. */
export function readMemory({ $client, vault }: Db, nasId: number): Memory {
  const row = $client
    .query<{ sealed: Uint8Array }, [number]>(
      "SELECT before_sealed AS sealed FROM router_setups WHERE nas_id = ?",
    )
    .get(nasId);
  if (!row) return [];
  const memory: Memory = JSON.parse(vault.openText(Buffer.from(row.sealed)));
  return memory;
}

export function keepMemory({ $client, vault }: Db, nasId: number, memory: Memory, now: Seconds): void {
  if (memory.length === 0) return void $client.query("DELETE FROM router_setups WHERE nas_id = ?").run(nasId);
  $client
    .query<unknown, [number, Buffer, Seconds]>(
      `INSERT INTO router_setups (nas_id, before_sealed, set_up_at) VALUES (?, ?, ?)
       ON CONFLICT (nas_id) DO UPDATE SET before_sealed = excluded.before_sealed`,
    )
    .run(nasId, vault.seal(JSON.stringify(memory)), now);
}

export function keepAccount(
  tx: Tx,
  router: Nas,
  { login, account }: { login: RouterLogin; account: ApiAccount | null },
): void {
  const { host, port, tls } = apiEndpoint(router, login);
  const known = router.routerosPasswordSealed && tx.vault.openText(router.routerosPasswordSealed);
  const isKnown =
    router.routerosUsername === (account?.username ?? null) && known === (account?.password ?? null);
  if (isKnown && (!account || (router.routerosPort === port && (router.routerosTls === 1) === tls))) return;
  const columns = {
    routerosHost: account && host,
    routerosPort: account && port,
    routerosUsername: account?.username ?? null,
    routerosPasswordSealed: account && tx.vault.seal(account.password),
    routerosTls: account && tls ? (1 as const) : (0 as const),
    ...(account === null && { routerosTlsFingerprint: null }),
  };
  update(tx, nas, columns, { id: router.id });
}

/** Notes the router's RADIUS servers, first first; null: unknown. */
export function noteRequested(tx: Tx, { id }: Pick<Nas, "id">, places: readonly RadiusPlace[] | null): void {
  const known = places?.map(({ server, authPort, acctPort }) => ({ server, authPort, acctPort }));
  update(tx, nas, { asksAt: known ? JSON.stringify(known) : null }, { id });
}

const USUAL_PORT = 1812;

export function parseChoices({ setupChoices }: Pick<Nas, "setupChoices">): SetupChoices {
  const choices: SetupChoices = setupChoices === null ? {} : JSON.parse(setupChoices);
  return choices;
}

/** A single place at the usual port is this machine. */
export function requestedPlaces({ asksAt }: Pick<Nas, "asksAt">): NamedPlace[] {
  const known: readonly RadiusPlace[] = asksAt === null ? [] : JSON.parse(asksAt);
  return known.map(({ server, authPort, acctPort }) => {
    const hasPort = known.length > 1 || authPort !== USUAL_PORT;
    return { server, authPort, acctPort, hasPort };
  });
}

export function storedLogin(
  { vault }: Db,
  { routerosUsername, routerosPasswordSealed }: Nas,
): RouterLogin | undefined {
  if (routerosUsername === null || routerosPasswordSealed === null) return undefined;
  return { username: routerosUsername, password: vault.openText(routerosPasswordSealed) };
}
