import { type Hotspot, readHotspot, findPackageName } from "../../../../domain/service/cards/printed.ts";
import { hasRoomForTwo, isSheet, ownLinesOn, type Sheet } from "../../../../domain/service/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import {
  type CardTemplate,
  listCardTemplates,
  usualTemplate,
} from "../../../../domain/service/cards/templates.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ReadValue } from "../../parts/keyed.tsx";
import { brandFor, ispView } from "../../parts/isp-view.ts";
import { type Look, Ticket, type TicketBatch } from "./ticket.tsx";

export interface Chosen {
  readonly look: Look;
  readonly templates: readonly CardTemplate[];
}

/** The named template and paper, else the stored ones. */
export function chosenLook(visit: StaffVisit, batch: CardBatch, named: ReadValue): Chosen {
  const { db, by } = visit;
  const templates = listCardTemplates(db, by, { ispId: batch.ispId });
  const template = templates.find(({ id }) => String(id) === named("template")) ?? usualTemplate;
  const sheetName = named("sheet");
  const sheet = isSheet(sheetName) ? sheetName : template.sheet;
  const view = ispView(visit, batch.ispId);
  const look = {
    view,
    batch,
    template,
    sheet,
    brand: view.brand,
    packageName: findPackageName(db, batch),
    hotspot: readHotspot(db, batch.ispId),
  };
  return { look, templates };
}

/** A card with a code that opens nothing. */
export function Sample({ look, code }: { look: Look; code: string }) {
  return (
    <div id="card-sample" class="stack">
      <div class="sample-frame" tabindex={0} role="group" aria-label={look.view.words.cardPrint.sample}>
        <div class={`sample-${look.sheet}`}>
          <Ticket look={look} serial={1} code={code} />
        </div>
      </div>
    </div>
  );
}

/** Unset settings that cards would need, with links for who may set them. */
export function Lacks({ visit, look }: { visit: StaffVisit; look: Look }) {
  const { words } = visit.view;
  const sets = may(visit.by, "setting_manage") && seesWholeIsp(visit.by.scope);
  return listLacks(look).map(([what, href]) => (
    <p class="hint" role="status">
      {words.cardPrint[what]} {sets && href !== null && <a href={href}>{words.cardPrint.set}</a>}
    </p>
  ));
}

type Lack = "noAddress" | "noPortal" | "noWifi" | "noRoom" | "noLines" | "oneLine";

function listLacks({ template, hotspot, batch, sheet }: Look): (readonly [Lack, string | null])[] {
  const { parts, words } = template;
  const lines = [words.line_1, words.line_2].filter((line) => line !== "").length;
  const room = ownLinesOn(sheet);
  const setting = (key: keyof Keys) => `/console/settings/set/${key}`;
  const isAccess = batch.kind === "access";
  const wantsWifi = isAccess && (parts.wifi || parts.wifi_qr) && hotspot.wifiName === "";
  return [
    ...(isAccess && parts.login_qr && hotspot.address === ""
      ? [["noAddress", setting("hotspot_address")] as const]
      : []),
    ...(!isAccess && parts.login_qr && hotspot.portalUrl === ""
      ? [["noPortal", setting("portal_url")] as const]
      : []),
    ...(wantsWifi ? [["noWifi", setting("wifi_name")] as const] : []),
    ...(lines > room ? [[room === 0 ? "noLines" : "oneLine", null] as const] : []),
    ...(isAccess && parts.wifi_qr && !hasRoomForTwo(sheet) ? [["noRoom", null] as const] : []),
  ];
}

interface Keys {
  hotspot_address: string;
  portal_url: string;
  wifi_name: string;
}

/** A made-up batch for templates. */
const hour: TicketBatch = {
  id: 117,
  kind: "access",
  price: 100,
  duration: 1,
  durationUnit: "hour",
  uptimeSeconds: null,
  quotaTotal: 0,
  simultaneousUse: 1,
};

/** The look with made-up values for unset settings, so that every option is visible. */
export function templateLook(visit: StaffVisit, template: CardTemplate, ispId: number): Look {
  const hotspot: Hotspot = readHotspot(visit.db, ispId);
  const sheet: Sheet = template.sheet;
  return {
    view: ispView(visit, ispId),
    brand: brandFor(visit, ispId),
    batch: hour,
    packageName: null,
    template,
    sheet,
    hotspot: {
      ...hotspot,
      address: hotspot.address || "login.hotspot",
      wifiName: hotspot.wifiName || "Hotspot",
    },
  };
}
