import { strangersLately } from "../../../../domain/goods/nas/first-words.ts";
import { type RouterState, routerStates } from "../../../../domain/service/outages/states.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { file } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type Filter, FilterBar } from "../../parts/filters.tsx";
import { FileButton, list, type ListColumn } from "../../parts/list.tsx";
import { Strangers } from "./strangers.tsx";
import { dots, droppedText, stateText, takesChanges } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

interface RoutersQuery {
  readonly look: boolean;
  readonly q: string;
}

export function routersPage(visit: StaffVisit): Response {
  const query = readQuery(visit);
  if (visit.isPart) return part(visit, <RouterList visit={visit} query={query} />);
  const { routers } = visit.view.words;
  return page(
    visit,
    <Frame visit={visit} title={visit.view.words.places.routers} place="routers">
      <header class="page-head">
        <h1>{visit.view.words.places.routers}</h1>
        <div class="actions">
          {may(visit.by, "nas_manage") && seesWholeIsp(visit.by.scope) && (
            <Button href={`${ROUTERS}/new`} kind="solid" icon="plus">
              {routers.add}
            </Button>
          )}
          <Button href={`${ROUTERS}/pools`} icon="box">
            {visit.view.words.pools.link}
          </Button>
          <FileButton visit={visit} href={`${ROUTERS}.csv`} />
        </div>
      </header>
      <RouterList visit={visit} query={query} />
    </Frame>,
  );
}

function readQuery({ query }: StaffVisit): RoutersQuery {
  return { look: query.get("show") === "look", q: (query.get("q") ?? "").trim().slice(0, 64) };
}

function listAddress({ look, q }: RoutersQuery): string {
  const query = new URLSearchParams({ ...(look && { show: "look" }), ...(q !== "" && { q }) });
  return query.size === 0 ? ROUTERS : `${ROUTERS}?${query}`;
}

function fits({ look, q }: RoutersQuery) {
  const text = q.toLowerCase();
  return ({ standing, name, address }: RouterState) =>
    (!look || standing !== "heard") && (name.toLowerCase().includes(text) || address.includes(text));
}

function RouterList({ visit, query }: { visit: StaffVisit; query: RoutersQuery }) {
  const { db, by, now, needs, openSessions } = visit;
  const { arrivals } = needs;
  const all = routerStates(db, by, {}, { now, arrivals, openSessions });
  const strangers = may(by, "nas_manage") ? strangersLately(db, by, {}, { now, arrivals }) : [];
  const rows = all.filter(fits(query));
  return (
    <section
      id="routers"
      class="stack"
      data-live="routers sessions findings"
      data-every="10"
      data-hold
      hx-get={listAddress(query)}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      {all.length > 0 && <Sentence visit={visit} all={all} />}
      {strangers.length > 0 && (
        <div class="card">
          <Strangers visit={visit} strangers={strangers} />
        </div>
      )}
      {all.length > 0 && <FilterBar visit={visit} filters={buildFilters(visit, all)} />}
      <Routers visit={visit} rows={rows} isNarrowed={all.length > 0} />
    </section>
  );
}

function Sentence({ visit: { view }, all }: { visit: StaffVisit; all: readonly RouterState[] }) {
  const { routers } = view.words;
  const named = (standing: RouterState["standing"]) => {
    const names = all.filter((one) => one.standing === standing).map(({ name }) => name);
    const few = names.slice(0, 3).join(view.words.list.comma);
    return names.length === 0 ? undefined : routers.and(few, Math.max(0, names.length - 3));
  };
  const [silent, dropped, never] = [named("silent"), named("dropped"), named("never")];
  const count = all.filter(({ standing }) => standing === "heard").length;
  return (
    <p class="sentence">
      {routers.sentence(all.length, count)} {silent !== undefined && routers.silent(silent)}{" "}
      {dropped !== undefined && routers.dropped(dropped)} {never !== undefined && routers.never(never)}
    </p>
  );
}

