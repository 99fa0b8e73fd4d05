import { isIP } from "node:net";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { overlap } from "../../core/networks/networks.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Nas, nasById } from "./find.ts";
import { isOtherKind } from "./kind.ts";

/** One thing that was looked at; `remedy` is the RouterOS command that corrects it, null for a router of another kind. */
export interface TestStep {
  readonly check: "reachable" | "coa" | "secret" | "api" | "permissions" | "clock";
  readonly status: "ok" | "failed" | "skipped";
  readonly detail: string;
  readonly remedy: string | null;
}

/** Asks a router, or where the NAS is a network the one at `address`, for what a disconnect needs. Rejects with `refused`. */
export type AskRouter = (router: Nas, address: string | undefined) => Promise<TestStep[]>;

/**
 * Asks a router for what a disconnect needs, and says what corrects what is missing. Throws `not_found`, `refused`, and `invalid` for
 * an address outside the NAS, of which nobody is to learn here what answers there.
 */
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
    const fields = { address: [`must be an address of the NAS, ${router.address}`] };
    throw new DomainError("invalid", `${address} is no address of ${router.name}, ${router.address}`, {
      fields,
    });
  }
  const steps = await ask(router, address);
  return isOtherKind(db, router) ? steps.map(inPlainWords) : steps;
}

/** What to do on a router that has no use for commands of RouterOS. */
function inPlainWords(step: TestStep): TestStep {
  const { check, status, detail } = step;
  const words = status === "failed" ? fixTexts[check] : undefined;
  return { ...step, detail: words === undefined ? detail : `${detail}; ${words}`, remedy: null };
}

const fixTexts: { readonly [K in TestStep["check"]]?: string } = {
  coa: "let the router take dynamic authorization (RFC 5176) from this server, at that port and through its firewall",
  secret: "set the same RADIUS secret on both sides",
};
