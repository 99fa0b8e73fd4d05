import { captiveAt } from "../../domain/desk/portal/captive.ts";
import { clientAddress } from "../client-address.ts";
import { targetPath } from "../target.ts";
import { assetResponse } from "../pages/assets.ts";
import { brandResponse } from "../pages/brand.tsx";
import { portalAssets } from "./assets.ts";
import type { PortalRequest, PortalNeeds } from "./guard.ts";
import { languageSwitch } from "./language.tsx";
import { CaptivePage, captiveState } from "./pages/captive.tsx";
import { pageResponse } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";
import { takesCards, walledCardPage } from "./walled-card.tsx";
import { hasRedeemableCards } from "../../domain/service/cards/redeem.ts";

type WalledNeeds = Pick<PortalNeeds, "db" | "clock" | "trusted" | "guesses" | "renewed"> & {
  /** Where no setting has it. */
  readonly ownPortal: (client: string) => Promise<string | null>;
};

/** Every host and path: the captive page, or its assets. */
export async function answerCaptive(
  { db, clock, trusted, guesses, renewed, ownPortal }: WalledNeeds,
  { request, server }: Omit<PortalRequest, "params">,
): Promise<Response> {
  const pathname = targetPath(request);
  const [, isp = "", file = ""] = /^\/portal\/brand\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const part = assetResponse(portalAssets, pathname, request) ?? brandResponse(db, { isp, file, request });
  const answer = part ?? languageSwitch(request);
  if (answer) return answer;
  const now = clock();
  const source = clientAddress(request, server, trusted);
  const captive = captiveAt(db, source, now);
  const { subscriber } = captive;
  const ispId = subscriber?.ispId;
  const plain = viewFor(db, { request, now, ...(ispId !== undefined && { ispId }) });
  const portalUrl = plain.brand.portalUrl || ((await ownPortal(source)) ?? "");
  const view = { ...plain, brand: { ...plain.brand, portalUrl } };
  const hasCards =
    subscriber !== undefined && takesCards(captive) && hasRedeemableCards(db, subscriber.ispId);
  const card =
    subscriber &&
    (await walledCardPage(
      { db, subscriber, view, now, source, guesses, renewed },
      { request, path: pathname, captive, isAllowed: hasCards },
    ));
  if (card) return card;
  return pageResponse(<CaptivePage view={view} captive={captive} request={request} hasCards={hasCards} />, {
    headers: { "x-gatehouse-captive": captiveState(captive), "x-robots-tag": "noindex" },
  });
}
