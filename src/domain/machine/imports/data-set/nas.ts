import type { Db } from "../../../../../db/open.ts";
import type { StoredRow } from "./change-log.ts";
import type { Vault } from "../../../../../db/vault.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { verbatim } from "../../../core/errors/phrase.ts";
import type { Input } from "../../../core/fields/fields.ts";
import { nasFields, type NasValues, readNas } from "../../../goods/nas/fields.ts";
import {
  findMethodFault,
  findNasFaults,
  findRadsecFaults,
  type NasLookup,
  routerosPort,
  type StoredRadsec,
} from "../../../goods/nas/rules.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { Holders, type VacatedValue } from "./collisions.ts";
import { addBelow, type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";

export type NasRow = Row<NasValues & { hasRouteros: boolean }>;

export function readNasRows(db: Db, file: Input, stored: Directory, faults: Faults): NasRow[] {
  const withRouteros = new Set(
    db.$client
      .query<{ id: number }, []>("SELECT id FROM nas WHERE routeros_host IS NOT NULL")
      .all()
      .map(({ id }) => id),
  );
  return readRows(
    file["nas"],
    "/nas",
    {
      names: new Set([...Object.keys(nasFields), "routeros"]),
      read: (row, found, { id, known }) => {
        const hasRouteros = withRouteros.has(id);
        return { ...readNas(row, found, { partial: known, hasRouteros }), hasRouteros };
      },
    },
    stored.nas,
    faults,
  );
}

/** Adds faults of the NAS rules. */
export function findNasRowFaults(
  db: Db,
  rows: readonly NasRow[],
  directory: Directory,
  faults: Faults,
): VacatedValue[] {
  enter(directory, "nas", rows, faults);
  const noun = { table: "nas", noun: "NAS" };
  const addresses = new Holders(db, noun, rows, [
    { column: "address", keyOf: ({ values }) => values.address },
  ]);
  const names = new Holders(db, noun, rows, [
    {
      column: "name",
      expression: "isp_id || ' ' || name",
      keyOf: ({ id, values: { name } }) => name && `${directory.nas.get(id)} ${name}`,
    },
  ]);
  const inFile = (holder: string | undefined) => (holder === undefined ? undefined : verbatim(holder));
  const lookup: NasLookup = {
    addressHolder: (address, id) => inFile(addresses.of("address", address, id)),
    nameHolder: (name, isp, id) => inFile(names.of("name", `${isp} ${name}`, id)),
  };
  for (const { id, pointer, values } of rows) {
    const found: Faults = {};
    findNasFaults(lookup, { id, isp: directory.nas.get(id) ?? null, values }, found);
    findMethodFault(values, undefined, found);
    findRadsecFaults(storedNasRow(db, id), values, found);
    addBelow(pointer, found, faults);
  }
  return [...addresses.vacated, ...names.vacated];
}

function storedNasRow({ $client }: Db, id: number): StoredRadsec | undefined {
  const row = $client
    .query<StoredRadsec, [number]>(
      "SELECT address, disconnect_method AS disconnectMethod, radsec FROM nas WHERE id = ?",
    )
    .get(id);
  return row ?? undefined;
}

export function stageNas(staging: Staging, rows: readonly NasRow[], now: Seconds): StagedRows {
  const staged = new StagedRows(staging, "nas");
  const { vault } = staging.db;
  for (const row of rows) {
    const { routeros, hasRouteros, secret, swap_octets, coa_event_timestamp, radsec, dhcp, ...rest } =
      row.values;
    const { shaper_leases, ...columns } = rest;
    const stored = staged.find(row);
    staged.put(
      row.id,
      stored,
      {
        ...columns,
        secret_sealed: secret ? resealed(vault, secret, stored?.["secret_sealed"]) : undefined,
        swap_octets: number(swap_octets),
        coa_event_timestamp: number(coa_event_timestamp),
        radsec: number(radsec),
        dhcp: number(dhcp),
        shaper_leases: number(shaper_leases),
        ...routerosColumns(vault, { routeros, hasRouteros }, stored),
      },
      { onInsert: { created_at: now } },
    );
  }
  return staged;
}

function routerosColumns(
  vault: Vault,
  { routeros, hasRouteros }: Pick<NasRow["values"], "routeros" | "hasRouteros">,
  stored: StoredRow | undefined,
): Columns {
  if (routeros === undefined) return {};
  const { host, username, password, tls, tls_fingerprint } = routeros ?? {};
  const stays = routeros !== null && hasRouteros ? undefined : null;
  return {
    routeros_host: host ?? stays,
    routeros_port: (routeros && routerosPort(routeros, readRouteros(stored))) ?? stays,
    routeros_username: username ?? stays,
    routeros_password_sealed: password
      ? resealed(vault, password, stored?.["routeros_password_sealed"])
      : stays,
    routeros_tls: number(tls) ?? stays,
    routeros_tls_fingerprint: tls_fingerprint ?? (tls_fingerprint === null ? null : stays),
  };
}

function readRouteros(stored: StoredRow | undefined): { port: number | null; tls: boolean } | undefined {
  if (!stored) return undefined;
  const { routeros_port: port, routeros_tls: tls } = stored;
  return { port: typeof port === "number" ? port : null, tls: tls === 1 };
}

/** The secret sealed; undefined: it is as before. */
function resealed(vault: Vault, secret: string, stored: StoredRow[string] | undefined): Buffer | undefined {
  return stored instanceof Uint8Array && vault.openText(stored) === secret ? undefined : vault.seal(secret);
}

function number(value: boolean | null | undefined): 0 | 1 | null | undefined {
  return typeof value === "boolean" ? (value ? 1 : 0) : value;
}
