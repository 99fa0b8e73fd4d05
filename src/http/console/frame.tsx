import type { Child } from "hono/jsx";
import { silentRouters } from "../../domain/service/outages/states.ts";
import { may, seesWholeIsp } from "../../domain/core/actor/actor.ts";
import { countsNow } from "../../domain/around/today/standing.ts";
import { BrandMark } from "../pages/brand.tsx";
import { firstLetter } from "../pages/initial.ts";
import { Document, FormToken } from "../pages/document.tsx";
import { Icon } from "../pages/icons.tsx";
import { setting } from "../../domain/core/settings/settings.ts";
import { Back } from "../pages/parts/back.tsx";
import { Button } from "../pages/parts/button.tsx";
import { Chip, Key } from "../pages/parts/chip.tsx";
import { Toast } from "../pages/parts/toast.tsx";
import { consoleScript, htmxScript, placeStylesheets, PUSH_FOLLOW, WORKER } from "./assets.ts";
import { findChapter } from "./chapters.ts";
import type { StaffVisit } from "./guard.ts";
import { AskedLink } from "./parts/asked.tsx";
import { buildFoot, isPlace, listPlaces, places, type PlaceName } from "./places.ts";
import { SeeingBar } from "./seeing-bar.tsx";

/** The sidebar's entry of a page; null: none. */
export type Place = PlaceName | null;

interface FrameProps {
  visit: StaffVisit;
  title: string;
  place: Place;
  scripts?: readonly string[];
  back?: { readonly href: string; readonly label: string };
  children: Child;
}

export function Frame({ visit, title, place, scripts = [], back, children }: FrameProps) {
  const { view, path, query } = visit;
  const { words, brand } = view;
  const viewer = visit.seeing?.viewer ?? visit.account;
  const here = query.size === 0 ? path : `${path}?${query}`;
  return (
    <Document
      lang={words.tag}
      dir={words.dir}
      brand={brand}
      title={title}
      kind="console"
      root={{
        "data-keys": visit.hasKeys() ? "on" : "off",
        "data-worker": WORKER,
        "data-scope": "/console",
        "data-push": PUSH_FOLLOW,
      }}
      styles={placeStylesheets(place)}
      libraries={[htmxScript.path]}
      scripts={[consoleScript.path, ...scripts]}
      head={
        <>
          <link rel="manifest" href={brand.manifests.console} />
          <meta name="htmx-config" content='{"includeIndicatorCSS":false,"defaultTimeout":30000}' />
        </>
      }
    >
      <a class="skip" href="#content">
        {words.frame.skip}
      </a>
      <Sidebar visit={visit} place={place} />
      <Bar visit={visit} />
      <main
        id="content"
        tabindex={-1}
        hx-get={here}
        hx-trigger="changed from:body"
        hx-select="#content"
        hx-target="this"
        hx-swap="outerMorph"
      >
        <SeeingBar visit={visit} />
        {back && (
          <p class="way">
            <Back href={back.href}>{back.label}</Back>
          </p>
        )}
        {children}
      </main>
      <Messages visit={visit} />
      <dialog id="drawer" class="drawer" aria-labelledby="drawer-title" />
      <dialog
        id="sign-in"
        class="above"
        aria-labelledby="again-title"
        data-account={viewer.id}
        hx-get={`/console/sign-in/again?as=${encodeURIComponent(viewer.username)}`}
        hx-trigger="session-ended from:body"
        hx-target="this"
        hx-swap="innerHTML"
      />
      <Foot visit={visit} place={place} />
    </Document>
  );
}

function Sidebar({ visit, place }: { visit: StaffVisit; place: Place }) {
  const { db, view, by } = visit;
  const { words, brand } = view;
  const notes = countNotes(visit);
  return (
    <nav class="side" aria-label={words.frame.pages}>
      <a class="home-link" href="/console" {...(brand.name === "" && { "aria-label": words.places.today })}>
        <BrandMark brand={brand} />
      </a>
      {listPlaces(by).map((group) => (
        <ul>
          {group.map((name) => (
            <li>
              <PlaceLink name={name} label={words.places[name]} current={name === place} note={notes[name]} />
            </li>
          ))}
        </ul>
      ))}
      <AskedLink visit={visit} />
      {setting(db, "demo_data") && (
        <p>
          <Chip>{words.frame.demo}</Chip>
        </p>
      )}
      <Who visit={visit} />
    </nav>
  );
}

/** The signed-in account, which leads to its own page. */
function Who({ visit: { account, seeing, view } }: { visit: StaffVisit }) {
  const name = seeing?.name ?? account.name;
  const content = (
    <>
      <span class="avatar" aria-hidden="true">
        {makeInitials(name)}
      </span>
      <span>
        <bdi>{name}</bdi>
        <span class="hint">{seeing ? view.words.team.seeing.label : view.words.frame.me}</span>
      </span>
    </>
  );
  return seeing ? (
    <div class="who">{content}</div>
  ) : (
    <a class="who" href="/console/me">
      {content}
    </a>
  );
}

/** A count beside an entry of the sidebar. */
interface PlaceNote {
  readonly text: string;
  readonly isCount?: boolean;
}

