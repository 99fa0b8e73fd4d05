import type { Db } from "../../../db/open.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { portalSubscriber } from "../../domain/goods/subscribers/portal-session.ts";
import { sessionCookie } from "./session-cookie.ts";
import { pageResponse } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";
import { Icon } from "../pages/icons.tsx";
import { BrandMark } from "../pages/brand.tsx";
import { Document, type View } from "./layout.tsx";

export function isPage(path: string): boolean {
  return path === "/portal" || path.startsWith("/portal/");
}

/** `id` is in the log. */
export function errorPage(
  { db, clock }: { db: Db; clock: Clock },
  request: Request,
  { status, headers, id }: { status: number; headers?: Readonly<Record<string, string>>; id?: string },
): Response {
  const now = clock();
  const sessionId = sessionCookie.read(request, true) || sessionCookie.read(request, false);
  const ispId = portalSubscriber(db, sessionId, now)?.ispId;
  const view = viewFor(db, { request, now, ...(ispId !== undefined && { ispId }) });
  return pageResponse(<ErrorPage view={view} status={status} id={id} />, {
    status,
    ...(headers && { headers }),
  });
}

function ErrorPage({ view, status, id }: { view: View; status: number; id?: string | undefined }) {
  const { errors } = view.words;
  const [title, hint] = explainStatus(errors, status);
  return (
    <Document view={view} title={title} kind="single">
      <main class="single-card">
        <BrandMark brand={view.brand} />
        <div class="badge idle">
          <Icon name="alert" />
        </div>
        <h1>{title}</h1>
        <p class="lead">{hint}</p>
        {id !== undefined && <p class="hint">{errors.reference(view.format.name(id))}</p>}
        <a class="button solid wide" href="/portal">
          {errors.home}
        </a>
      </main>
    </Document>
  );
}

function explainStatus(errors: View["words"]["errors"], status: number): readonly [string, string] {
  if (status === 404 || status === 405) return [errors.missing, errors.missingHint];
  if (status === 403) return [errors.stale, errors.staleHint];
  if (status === 429 || status === 503) return [errors.busy, errors.busyHint];
  return status >= 500 ? [errors.failed, errors.failedHint] : [errors.refused, errors.refusedHint];
}
