import type { Db } from "../../../../db/open.ts";
import { findNas } from "../../goods/nas/find.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import { radiusKind } from "../../goods/subscribers/connection-types.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { decide } from "./decide.ts";
import { type GrantAttribute, grantAttributes } from "./grant-attributes.ts";
import { answerTerms } from "./garden.ts";
import type { RejectReason } from "./outcomes.ts";
import { AccessReader } from "./reader.ts";

/** What a router would be sent if a subscriber logged in now with the right password and device. */
export interface LoginReply {
  readonly router: NasKind;
  readonly attributes: readonly GrantAttribute[] | { readonly rejected: RejectReason };
}

type Whose = Pick<Subscriber, "usernameKey" | "connectionTypeId" | "nasId">;

/** The reply at router `nasId`, else the profile's. Undefined: not a RADIUS subscriber, or one who left. */
export function loginReply(
  db: Db,
  { usernameKey, connectionTypeId, nasId }: Whose,
  { now }: { now: Seconds },
): LoginReply | undefined {
  const candidate = new AccessReader(db).candidate(usernameKey);
  const service = radiusKind(connectionTypeId);
  if (!candidate || service === undefined) return undefined;
  const found = findNas(db, nasId);
  const router = found?.kind ?? "mikrotik";
  const { garden, interimInterval } = answerTerms(db);
  const decision = decide(candidate, {
    ispId: found?.ispId ?? null,
    nasAddress: found?.address ?? "",
    mac: candidate.macAddress ?? undefined,
    kind: service,
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtNasPort: () => false,
    takesLists: kindTraits[router].list !== null,
    ...garden,
    now,
  });
  if (!decision.accept) return { router, attributes: { rejected: decision.reason } };
  return { router, attributes: grantAttributes(decision.grant, { interimInterval, router, service }) };
}
