import type { Db } from "../../../../db/open.ts";
import { nasById } from "../nas/find.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

export interface RadsecCertificate {
  readonly id: number;
  readonly nasId: number;
  readonly fingerprint: string;
  readonly address: string;
  readonly notAfter: Seconds;
  readonly madeAt: Seconds;
  readonly madeBy: string;
  readonly revokedAt: Seconds | null;
  /** Can still be downloaded once. */
  readonly isWaiting: boolean;
  /** Another address invalidates it. */
  readonly isOfAddress: boolean;
}

type Row = Omit<RadsecCertificate, "isWaiting" | "isOfAddress"> & { waiting: number; named: number };

const select = `SELECT id, nas_id AS nasId, fingerprint, address, not_after AS notAfter, made_at AS madeAt, made_by AS madeBy,
  revoked_at AS revokedAt, bundle_sealed IS NOT NULL AS waiting,
  address = (SELECT n.address FROM nas n WHERE n.id = nas_id) AS named FROM radsec_certificates`;

export function listRadsecCertificates(db: Db, by: Actor, nasId: number): RadsecCertificate[] {
  permit(by, "listRadsecCertificates");
  nasById(db, by.scope, nasId);
  return listCertificates(db, nasId);
}

export function listCertificates({ $client }: Db, nasId: number): RadsecCertificate[] {
  return $client.query<Row, [number]>(`${select} WHERE nas_id = ? ORDER BY id DESC`).all(nasId).map(shaped);
}

export function findCertificate({ $client }: Db, nasId: number, id: number): RadsecCertificate | undefined {
  const row = $client.query<Row, [number, number]>(`${select} WHERE nas_id = ? AND id = ?`).get(nasId, id);
  return row ? shaped(row) : undefined;
}

function shaped({ waiting, named, ...row }: Row): RadsecCertificate {
  return { ...row, isWaiting: waiting === 1, isOfAddress: named === 1 };
}

/** The newest valid one; undefined: none. */
export function findCurrent(
  certificates: readonly RadsecCertificate[],
  now: Seconds,
): RadsecCertificate | undefined {
  return certificates.find(
    ({ revokedAt, notAfter, isOfAddress }) => revokedAt === null && notAfter > now && isOfAddress,
  );
}

/** RouterOS appends `_0` for the certificate. */
export function bundleName({ id }: { readonly id: number }): string {
  return `gatehouse-radsec-${id}.p12`;
}

const DAY = 86_400;
/** Days. */
const RENEW_BEFORE = 30;

/** Why a router needs another certificate; undefined: not yet. */
export function renewalFault(certificates: readonly RadsecCertificate[], now: Seconds): string | undefined {
  const current = findCurrent(certificates, now);
  if (!current) {
    const last = certificates.find(({ revokedAt }) => revokedAt === null);
    if (last && last.notAfter > now)
      return `its RadSec certificate is for ${last.address}, which was its address, and nobody behind it can log in by it`;
    return last
      ? `its RadSec certificate has expired at ${formatTime(last.notAfter)}, and nobody behind it can log in by it`
      : "it is to ask by RadSec and has no certificate";
  }
  if (current.notAfter > now + RENEW_BEFORE * DAY) return undefined;
  return `its RadSec certificate ends at ${formatTime(current.notAfter)}`;
}
