import { Elysia } from "elysia";
import { topUpOwn } from "../../domain/service/activation/top-up.ts";
import { attempt } from "../pages/attempt.ts";
import { seeOther } from "../pages/respond.tsx";
import { readTextField } from "../pages/text-of.ts";
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedInForm } from "./guard.ts";
import { homeResponse } from "./home-page.tsx";
import { topUpWords } from "./refusal-words.ts";

export function topUpRoutes(needs: PortalNeeds) {
  const { db, renewed } = needs;
  return new Elysia().post(
    "/portal/top-up",
    signedInForm(needs, async (visit, input) => {
      const { subscriber, by, now, view } = visit;
      const order = {
        subscriberId: subscriber.id,
        packageId: parseNumber(readTextField(input, "package", 16)),
        price: parseNumber(readTextField(input, "price", 16)),
        after: parseNumber(readTextField(input, "after", 16)),
      };
      const done = await attempt(async () => topUpOwn(db, by, order, { now }));
      if (done instanceof Error) {
        const text = topUpWords(view, done);
        const status = done.kind === "conflict" ? 409 : 422;
        return homeResponse(db, visit, { status, problem: { kind: "bad", text } });
      }
      renewed(subscriber);
      return seeOther(`/portal?topped=${done.invoiceId}`);
    }),
    describePage("portalTopUp", "Buy bytes or days on top of the package that runs, from the balance", {
      form: ["package", "price", "after"],
      refusals: [409],
    }),
  );
}

function parseNumber(digits: string): number {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
}