function countNotes({ db, by, now, openSessions, view }: StaffVisit): Partial<Record<PlaceName, PlaceNote>> {
  const silent = may(by, "nas_view") && seesWholeIsp(by.scope) ? silentRouters(db, by) : 0;
  const { subscribers, online } = may(by, "subscriber_view")
    ? countsNow(db, by, { now, openSessions })
    : nobody;
  const counted = (count: number) => ({ text: view.format.number(count), isCount: true });
  return {
    ...(silent > 0 && { routers: { text: view.words.routers.silentNote(silent) } }),
    ...(subscribers !== null && { subscribers: counted(subscribers) }),
    ...(online !== null && { online: counted(online) }),
  };
}

const nobody = { subscribers: null, online: null };

interface PlaceLinkProps {
  name: PlaceName;
  label: string;
  current: boolean;
  note?: PlaceNote | undefined;
}

function PlaceLink({ name, label, current, note }: PlaceLinkProps) {
  const { href, icon, letter } = places[name];
  return (
    <a href={href} data-go={letter} {...(current && { "aria-current": "page" as const })}>
      <Icon name={icon} />
      <span>{label}</span>
      {note !== undefined && (
        <span class={note.isCount ? "tab-count" : "label push warn-text"}>{note.text}</span>
      )}
    </a>
  );
}

/** A search is sent in the body, because it may be a card's code; while seeing as somebody else no form can be sent. */
function asksAs({ seeing, formToken }: StaffVisit) {
  if (seeing) return { "hx-get": "/console/search" };
  return { "hx-post": "/console/search", "hx-vals": JSON.stringify({ form_token: formToken }) };
}

function Bar({ visit }: { visit: StaffVisit }) {
  const { view, by, query, path } = visit;
  const { frame } = view.words;
  const needle = path === "/console/search" ? (query.get("q") ?? "") : "";
  const help = `/console/help/${findChapter(path)}`;
  return (
    <header class="bar">
      <a class="home-link" href="/console" aria-label={view.words.places.today}>
        <BrandMark brand={view.brand} />
      </a>
      {may(by, "subscriber_view") && (
        <search class="finder">
          <form action="/console/search" method="get">
            <Icon name="search" />
            <input
              id="search"
              type="text"
              enterkeyhint="search"
              name="q"
              value={needle}
              placeholder={frame.search}
              aria-label={frame.searchLabel}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              maxLength={100}
              {...asksAs(visit)}
              hx-trigger="input changed delay:80ms"
              hx-target="#found"
              hx-swap="innerHTML"
              hx-sync="this:replace"
            />
            <Key>/</Key>
          </form>
          <div id="found" class="found" hidden />
        </search>
      )}
      <div class="row push wide-only">
        {may(by, "subscriber_add") && (
          <Button href="/console/sign-up" icon="plus" dataKey="n">
            {frame.signUp}
          </Button>
        )}
        {may(by, "payment_take") && (
          <Button href="/console/pay" icon="money" drawer dataKey="p">
            {frame.takePayment}
          </Button>
        )}
      </div>
      <a
        class="button quiet icon-button"
        href={help}
        data-key="?"
        aria-label={frame.help}
        {...drawerLink(help)}
      >
        ?
      </a>
    </header>
  );
}

/** Opens a link beside the page where there is a script. */
export function drawerLink(href: string) {
  return { "hx-get": href, "hx-target": "#drawer", "hx-swap": "innerHTML" };
}

/** Messages from the last page, and the place for new ones. */
function Messages({ visit: { needs, sessionKey, view } }: { visit: StaffVisit }) {
  const { frame } = view.words;
  return (
    <section
      id="toasts"
      class="toasts"
      aria-label={frame.messages}
      data-lost={frame.lost}
      data-back={frame.back}
    >
      {needs.notes.take(sessionKey).map((what) => (
        <Toast flash={what} close={frame.dismiss} />
      ))}
    </section>
  );
}

/** The bar at the foot of a phone. */
function Foot({ visit: { by, view, path }, place }: { visit: StaffVisit; place: Place }) {
  const { words } = view;
  const points = buildFoot(by);
  const isOwn = points.some(({ href }) => href === path);
  return (
    <nav class="foot" aria-label={words.frame.mainPages}>
      {points.map(({ name, href, icon }) => {
        const label = isPlace(name)
          ? words.places[name === "subscribers" ? "people" : name]
          : words.frame.foot[name];
        const isCurrent = href === path || (!isOwn && (name === place || placeAt[name] === place));
        return (
          <a href={href} {...(isCurrent && place !== null && { "aria-current": "page" as const })}>
            <Icon name={icon} />
            <span>{label}</span>
          </a>
        );
      })}
    </nav>
  );
}

/** Sidebar entries that the shortcuts of the foot stand for. */
const placeAt: Readonly<Record<string, Place>> = { find: "subscribers", sell: "cards", wallet: "money" };

export function makeInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => firstLetter(word) !== "");
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => firstLetter(word ?? ""))
    .join("");
}

export function SignOut({ visit: { formToken, seeing, view } }: { visit: StaffVisit }) {
  return (
    <form method="post" action="/console/sign-out">
      <FormToken value={seeing?.formToken ?? formToken} />
      <Button icon="leave" kind="quiet">
        {view.words.frame.signOut}
      </Button>
    </form>
  );
}
