import { Elysia } from "elysia";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { invoiceHistory, ownInvoice, sessionHistory } from "../../domain/desk/portal/history.ts";
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedIn } from "./guard.ts";
import { homeResponse } from "./home-page.tsx";
import { InvoicePage } from "./pages/invoice.tsx";
import { InvoicesPage } from "./pages/invoices.tsx";
import { SessionsPage } from "./pages/sessions.tsx";
import { paged } from "./paged.ts";
import { pageResponse } from "../pages/respond.tsx";

export function pageRoutes(needs: PortalNeeds) {
  const { db } = needs;
  return new Elysia()
    .get(
      "/portal",
      signedIn(needs, (visit) => homeResponse(db, visit)),
      describePage("portal", "The subscriber's first page: state, package, balance, usage"),
    )
    .get(
      "/portal/sessions",
      signedIn(needs, ({ subscriber, by, formToken, view, request }) => {
        const history = paged(request, (window) =>
          sessionHistory(db, by, { subscriberId: subscriber.id, ...window }),
        );
        return pageResponse(<SessionsPage view={view} formToken={formToken} history={history} />);
      }),
      describePage("portalSessions", "The subscriber's sessions"),
    )
    .get(
      "/portal/invoices",
      signedIn(needs, ({ subscriber, by, formToken, view, request }) => {
        const history = paged(request, (window) =>
          invoiceHistory(db, by, { subscriberId: subscriber.id, ...window }),
        );
        return pageResponse(<InvoicesPage view={view} formToken={formToken} history={history} />);
      }),
      describePage("portalInvoices", "The subscriber's invoices"),
    )
    .get(
      "/portal/invoices/:id",
      signedIn(needs, ({ subscriber, by, formToken, view }, { id = "" }) => {
        const invoice = /^[1-9]\d{0,14}$/.test(id)
          ? ownInvoice(db, by, { subscriberId: subscriber.id, id: Number(id) })
          : undefined;
        if (!invoice) throw new DomainError("not_found", phrase`there is no invoice ${id}`);
        return pageResponse(
          <InvoicePage view={view} formToken={formToken} subscriber={subscriber} invoice={invoice} />,
        );
      }),
      describePage("portalInvoice", "One invoice, to print", { path: "invoice", refusals: [404] }),
    );
}
