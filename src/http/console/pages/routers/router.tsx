import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { type RouterState, routerStates } from "../../../../domain/service/outages/states.ts";
import {
  listCertificates,
  findCurrent,
  type RadsecCertificate,
  renewalFault,
} from "../../../../domain/goods/radsec/list.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { CurveSpan } from "../../../../domain/around/today/lines.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, Dot } from "../../../pages/parts/chip.tsx";
import { Figure } from "../../../pages/parts/figure.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page, part } from "../../answers.tsx";
import { drawerLink, Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { OnlinePlot, TrafficPlot } from "../../parts/plots.tsx";
import { seesRouters } from "../../parts/may.ts";
import { RouterFacts } from "./facts.tsx";
import { dots, droppedText, newest, readRouterId, stateText } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";
import { TestCard } from "./test-card.tsx";
import { WatchCard } from "./watch.tsx";

export interface RouterProps {
  visit: StaffVisit;
  state: RouterState;
  seen: ReturnType<typeof nasWithSources>;
  certificates: readonly RadsecCertificate[];
}

export function routerPage(visit: StaffVisit): Response {
  const nasId = readRouterId(visit);
  const { db, by, now, needs, openSessions } = visit;
  const seen = nasWithSources(db, by, nasId);
  const [state] = routerStates(db, by, { nasId }, { now, arrivals: needs.arrivals, openSessions });
  if (!state) throw new DomainError("not_found", phrase`there is no NAS ${nasId}`);
  const certificates = seen.router.radsec === 1 ? listCertificates(db, nasId) : [];
  const props = { visit, state, seen, certificates };
  if (visit.isPart) return part(visit, <Body {...props} />);
  return page(
    visit,
    <Frame
      visit={visit}
      title={state.name}
      place="routers"
      back={{ href: ROUTERS, label: visit.view.words.routers.back }}
    >
      <Head {...props} />
      <Body {...props} />
    </Frame>,
  );
}

const whole = ({ by }: StaffVisit) => seesWholeIsp(by.scope);

function Head({ visit, state, seen }: RouterProps) {
  const { routers, routerConfig, routerSetup, radsec } = visit.view.words;
  const { nasId, name, address, standing } = state;
  const { kind } = seen.router;
  const manages = may(visit.by, "nas_manage") && whole(visit);
  const isBad = standing === "silent" || standing === "dropped";
  return (
    <header class="page-head">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Chip tone={isBad ? "bad" : "quiet"}>
        <Dot state={dots[standing]} />
        {stateText(visit, state)}
      </Chip>
      <span class="hint mono">{address}</span>
      {manages && (
        <div class="actions person-actions">
          <Menu label={routers.setup} icon="router">
            <a href={routerHref(nasId, "/setup")}>{routers.byCommands}</a>
            {kind === "mikrotik" && <a href={routerHref(nasId, "/api-setup")}>{routerSetup.action}</a>}
            <a href={routerHref(nasId, "/radsec")}>{radsec.action}</a>
            {kind === "mikrotik" && <a href={routerHref(nasId, "/config")}>{routerConfig.action}</a>}
            {kind === "mikrotik" && <a href={routerHref(nasId, "/hotspot")}>{routers.hotspot.action}</a>}
          </Menu>
          <Button href={routerHref(nasId, "/edit")} icon="edit">
            {routers.edit}
          </Button>
          <Menu label="" icon="more" title={visit.view.words.subscriber.more}>
            <a href={routerHref(nasId, "/secret")} {...drawerLink(routerHref(nasId, "/secret"))}>
              {routers.newSecret.action}
            </a>
            <a href={routerHref(nasId, "/remove")} {...drawerLink(routerHref(nasId, "/remove"))}>
              {routers.remove.action}
            </a>
          </Menu>
        </div>
      )}
    </header>
  );
}

function Body(props: RouterProps) {
  const { visit, state } = props;
  const span: CurveSpan = visit.query.get("span") === "month" ? "month" : "day";
  const here = routerHref(state.nasId, span === "month" ? "?span=month" : "");
  return (
    <div
      id="router"
      class="stack"
      data-live="routers sessions findings"
      data-every="10"
      data-hold
      hx-get={here}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <Standing {...props} />
      <RadsecNote {...props} />
      <Figures {...props} />
      <div class="split">
        <div>
          <WatchCard {...props} />
          {seesRouters(visit.by) && <Plots {...props} span={span} />}
          {may(visit.by, "nas_manage") && whole(visit) && <TestCard {...props} />}
        </div>
        <div>
          <RouterFacts {...props} />
          <Links {...props} />
        </div>
      </div>
    </div>
  );
}

/** A certificate that ends soon or is missing. */
function RadsecNote({ visit, seen: { router }, certificates }: RouterProps) {
  const { radsec } = visit.view.words;
  if (router.radsec === 0) return null;
  if (renewalFault(certificates, visit.now) === undefined) return null;
  const current = findCurrent(certificates, visit.now);
  const { gone, none, soon } = radsec;
  const missing = certificates.length > 0 ? gone : none;
  const text = current ? soon(visit.view.format.date(current.notAfter)) : missing;
  const manages = may(visit.by, "nas_manage") && whole(visit);
  return (
    <Note kind={current ? "wait" : "bad"}>
      {radsec.bad(router.name)} {text}{" "}
      {manages && <a href={routerHref(router.id, "/radsec")}>{radsec.make.again}</a>}
    </Note>
  );
}

function Standing({ visit, state }: RouterProps) {
  const { routers } = visit.view.words;
  const { nasId, name, standing, heardAt, dropped, now } = state;
  const time = (at: number) => visit.view.format.timeNear(at, visit.now);
  if (standing === "heard") return null;
  const toSetup = may(visit.by, "nas_manage") && whole(visit) && (
    <Button href={routerHref(nasId, "/setup")} kind="solid" size="large">
      {routers.toSetup}
    </Button>
  );
  const flash = {
    never: { title: routers.isNever(name), text: routers.neverText, actions: toSetup },
    dropped: {
      title: routers.isDropped(name),
      text: routers.droppedText(
        routers.kinds[newest(dropped)?.kind ?? "malformed"],
        time(newest(dropped)?.last ?? 0),
      ),
      actions: toSetup,
    },
    silent: {
      title: routers.isSilent(name),
      text: routers.silentText(time(heardAt ?? 0), now?.sessions ?? 0),
    },
  }[standing];
  return (
    <Verdict
      tone={standing === "never" ? "quiet" : "bad"}
      icon={standing === "never" ? "router" : "alert"}
      label={routers.verdict}
      {...flash}
    />
  );
}

function Figures({ visit, state }: RouterProps) {
  const { format, words } = visit.view;
  const { figures } = words.routers;
  const { nasId, now, dropped } = state;
  const all = dropped.reduce((sum, { count }) => sum + count, 0);
  if (!now) return null;
  return (
    <div class="figures">
      <Figure
        label={figures.online}
        value={format.number(now.sessions)}
        hint={figures.onlineHint}
        href={`/console/online?router=${nasId}`}
      />
      <Figure
        label={figures.logins}
        value={format.number(now.logins)}
        hint={figures.loginsHint(now.refused)}
        href={`/console/logins?router=${nasId}`}
      />
      <Figure
        label={figures.down}
        value={format.rate(now.down)}
        hint={figures.downHint(format.rate(now.up))}
        href={`/console/online?router=${nasId}&sort=-down`}
      />
      <Figure
        label={figures.dropped}
        value={format.number(all)}
        hint={
          all === 0
            ? figures.droppedNone
            : `${droppedText(visit, state)}${words.list.comma}${figures.droppedHint}`
        }
        href={routerHref(nasId, may(visit.by, "nas_manage") && whole(visit) ? "/setup" : "")}
        {...(all > 0 && { tone: "warn" as const })}
      />
    </div>
  );
}

function Plots({ visit, state, span }: RouterProps & { span: CurveSpan }) {
  const { routers } = visit.view.words;
  const { nasId } = state;
  const spans = (
    <Segments
      label={routers.span}
      tabs={[
        { label: routers.day, href: routerHref(nasId), current: span === "day" },
        { label: routers.month, href: routerHref(nasId, "?span=month"), current: span === "month" },
      ]}
    />
  );
  return (
    <>
      <Card title={routers.online} aside={spans}>
        <OnlinePlot visit={visit} span={span} nasId={nasId} />
      </Card>
      <Card title={routers.traffic}>
        <TrafficPlot visit={visit} span={span} nasId={nasId} />
      </Card>
    </>
  );
}

function Links({ visit, state: { nasId } }: RouterProps) {
  const { links, login } = visit.view.words.routers;
  if (!may(visit.by, "session_view")) return null;
  const test = `${ROUTERS}/test-login`;
  return (
    <ul class="card rows">
      <li>
        <a href={`/console/online?router=${nasId}`}>{links.sessions}</a>
      </li>
      <li>
        <a href={`/console/logins?router=${nasId}`}>{links.logins}</a>
      </li>
      <li>
        <a href={`/console/logins?router=${nasId}&outcome=rejected`}>{links.rejected}</a>
      </li>
      {may(visit.by, "subscriber_view") && (
        <li>
          <a href={test} {...drawerLink(test)}>
            {login.action}
          </a>
        </li>
      )}
    </ul>
  );
}
