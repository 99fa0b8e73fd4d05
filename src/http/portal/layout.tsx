import type { Child } from "hono/jsx";
import { scriptAsset, styleAsset } from "../pages/assets.ts";
import { type Brand, initialOf } from "../pages/brand.tsx";
import type { Format } from "../pages/format.ts";
import { Icon, type IconName } from "../pages/icons.tsx";
import type { Words } from "../words/languages.ts";

/** What every page is written with. */
export interface View {
  readonly words: Words;
  readonly format: Format;
  readonly brand: Brand;
  readonly now: number;
}

interface DocumentProps {
  view: View;
  title: string;
  /** A class of the body, for the kind of page. */
  kind: string;
  /** What a captive page says, while it watches for a change. */
  watch?: string;
  children: Child;
}

/** A whole document: nothing inline, everything from here. */
export function Document({ view: { words, brand }, title, kind, watch, children }: DocumentProps) {
  return (
    <html lang={words.tag} {...(watch !== undefined && { "data-watch": watch })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.color} />
        {watch !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content="30" />
          </noscript>
        )}
        <title>{brand.name === "" ? title : `${title} · ${brand.name}`}</title>
        <link rel="icon" href={brand.icon} type="image/svg+xml" />
        <link rel="stylesheet" href={styleAsset.path} />
        <link rel="stylesheet" href={brand.colors} />
        <script src={scriptAsset.path} type="module" />
      </head>
      <body class={kind}>{children}</body>
    </html>
  );
}

/** The ISP's logo, or its initial, and its name. */
export function BrandMark({ brand }: { brand: Brand }) {
  return (
    <span class="brand">
      {brand.logoUrl === null ? (
        <span class="monogram" aria-hidden="true">
          {initialOf(brand.name) || <Icon name="home" />}
        </span>
      ) : (
        <img class="logo" src={brand.logoUrl} alt="" />
      )}
      <span class="brand-name">{brand.name}</span>
    </span>
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
  /** Of the form that signs out. */
  formToken: string;
  children: Child;
}

/** A page of somebody who is signed in. */
export function Shell({ view, title, place: here, formToken, children }: ShellProps) {
  const { words, brand } = view;
  return (
    <Document view={view} title={title} kind="app">
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
          <button class="quiet" type="submit">
            <Icon name="leave" />
            <span>{words.signOut}</span>
          </button>
        </form>
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
      <Contact view={view} />
    </Document>
  );
}

/** Proves that a form is from a page of this session. */
export function FormToken({ value }: { value: string }) {
  return <input type="hidden" name="form_token" value={value} />;
}

/** How to reach the ISP, where it says so. */
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

/** To the ISP by one press, where it says how. */
export function Reach({ view: { words, brand } }: { view: View }) {
  const { phone, chat } = brand;
  if (phone === "" && chat === "") return null;
  return (
    <p class="reach">
      {phone !== "" && (
        <a class="button secondary" href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
          <Icon name="call" />
          <span>{`${words.reach.call} ${phone}`}</span>
        </a>
      )}
      {chat !== "" && (
        <a class="button secondary" href={chat} rel="noopener noreferrer">
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
        const href = linkOf(line);
        return <li>{href === undefined ? line : <a href={href}>{line}</a>}</li>;
      })}
    </ul>
  );
}

/** An e-mail address, telephone number or web address alone on a line. */
function linkOf(line: string): string | undefined {
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(line)) return `mailto:${line}`;
  if (/^\+?[\d\s()./-]{5,24}$/.test(line)) return `tel:${line.replace(/[^+\d]/g, "")}`;
  return /^https?:\/\/[^\s<>"]+$/.test(line) ? line : undefined;
}
