import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  hotspotCommand,
  type HotspotSource,
  sendHotspotPages,
} from "../../../../domain/goods/nas/hotspot.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { hotspotFiles, weighPages } from "../../../hotspot/files.ts";
import { hotspotUrl } from "../../../hotspot/response.ts";
import { makeZip } from "../../../hotspot/zip.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { languages } from "../../../words/languages.ts";
import { page, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { brandFor } from "../../parts/isp-view.ts";
import { Command, Terminal } from "../../parts/terminal.tsx";
import { readRouterId } from "./state.ts";
import { routerHref } from "../../parts/hrefs.ts";

export async function hotspotPage(visit: StaffVisit): Promise<Response> {
  const { router, tag, files, source } = await readHotspotPages(visit, visit.query.get("language") ?? "");
  const { hotspot: words, back } = visit.view.words.routers;
  const { login, logo } = weighPages(files);
  const kilobytes = (bytes: number) => visit.view.format.number(Math.ceil(bytes / 1000));
  const action = routerHref(router.id, "/hotspot");
  return page(
    visit,
    <Frame
      visit={visit}
      title={words.title}
      place="routers"
      back={{ href: routerHref(router.id), label: router.name || back }}
    >
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="hint">
          <bdi>{router.name}</bdi>
        </span>
      </header>
      <div class="stack">
        <p>
          {words.lead(kilobytes(login))} {logo > 0 && words.logo(kilobytes(logo))}
        </p>
        <Card title={words.language} lead={words.languageHelp}>
          <form class="actions" method="get" action={action}>
            <Select
              name="language"
              label={words.languageLabel}
              value={tag}
              options={languages.map((each) => ({ value: each.tag, label: each.name }))}
            />
            <Button>{words.choose}</Button>
          </form>
        </Card>
        <Card title={words.fetch} lead={words.sendText}>
          <form
            class="actions"
            method="post"
            action={action}
            hx-post={action}
            hx-target="#toasts"
            hx-swap="beforeend"
          >
            <FormToken value={visit.formToken} />
            <input type="hidden" name="language" value={tag} />
            <Button kind="solid" icon="router">
              {words.send}
            </Button>
          </form>
        </Card>
        <Card title={words.paste} lead={words.pasteText}>
          <Terminal id={`hotspot-${router.id}`} label={words.paste} visit={visit}>
            <Command text={hotspotCommand(source)} />
          </Terminal>
        </Card>
        <Card title={words.byHand} lead={words.byHandText}>
          <p>
            <Button href={routerHref(router.id, `/hotspot.zip?language=${tag}`)} icon="download">
              {words.download}
            </Button>
          </p>
        </Card>
      </div>
    </Frame>,
  );
}

export async function hotspotZip(visit: StaffVisit): Promise<Response> {
  const { files } = await readHotspotPages(visit, visit.query.get("language") ?? "");
  return new Response(makeZip("hotspot", files), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="hotspot.zip"',
      "cache-control": "no-store",
    },
  });
}

/** Has the router fetch them, and reports where they are. */
export async function sendHotspot(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs, view } = visit;
  const { router, source } = await readHotspotPages(visit, readTextField(input, "language", 10));
  const { hotspot: words } = view.words.routers;
  const sent = await attempt(visit, () =>
    sendHotspotPages(db, by, { nasId: router.id, source }, { now, send: needs.nasTools.sendHotspot }),
  );
  const back = routerHref(router.id, "/hotspot");
  if (sent instanceof DomainError)
    return flash(visit, { kind: "bad", title: words.notSent(router.name), text: sent.message }, back);
  if (sent.length === 0) return flash(visit, { kind: "bad", title: words.noHotspot(router.name) }, back);
  return flash(
    visit,
    { kind: "good", title: words.sent(router.name, sent.join(view.words.list.comma)) },
    back,
  );
}

/** The hotspot's pages, in English where the language is unknown. */
async function readHotspotPages(visit: StaffVisit, named: string) {
  const { db, by, needs } = visit;
  permit(by, "sendHotspotPages");
  const { router } = nasWithSources(db, by, readRouterId(visit));
  const tag = languages.find((each) => each.tag === named)?.tag ?? "en";
  const branding = brandFor(visit, router.ispId);
  const files = hotspotFiles(db, { ispId: router.ispId, tag, branding });
  if (!files) throw new DomainError("not_found", phrase`there is no ISP ${router.ispId}`);
  const url = hotspotUrl(await needs.nasTools.portalOrigin(router), { ispId: router.ispId, tag });
  const source: HotspotSource = { url, names: files.map(({ name }) => name) };
  return { router, tag, files, source };
}
