import { listClosings } from "../../../../domain/money/closings/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { applianceNow } from "../../../../domain/machine/appliance/appliance.ts";
import { routersNow } from "../../../../domain/around/today/lines.ts";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { lists, onlineAt, router } from "./links.ts";
import { Nothing } from "./lists.tsx";
import { refreshing } from "./live.ts";

const NOW = 120;

export function Routers({ visit }: { visit: StaffVisit }) {
  const { routers } = visit.view.words.today;
  return (
    <Card
      id="today-routers"
      kind="today-routers"
      title={routers.title}
      aside={routers.lead}
      live={refreshing("/console/today/routers", ["sessions", "findings"])}
    >
      <RouterRows visit={visit} />
      <Appliance visit={visit} />
    </Card>
  );
}

function RouterRows({ visit }: { visit: StaffVisit }) {
  const { db, by, now, openSessions } = visit;
  const { routers } = visit.view.words.today;
  const rows = routersNow(db, by, { now, openSessions });
  if (rows.length === 0) return <Nothing title={routers.none} text={routers.noneHint} />;
  return <RouterList visit={visit} rows={rows} />;
}

export const RouterList = list<ReturnType<typeof routersNow>[number]>(({ by, now, view }) => {
  const { format, words } = view;
  const { routers } = words.today;
  const lastSeenText = (at: number | null) =>
    at === null ? routers.never : now - at < NOW ? routers.now : format.duration(now - at);
  return {
    name: routers.title,
    kind: PLAIN,
    columns: [
      {
        title: routers.router,
        narrow: "lead",
        cell: ({ nasId, name, heardAt, isSilent }) => (
          <a class="plain dotted" href={may(by, "nas_view") ? router(nasId) : onlineAt(nasId)}>
            <Dot state={isSilent ? "refused" : heardAt === null ? "offline" : "online"} />
            <span class="strong">{name}</span>
            <span class="unseen">{isSilent ? routers.silent : routers.online}</span>
          </a>
        ),
      },
      {
        title: routers.heard,
        end: true,
        kind: ({ isSilent }) => (isSilent ? "bad-text" : "soft-text"),
        cell: ({ heardAt }) => lastSeenText(heardAt),
      },
      { title: routers.logins, end: true, cell: ({ logins }) => format.number(logins) },
      {
        title: routers.open,
        end: true,
        kind: ({ isSilent }) => (isSilent ? "soft-text" : ""),
        cell: ({ nasId, sessions }) => (
          <a class="plain" href={onlineAt(nasId)}>
            {format.number(sessions)}
          </a>
        ),
      },
    ],
    empty: routers.none,
  };
});

function Appliance({ visit: { db, by, now, view, isApplianceAdmin } }: { visit: StaffVisit }) {
  const { format, words } = view;
  const { appliance } = words.today;
  const box = may(by, "setting_manage") && isApplianceAdmin() ? applianceNow(db, by) : undefined;
  const open = may(by, "closing_manage") && may(by, "closing_own") ? unconfirmed({ db, by }) : undefined;
  if (!box && open === undefined) return null;
  return (
    <ul class="stack near">
      {box && (
        <Line icon="disk" title={appliance.backup} tone={box.backup ? "good" : "warn"}>
          {box.backup
            ? appliance.backedUp(format.timeNear(box.backup.at, now), format.bytes(box.backup.bytes))
            : appliance.noBackup}
        </Line>
      )}
      {box && (
        <Line icon="box" title={appliance.disk}>
          {appliance.used(format.percent(box.disk.used), format.bytes(box.disk.free))}
        </Line>
      )}
      {open !== undefined && (
        <Line icon="money" title={appliance.tills} tone={open > 0 ? "warn" : ""}>
          <a class="plain" href={lists.closing}>
            {open > 0 ? appliance.unconfirmed(open) : appliance.confirmed}
          </a>
        </Line>
      )}
    </ul>
  );
}

function unconfirmed({ db, by }: Pick<StaffVisit, "db" | "by">): number {
  return listClosings(db, by, { isConfirmed: false }, { before: Number.MAX_SAFE_INTEGER, limit: 100 }).length;
}

interface LineProps {
  icon: IconName;
  title: string;
  tone?: "good" | "warn" | "";
  children: unknown;
}

function Line({ icon, title, tone = "", children }: LineProps) {
  return (
    <li>
      <span class={tone === "" ? "soft-text" : `${tone}-text`}>
        <Icon name={icon} />
      </span>
      <span class="strong">{title}</span> <span class="soft-text">{children}</span>
    </li>
  );
}
