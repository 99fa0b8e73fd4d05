import type { Db } from "../../../db/open.ts";
import { findService } from "../../domain/service/activation/plan.ts";
import { topUpOffers } from "../../domain/service/activation/top-up.ts";
import { hasRedeemableCards } from "../../domain/service/cards/redeem.ts";
import { ownInvoice, unpaidInvoices } from "../../domain/desk/portal/history.ts";
import { readLine } from "../../domain/desk/portal/line.ts";
import { planRenewal } from "../../domain/desk/portal/renewal.ts";
import { usageByDay } from "../../domain/desk/portal/usage-chart.ts";
import { targetQuery } from "../target.ts";
import type { Visit } from "./guard.ts";
import { HomePage, type HomeProps, type Problem } from "./pages/home.tsx";
import { pageResponse } from "../pages/respond.tsx";

const DAYS = 30;
/** Seconds for which a renewal is shown. */
const RECENT = 3600;

interface Answer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  problem?: Problem;
}

/** The first page; `?renewed=7` shows a renewal's invoice. */
export function homeResponse(db: Db, visit: Visit, { problem, ...answer }: Answer = {}): Response {
  const { subscriber, by, formToken, view, now, request } = visit;
  const line = readLine(db, by, subscriber, { now });
  const query = new URLSearchParams(targetQuery(request));
  const isTopUp = query.has("topped");
  const number = query.get(isTopUp ? "topped" : "renewed") ?? "";
  const invoice = /^[1-9]\d{0,14}$/.test(number)
    ? ownInvoice(db, by, { subscriberId: subscriber.id, id: Number(number) })
    : undefined;
  const isRecent = invoice !== undefined && now - invoice.createdAt < RECENT;
  const props: HomeProps = {
    view,
    formToken,
    name: subscriber.name,
    line,
    renewal: planRenewal(db, by, { subscriber, line }),
    unpaid: unpaidInvoices(db, by, subscriber.id),
    days: usageByDay(db, by, { subscriberId: subscriber.id, count: DAYS }, { now }),
    hasCards: hasRedeemableCards(db, subscriber.ispId),
    problem,
    offers: topUpOffers(db, subscriber, findService(db, subscriber.id), now),
    renewed: isRecent && !isTopUp ? invoice : undefined,
    topped: isRecent && isTopUp ? invoice : undefined,
  };
  return pageResponse(<HomePage {...props} />, answer);
}
