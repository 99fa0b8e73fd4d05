import type { Db } from "../../../db/open.ts";
import { captiveAt } from "../../domain/portal/captive.ts";
import type { Clock } from "../../domain/time.ts";
import { clientAddress, type TrustedProxies } from "../client-address.ts";
import { pathOf } from "../target.ts";
import { assetResponse } from "../pages/assets.ts";
import { brandResponse } from "../pages/brand.tsx";
import { portalAssets } from "./assets.ts";
import type { Asked } from "./guard.ts";
import { languageSwitch } from "./language.tsx";
import { CaptivePage, captiveState } from "./pages/captive.tsx";
import { pageResponse } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";

interface WalledNeeds {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
}

/** Any request to any host from the walled garden: the captive page, or what that page is made of. */
export function answerCaptive(
  { db, clock, trusted }: WalledNeeds,
  { request, server }: Omit<Asked, "params">,
): Response {
  const pathname = pathOf(request);
  const [, isp = "", file = ""] = /^\/portal\/brand\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const part = assetResponse(portalAssets, pathname, request) ?? brandResponse(db, { isp, file, request });
  const answer = part ?? languageSwitch(request);
  if (answer) return answer;
  const now = clock();
  const captive = captiveAt(db, clientAddress(request, server, trusted), now);
  const ispId = captive.subscriber?.ispId;
  const view = viewFor(db, { request, now, ...(ispId !== undefined && { ispId }) });
  return pageResponse(<CaptivePage view={view} captive={captive} request={request} />, {
    headers: { "x-gatehouse-captive": captiveState(captive), "x-robots-tag": "noindex" },
  });
}
