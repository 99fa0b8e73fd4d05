import { Elysia } from "elysia";
import type { DomainError } from "../../domain/core/errors/errors.ts";
import { readLine } from "../../domain/desk/portal/line.ts";
import { planRenewal, renewOwn } from "../../domain/desk/portal/renewal.ts";
import { attempt } from "../pages/attempt.ts";
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedInForm, type Visit } from "./guard.ts";
import { readTextField } from "../pages/text-of.ts";
import { homeResponse } from "./home-page.tsx";
import { seeOther } from "../pages/respond.tsx";
import { renewalWords } from "./refusal-words.ts";

export function renewRoutes(needs: PortalNeeds) {
  const { db, renewed } = needs;
  return new Elysia().post(
    "/portal/renew",
    signedInForm(needs, async (visit, input) => {
      const { subscriber, by, now } = visit;
      const price = parsePrice(readTextField(input, "price", 16));
      const outcome = await attempt(async () => renewOwn(db, by, { subscriber, price }, { now }));
      if (outcome instanceof Error) return refusal(needs, visit, price, outcome);
      renewed(subscriber);
      return seeOther(`/portal?renewed=${outcome.invoiceId}`);
    }),
    describePage("portalRenew", "Renew the package from the balance, at the price that the page showed", {
      form: ["price"],
      refusals: [404, 429],
    }),
  );
}

/** Why not, in the words of the subscriber, above the page in its present state. */
function refusal({ db }: PortalNeeds, visit: Visit, seen: number, error: DomainError): Response {
  const { subscriber, by, view, now } = visit;
  const renewal = planRenewal(db, by, { subscriber, line: readLine(db, by, subscriber, { now }) });
  const text = renewalWords(view, error, { ...renewal, seen });
  if (error.kind === "too_soon") {
    const headers = { "retry-after": String(error.retryAfter ?? 1) };
    return homeResponse(db, visit, { status: 429, headers, problem: { kind: "wait", text } });
  }
  return homeResponse(db, visit, { status: 422, problem: { kind: "bad", text } });
}

/** Minor units; NaN: no price. */
function parsePrice(digits: string): number {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
}
