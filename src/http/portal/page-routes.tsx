import { Elysia } from "elysia";
import { balanceOf } from "../../domain/billing/ledger.ts";
import { DomainError } from "../../domain/errors.ts";
import { invoiceHistory, ownInvoice, sessionHistory, unpaidInvoices } from "../../domain/portal/history.ts";
import { lineOf } from "../../domain/portal/line.ts";
import { usageByDay } from "../../domain/portal/usage-chart.ts";
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedIn } from "./guard.ts";
import { HomePage } from "./pages/home.tsx";
import { InvoicePage } from "./pages/invoice.tsx";
import { InvoicesPage } from "./pages/invoices.tsx";
import { SessionsPage } from "./pages/sessions.tsx";
import { pageResponse } from "./respond.tsx";

const DAYS = 30;

/** What a subscriber can look at. */
export function pageRoutes(needs: PortalNeeds) {
  const { db } = needs;
  return new Elysia()
    .get(
      "/portal",
      signedIn(needs, ({ subscriber, formToken, view, now }) =>
        pageResponse(
          <HomePage
            view={view}
            formToken={formToken}
            name={subscriber.name}
            line={lineOf(db, subscriber, now)}
            balance={balanceOf(db, { subscriberId: subscriber.id })}
            unpaid={unpaidInvoices(db, subscriber.id)}
            days={usageByDay(db, subscriber.id, { now, count: DAYS })}
          />,
        ),
      ),
      describePage("portal", "The subscriber's first page: state, package, balance, usage"),
    )
    .get(
      "/portal/sessions",
      signedIn(needs, ({ subscriber, formToken, view, request }) => {
        const history = sessionHistory(db, subscriber.id, pageNumber(request));
        return pageResponse(<SessionsPage view={view} formToken={formToken} history={history} />);
      }),
      describePage("portalSessions", "The subscriber's sessions"),
    )
    .get(
      "/portal/invoices",
      signedIn(needs, ({ subscriber, formToken, view, request }) => {
        const history = invoiceHistory(db, subscriber.id, pageNumber(request));
        return pageResponse(<InvoicesPage view={view} formToken={formToken} history={history} />);
      }),
      describePage("portalInvoices", "The subscriber's invoices"),
    )
    .get(
      "/portal/invoices/:id",
      signedIn(needs, ({ subscriber, formToken, view }, { id = "" }) => {
        const invoice = /^[1-9]\d{0,14}$/.test(id) ? ownInvoice(db, subscriber.id, Number(id)) : undefined;
        if (!invoice) throw new DomainError("not_found", `there is no invoice ${id}`);
        return pageResponse(
          <InvoicePage view={view} formToken={formToken} subscriber={subscriber} invoice={invoice} />,
        );
      }),
      describePage("portalInvoice", "One invoice, to print", { path: "invoice", refusals: [404] }),
    );
}

/** `?page=2`; anything else is the first. */
function pageNumber(request: Request): number {
  const text = new URL(request.url).searchParams.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