function buildFilters({ view }: StaffVisit, all: readonly RouterState[]): Filter[] {
  const { routers } = view.words;
  const count = (look: boolean) => view.format.number(all.filter(fits({ look, q: "" })).length);
  const options = [
    { value: "", label: routers.all, count: count(false) },
    { value: "look", label: routers.look, count: count(true) },
  ];
  return [
    { name: "show", kind: "views", label: routers.filter, options },
    { name: "q", kind: "text", label: routers.search, attributes: { maxlength: 64, spellcheck: "false" } },
  ];
}

export const Routers = list<RouterState>((visit) => {
  const { format, words } = visit.view;
  const { routers } = words;
  const { columns } = routers;
  const isBad = ({ standing }: RouterState) => standing === "silent" || standing === "dropped";
  const counts: ListColumn<RouterState>[] = [
    {
      title: columns.online,
      end: true,
      cell: ({ nasId, now }) =>
        now && <a href={`/console/online?router=${nasId}`}>{format.number(now.sessions)}</a>,
      word: routers.onlineWord,
    },
    {
      title: columns.logins,
      end: true,
      narrow: "low",
      cell: ({ nasId, now }) =>
        now && (
          <>
            <a href={`/console/logins?router=${nasId}`}>{format.number(now.logins)}</a>{" "}
            {now.refused > 0 && <span class="soft-text">{routers.refused(now.refused)}</span>}
          </>
        ),
    },
    {
      title: columns.traffic,
      end: true,
      narrow: "low",
      cell: ({ now }) => now && `${format.rate(now.down)} / ${format.rate(now.up)}`,
    },
  ];
  return {
    name: routers.table,
    call: "nasPage",
    kind: "two-lines router-rows",
    columns: [
      {
        title: columns.router,
        narrow: "lead",
        cell: ({ nasId, name, address, standing }) => (
          <>
            <a class="plain dotted" href={routerHref(nasId)}>
              <Dot state={dots[standing]} />
              <span class="strong">
                <bdi>{name}</bdi>
              </span>
            </a>{" "}
            <span class="hint mono">{address}</span>
          </>
        ),
      },
      {
        title: columns.state,
        kind: (row) => (isBad(row) ? "bad-text" : "soft-text"),
        cell: (row) => stateText(visit, row),
      },
      ...(seesWholeIsp(visit.by.scope) ? counts : []),
      {
        title: columns.dropped,
        narrow: "low",
        kind: (row) => (droppedText(visit, row) === "" ? "soft-text" : "warn-text"),
        cell: (row) => droppedText(visit, row) || "–",
      },
      {
        title: columns.coa,
        narrow: "low",
        kind: ({ nasId }) => (takesChanges(visit, nasId) === false ? "bad-text" : "soft-text"),
        cell: ({ nasId }) => {
          const answers = takesChanges(visit, nasId);
          return answers === undefined ? routers.coa.unknown : answers ? routers.coa.yes : routers.coa.no;
        },
      },
    ],
    empty: { icon: "router", ...routers.none },
  };
});

const COLUMNS = [
  ...["id", "name", "address", "state", "heard", "online", "logins_a_minute", "refused_a_minute"],
  ...["down_bits", "up_bits", "dropped", "signed", "takes_changes"],
];

export function routersFile(visit: StaffVisit): Response {
  const { db, by, now, needs } = visit;
  const rows = routerStates(db, by, {}, { now, arrivals: needs.arrivals }).filter(fits(readQuery(visit)));
  const records = rows.map((row) => ({
    id: row.nasId,
    name: row.name,
    address: row.address,
    state: row.standing,
    heard: row.heardAt === null ? null : formatTime(row.heardAt),
    online: row.now?.sessions ?? null,
    logins_a_minute: row.now?.logins ?? null,
    refused_a_minute: row.now?.refused ?? null,
    down_bits: row.now?.down ?? null,
    up_bits: row.now?.up ?? null,
    dropped: droppedText(visit, row),
    signed: row.isSigned,
    takes_changes: takesChanges(visit, row.nasId) ?? null,
  }));
  return file("routers", COLUMNS, [records].values());
}
