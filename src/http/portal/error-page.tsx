import type { Db } from "../../../db/open.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { portalSubscriber } from "../../domain/goods/subscribers/portal-session.ts";
import { sessionCookie } from "./session-cookie.ts";
import { ErrorPage } from "./pages/error.tsx";
import { pageResponse } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";

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
