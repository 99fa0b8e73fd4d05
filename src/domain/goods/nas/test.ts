import { isIP } from "node:net";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Phrase, phrase, phrases } from "../../core/errors/phrase.ts";
import { overlap } from "../../core/networks/networks.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Nas, nasById } from "./find.ts";
import { isOtherKind } from "./kind.ts";

/** `remedy`: a RouterOS command, null for other kinds. */
export interface TestStep {
  readonly check: "reachable" | "coa" | "secret" | "api" | "permissions" | "clock";
  readonly status: "ok" | "failed" | "skipped";
  readonly detail: Phrase;
  readonly remedy: string | null;
}

/** `address`: one of a network. Rejects with `refused`. */
export type AskRouter = (router: Nas, address: string | undefined) => Promise<TestStep[]>;

/** Tests what disconnects need, with fixes. Throws `not_found`, `refused`, and `invalid` for an address outside the NAS, which must not be probed. */
export async function testNas(
  db: Db,
  by: Actor,
  { nasId, address }: { nasId: number; address?: string | undefined },
  { ask }: { ask: AskRouter },
): Promise<TestStep[]> {
  permit(by, "testNas");
  requireWholeIsp(by, "routers");
  const router = nasById(db, by.scope, nasId);
  if (address !== undefined && isIP(address) !== 0 && !overlap(router.address, address)) {
    const fields = { address: [phrase`must be an address of the NAS, ${router.address}`] };
    throw new DomainError("invalid", phrase`${address} is no address of ${router.name}, ${router.address}`, {
      fields,
    });
  }
  const steps = await ask(router, address);
  return isOtherKind(db, router) ? steps.map(inPlainWords) : steps;
}

/** A step in words for other kinds than RouterOS. */
function inPlainWords(step: TestStep): TestStep {
  const { check, status, detail } = step;
  const words = status === "failed" ? fixTexts[check] : undefined;
  return { ...step, detail: words === undefined ? detail : phrases([detail, words]), remedy: null };
}

const fixTexts: { readonly [K in TestStep["check"]]?: Phrase } = {
  coa: phrase`let the router take dynamic authorization (RFC 5176) from this server, at that port and through its firewall`,
  secret: phrase`set the same RADIUS secret on both sides`,
};
