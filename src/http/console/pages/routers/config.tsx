import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { ConfigChange } from "../../../../domain/goods/router-config/changes.ts";
import { configChanges } from "../../../../domain/goods/router-config/compare.ts";
import {
  configCopies,
  type ConfigCopy,
  type ConfigTry,
} from "../../../../domain/goods/router-config/copies.ts";
import { keepConfig } from "../../../../domain/goods/router-config/keep.ts";
import { configText } from "../../../../domain/goods/router-config/text.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { pathId } from "../../../form.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page, flash } from "../../answers.tsx";
import { attempt, attemptNow } from "../../attempt.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { routerHref } from "../../parts/hrefs.ts";
import { readRouterId } from "./state.ts";

const HERE = "/config";
const MOST = 300;

const readCopyId = ({ params }: StaffVisit) => pathId("copy", params["copy"] ?? null);

export function configPage(visit: StaffVisit): Response {
  const nasId = readRouterId(visit);
  const { name, copies, last } = configCopies(visit.db, visit.by, nasId);
  const { routerConfig: words } = visit.view.words;
  const title = words.title(name);
  const manages = may(visit.by, "nas_manage") && seesWholeIsp(visit.by.scope);
  return page(
    visit,
    <Frame visit={visit} title={title} place="routers" back={{ href: routerHref(nasId), label: name }}>
      <header class="page-head">
        <h1>{title}</h1>
        {manages && (
          <form class="actions" method="post" action={routerHref(nasId, HERE)}>
            <FormToken value={visit.formToken} />
            <Button kind="solid" icon="download" asking={words.asking(name)}>
              {words.keep}
            </Button>
          </form>
        )}
      </header>
      <div class="stack">
        <p>{words.lead}</p>
        {last && <LastLook visit={visit} last={last} newest={copies[0]} />}
        <Card title={words.list.title} lead={words.lacks}>
          <Copies visit={visit} rows={copies} />
        </Card>
      </div>
    </Frame>,
  );
}

function LastLook({
  visit,
  last: { triedAt, failure, note },
  newest,
}: {
  visit: StaffVisit;
  last: ConfigTry;
  newest: ConfigCopy | undefined;
}) {
  const { routerConfig: words } = visit.view.words;
  const time = visit.view.format.timeNear(triedAt, visit.now);
  if (failure !== null) return <Note kind="bad">{words.lastFailed(time, failure)}</Note>;
  if (note === null) return <p class="hint">{words.last(time)}</p>;
  return <Note kind="wait">{newest?.source === "menus" ? words.asMenus(note) : words.noted(note)}</Note>;
}

export const Copies = list<ConfigCopy>(({ view, now, by, formToken }) => {
  const { routerConfig: words } = view.words;
  const { columns } = words.list;
  const time = (at: number) => view.format.timeNear(at, now);
  const manages = may(by, "nas_manage") && seesWholeIsp(by.scope);
  return {
    name: words.list.title,
    columns: [
      {
        title: columns.kept,
        cell: ({ keptAt }) => time(keptAt),
        narrow: "lead",
      },
      {
        title: columns.seen,
        cell: ({ keptAt, seenAt }) => (seenAt === keptAt ? words.list.same : time(seenAt)),
        narrow: "low",
      },
      {
        title: columns.how,
        cell: ({ source, version, isPartial }) => (
          <>
            {words.sources[source]}, {version} {isPartial && <Chip tone="warn">{words.partial}</Chip>}
          </>
        ),
      },
      { title: columns.size, cell: ({ bytes }) => view.format.bytes(bytes), end: true, narrow: "low" },
      {
        title: <span class="unseen">{words.download}</span>,
        cell: ({ id, nasId }) =>
          manages && (
            <form class="row ends" method="post" action={routerHref(nasId, `${HERE}/${id}/file`)}>
              <FormToken value={formToken} />
              <Button href={routerHref(nasId, `${HERE}/${id}`)} size="small" label={words.changesOf(id)}>
                {words.changes}
              </Button>
              <Button size="small" icon="download" label={words.downloadOf(id)} />
            </form>
          ),
        end: true,
        narrow: "act",
      },
    ],
    empty: words.list.none,
  };
});

