import { Elysia } from "elysia";
import { HttpRefusal } from "../errors.ts";
import { assetResponse } from "../pages/assets.ts";
import { portalAssets } from "./assets.ts";
import { hotspotResponse } from "../hotspot/response.ts";
import { brandResponse } from "../pages/brand.tsx";
import { describePortalFile } from "./describe-page.ts";
import type { PortalNeeds } from "./guard.ts";

/** Public. */
export function assetRoutes({ db }: Pick<PortalNeeds, "db">) {
  return new Elysia()
    .get(
      "/portal/assets/:file",
      ({ request, params: { file } }) =>
        assetResponse(portalAssets, `/portal/assets/${file}`, request) ?? missing(),
      describePortalFile("portalAsset", "The style or the script of the portal", ["file"]),
    )
    .get(
      "/portal/brand/:isp/:file",
      ({ request, params: { isp, file } }) => brandResponse(db, { isp, file, request }) ?? missing(),
      describePortalFile("portalBrand", "Colours, icon or logo of an ISP", ["isp", "file"]),
    )
    .get(
      "/portal/hotspot/:isp/:language/:file",
      ({ params: { isp, language, file } }) => hotspotResponse(db, { isp, tag: language, file }) ?? missing(),
      describePortalFile(
        "portalHotspot",
        "A file of the pages that a MikroTik hotspot serves, for the router",
        ["isp", "language", "file"],
      ),
    );
}

function missing(): never {
  throw new HttpRefusal(404, "there is no such file");
}
