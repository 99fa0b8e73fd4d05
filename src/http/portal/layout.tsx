import type { Child } from "hono/jsx";
import { scriptAsset, styleAsset } from "./assets.ts";
import { type Brand, BrandMark } from "../pages/brand.tsx";
import { Document as WholeDocument, FormToken } from "../pages/document.tsx";
import type { Format } from "../pages/format.ts";
import { Icon, type IconName } from "../pages/icons.tsx";
import type { Words } from "../words/languages.ts";

export interface View {
  readonly words: Words;
  readonly format: Format;
  readonly brand: Brand;
  readonly now: number;
}

export const WORKER = "/portal/worker.js";
export const PUSH_FOLLOW = "/portal/settings/push/follow";

interface DocumentProps {
  view: View;
  title: string;
  kind: string;
  /** Further styles. */
  styles?: readonly string[];
  /** State of a captive page, polled. */
  watch?: string;
  /** Its next page once online; by default reloads. */
  leadsTo?: string;
  /** Signed in: a worker keeps what was shown. */
  isKept?: boolean;
  children: Child;
}

export function Document({
  view: { words, brand, format, now },
  title,
  kind,
  styles = [],
  watch,
  leadsTo,
  isKept = false,
  children,
}: DocumentProps) {
  const head =
    watch === undefined ? (
      <link rel="manifest" href={brand.manifests.portal} />
    ) : (
      <noscript>
        <meta http-equiv="refresh" content={leadsTo === undefined ? "30" : `30;url=${leadsTo}`} />
      </noscript>
    );
  return (
    <WholeDocument
      lang={words.tag}
      dir={words.dir}
      brand={brand}
      title={title}
      kind={kind}
      styles={[styleAsset.path, ...styles]}
      scripts={[scriptAsset.path]}
      root={{
        ...(watch !== undefined && { "data-watch": watch }),
        ...(leadsTo !== undefined && { "data-leads-to": leadsTo }),
        ...(isKept && {
          "data-worker": WORKER,
          "data-scope": "/portal",
          "data-push": PUSH_FOLLOW,
          "data-shown": format.time(now),
        }),
      }}
      head={head}
    >
      {children}
    </WholeDocument>
  );
}

export type Place = "home" | "sessions" | "invoices" | "settings";

const places: readonly { place: Place; href: string; icon: IconName }[] = [
  { place: "home", href: "/portal", icon: "home" },
  { place: "sessions", href: "/portal/sessions", icon: "sessions" },
  { place: "invoices", href: "/portal/invoices", icon: "invoices" },
  { place: "settings", href: "/portal/settings", icon: "settings" },
];

interface ShellProps {
  view: View;
  title: string;
  place: Place;
  formToken: string;
  styles?: readonly string[];
  children: Child;
}

export function Shell({ view, title, place: here, formToken, styles = [], children }: ShellProps) {
  const { words, brand } = view;
  return (
    <Document view={view} title={title} kind="app" styles={styles} isKept>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        <a class="home-link" href="/portal">
          <BrandMark brand={brand} />
        </a>
        <nav aria-label={words.nav.label}>
          {places.map(({ place, href, icon }) => (
            <a href={href} {...(place === here && { "aria-current": "page" as const })}>
              <Icon name={icon} />
              <span>{words.nav[place]}</span>
            </a>
          ))}
        </nav>
        <form method="post" action="/portal/sign-out">
          <FormToken value={formToken} />
          <button class="button quiet" type="submit">
            <Icon name="leave" />
            <span>{words.signOut}</span>
          </button>
        </form>
      </header>
      <main id="content" tabindex={-1}>
        {here === "home" && (
          <p id="as-of" hidden class="as-of">
            {words.app.asOf(view.format.time(view.now))}
          </p>
        )}
        {children}
      </main>
      <Contact view={view} />
    </Document>
  );
}

export function Contact({ view }: { view: View }) {
  const { words, brand } = view;
  if (!hasContact(brand)) return null;
  return (
    <footer class="contact" aria-label={words.contact}>
      <p class="label">{words.help}</p>
      <Reach view={view} />
      <ContactLines lines={brand.contact} />
    </footer>
  );
}

export function hasContact({ contact, phone, chat }: Brand): boolean {
  return contact.length > 0 || phone !== "" || chat !== "";
}

export function Reach({ view: { words, brand } }: { view: View }) {
  const { phone, chat } = brand;
  if (phone === "" && chat === "") return null;
  return (
    <p class="row">
      {phone !== "" && (
        <a class="button" href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
          <Icon name="call" />
          <span>
            {words.reach.call} <bdi>{phone}</bdi>
          </span>
        </a>
      )}
      {chat !== "" && (
        <a class="button" href={chat} rel="noopener noreferrer">
          <Icon name="chat" />
          <span>{words.reach.chat}</span>
        </a>
      )}
    </p>
  );
}

export function ContactLines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="contact-lines">
      {lines.map((line) => {
        const href = contactLink(line);
        return (
          <li>
            <bdi>{href === undefined ? line : <a href={href}>{line}</a>}</bdi>
          </li>
        );
      })}
    </ul>
  );
}

/** The address that a line of a contact leads to; undefined: it is no address or number. */
function contactLink(line: string): string | undefined {
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(line)) return `mailto:${line}`;
  if (/^\+?[\d\s()./-]{5,24}$/.test(line)) return `tel:${line.replace(/[^+\d]/g, "")}`;
  return /^https?:\/\/[^\s<>"]+$/.test(line) ? line : undefined;
}