export async function keepNow(visit: StaffVisit): Promise<Response> {
  const { db, by, now, needs, view } = visit;
  const nasId = readRouterId(visit);
  const { routerConfig: words } = view.words;
  const { router } = nasWithSources(db, by, nasId);
  const back = routerHref(nasId, HERE);
  const kept = await attempt(visit, () =>
    keepConfig(db, by, nasId, { now, read: needs.nasTools.readConfig }),
  );
  if (kept instanceof DomainError)
    return flash(visit, { kind: "bad", title: words.notKept(router.name), text: kept.message }, back);
  return flash(visit, { kind: "good", title: kept.isNew ? words.kept : words.same }, back);
}

export function configChangesPage(visit: StaffVisit): Response {
  permit(visit.by, "configChanges");
  const { db, by, view, now } = visit;
  const [nasId, copyId] = [readRouterId(visit), readCopyId(visit)];
  const { routerConfig: words } = view.words;
  const found = attemptNow(visit, () => configChanges(db, by, { nasId, to: copyId }));
  if (found instanceof DomainError && found.kind !== "refused") throw found;
  const title =
    found instanceof DomainError ? words.changesOf(copyId) : words.changesTitle(found.name, copyId);
  const time = (at: number) => view.format.timeNear(at, now);
  const back = { href: routerHref(nasId, HERE), label: words.list.title };
  return page(
    visit,
    <Frame visit={visit} title={title} place="routers" back={back}>
      <header class="page-head">
        <h1>{title}</h1>
        {!(found instanceof DomainError) && (
          <span class="hint">{words.between(time(found.before.keptAt), time(found.after.keptAt))}</span>
        )}
        <form class="actions" method="post" action={routerHref(nasId, `${HERE}/${copyId}/file`)}>
          <FormToken value={visit.formToken} />
          <Button icon="download">{words.downloadOf(copyId)}</Button>
        </form>
      </header>
      {found instanceof DomainError ? (
        <Note kind="wait">
          {words.notCompared}: {found.message}
        </Note>
      ) : (
        <div class="stack">
          {found.missing === null && <Note kind="wait">{words.brokenOff}</Note>}
          {found.missing !== null && found.missing.length > 0 && (
            <Note kind="wait">{words.missing(found.missing.join(view.words.list.comma))}</Note>
          )}
          <Changes visit={visit} changes={found.changes} />
        </div>
      )}
    </Frame>,
  );
}

const tones = { added: "good", removed: "bad", changed: "warn", moved: "quiet" } as const;

function Changes({ visit: { view }, changes }: { visit: StaffVisit; changes: readonly ConfigChange[] }) {
  const { routerConfig: words } = view.words;
  const text = Map.groupBy(changes.slice(0, MOST), ({ menu }) => menu);
  if (changes.length === 0) return <p>{words.noChanges}</p>;
  return (
    <>
      {[...text].map(([menu, ofMenu]) => (
        <Card title={words.menuInWords(menu)}>
          <ul class="rows config-changes">
            {ofMenu.map((change) => (
              <li>
                <Chip tone={tones[change.kind]}>{words.kinds[change.kind]}</Chip>
                <span>
                  {change.what !== "" && (
                    <>
                      <strong class="mono">{change.what}</strong>:{" "}
                    </>
                  )}
                  {words.changeInWords(change)}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {changes.length > MOST && <p>{words.more(changes.length - MOST)}</p>}
    </>
  );
}

export async function configFile(visit: StaffVisit): Promise<Response> {
  const { db, by, now } = visit;
  const { text, file } = configText(
    db,
    by,
    { nasId: readRouterId(visit), copyId: readCopyId(visit) },
    { now },
  );
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${file}"`,
      "cache-control": "no-store",
    },
  });
}
