import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write, writePatiently } from "../../../../db/open.ts";
import { nas, radsecCertificates } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Nas, nasById } from "../nas/find.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bundlePassword, makeBundle } from "./bundle.ts";
import { certify, fingerprintOf, newKey } from "./certificates.ts";
import { isServerDue, prepareKeys, storeKeys } from "./keys.ts";
import { bundleName, findCertificate, type RadsecCertificate } from "./list.ts";
import { radsecFault } from "../nas/radsec.ts";

const DAY = 86_400;
/** Two years: routers on roofs are rarely visited, and stolen ones are revoked. */
const ROUTER_DAYS = 730;
/** Seconds for a download. */
const WAITS = DAY;

export interface Issued {
  readonly certificate: RadsecCertificate;
  /** PKCS#12. */
  readonly bundle: Buffer;
  readonly password: string;
}

/**
 * Issues a certificate; the router then uses RadSec. Earlier ones stay valid. `server`: our address as the router dials it,
 * added to our certificate. `keep` stores the sealed PKCS#12 for one download. Throws `not_found`, `refused`.
 */
export async function issueRadsec(
  db: Db,
  by: Actor,
  { nasId, server, keep = false }: { nasId: number; server: string; keep?: boolean },
  { now }: { now: Seconds },
): Promise<Issued> {
  permit(by, "issueRadsec");
  requireWholeIsp(by, "routers");
  const before = nasById(db, by.scope, nasId);
  requireSuitable(before);
  const { address } = before;
  const [prepared, key] = await Promise.all([prepareKeys(db, server, now), newKey()]);
  const { authority } = prepared;
  const pem = certify(authority, key, { use: "router", addresses: [address], days: ROUTER_DAYS, now });
  const password = bundlePassword();
  const bundle = makeBundle({ key, certificate: pem }, authority.certificate, before.name, password);
  return writePatiently(db, (tx) => {
    const router = nasById(tx, by.scope, nasId);
    if (router.address !== address)
      throw new DomainError(
        "conflict",
        phrase`the router got another address at the same moment; do it again`,
        {
          code: "stale",
        },
      );
    storeKeys(tx, prepared, now);
    const row = { nasId, fingerprint: fingerprintOf(pem), address, madeBy: by.name };
    const id = insert(tx, radsecCertificates, {
      ...row,
      notAfter: now + ROUTER_DAYS * DAY,
      madeAt: now,
      bundleSealed: keep ? tx.vault.seal(bundle) : null,
    });
    if (router.radsec === 0) update(tx, nas, { radsec: 1 }, { id: nasId });
    const certificate = findCertificate(tx, nasId, id);
    if (!certificate) throw new Error("a certificate that was just written is not there");
    noted(tx, by, now, router, "nas.radsec", certificate);
    return { certificate, bundle, password };
  });
}

function requireSuitable(router: Nas): void {
  const fault = radsecFault(router);
  if (fault !== undefined) throw new DomainError("refused", phrase`${router.name}: ${fault}`);
}

function noted(
  tx: Tx,
  by: Actor,
  now: Seconds,
  { id, ispId }: Nas,
  action: "nas.radsec" | "nas.radsec_take" | "nas.radsec_revoke",
  { id: certificate_id, fingerprint }: RadsecCertificate,
): void {
  audit(tx, by, now, { action, entity: "nas", entityId: id, ispId, after: { certificate_id, fingerprint } });
}

/** The bundle, given once, within a day. Throws `not_found`, `refused`. */
export function takeBundle(
  db: Db,
  by: Actor,
  { nasId, certificateId }: { nasId: number; certificateId: number },
  { now }: { now: Seconds },
): { name: string; bundle: Buffer } {
  permit(by, "takeBundle");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const router = nasById(tx, by.scope, nasId);
    const certificate = certificateNamed(tx, nasId, certificateId);
    const kept = tx.$client
      .query<{ sealed: Uint8Array | null }, [number]>(
        "SELECT bundle_sealed AS sealed FROM radsec_certificates WHERE id = ?",
      )
      .get(certificateId)?.sealed;
    if (!kept || certificate.madeAt + WAITS <= now)
      throw new DomainError(
        "refused",
        phrase`this certificate was downloaded already, or waited for longer than a day; make another one`,
      );
    const bundle = tx.vault.open(Buffer.from(kept));
    update(tx, radsecCertificates, { bundleSealed: null }, { id: certificateId });
    noted(tx, by, now, router, "nas.radsec_take", certificate);
    return { name: bundleName(certificate), bundle };
  });
}

/** Ends its connections too. Throws `not_found`, `refused`. */
export function revokeRadsec(
  db: Db,
  by: Actor,
  { nasId, certificateId }: { nasId: number; certificateId: number },
  { now }: { now: Seconds },
): RadsecCertificate {
  permit(by, "revokeRadsec");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const router = nasById(tx, by.scope, nasId);
    const certificate = certificateNamed(tx, nasId, certificateId);
    if (certificate.revokedAt !== null)
      throw new DomainError(
        "refused",
        phrase`certificate ${certificateId} of ${router.name} is revoked already`,
        {
          code: "already_done",
        },
      );
    update(tx, radsecCertificates, { revokedAt: now, bundleSealed: null }, { id: certificateId });
    noted(tx, by, now, router, "nas.radsec_revoke", certificate);
    return { ...certificate, revokedAt: now, isWaiting: false };
  });
}

function certificateNamed(tx: Db, nasId: number, id: number): RadsecCertificate {
  const found = findCertificate(tx, nasId, id);
  if (!found) throw new DomainError("not_found", phrase`there is no certificate ${id} of this router`);
  return found;
}

export async function keepRadsec(db: Db, by: Actor, { now }: { now: Seconds }): Promise<void> {
  permit(by, "keepRadsec");
  const prepared = isServerDue(db, now) ? await prepareKeys(db, undefined, now) : undefined;
  await writePatiently(db, (tx) => {
    if (prepared) storeKeys(tx, prepared, now);
    tx.$client
      .query(
        "UPDATE radsec_certificates SET bundle_sealed = NULL WHERE bundle_sealed IS NOT NULL AND made_at <= ?",
      )
      .run(now - WAITS);
  });
}
