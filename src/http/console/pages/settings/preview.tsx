import { makeReference } from "../../../../domain/desk/incoming/reference.ts";
import {
  brandingFrom,
  type BrandKey,
  brandKeys,
  findBranding,
  firstSold,
} from "../../../../domain/people/branding/branding.ts";
import type { Line } from "../../../../domain/desk/portal/line.ts";
import type { Renewal } from "../../../../domain/desk/portal/renewal.ts";
import { lastDays } from "../../../../domain/core/time/time.ts";
import { settingDefinitions } from "../../../../domain/core/settings/settings.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { type Brand, brandFrom, colorsCss } from "../../../pages/brand.tsx";
import { framedHeaders } from "../../../pages/respond.tsx";
import { Format } from "../../../pages/format.ts";
import { chooseLanguage } from "../../../words/languages.ts";
import { scriptAsset, styleAsset } from "../../../portal/assets.ts";
import type { View } from "../../../portal/layout.tsx";
import { CaptivePage } from "../../../portal/pages/captive.tsx";
import { HomePage } from "../../../portal/pages/home.tsx";
import { SignInPage } from "../../../portal/pages/sign-in.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { whoseSettings } from "./whose.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export const BRANDING = settingsPages.branding.href;
const DAY = 86_400;
const MONTH = 30;

/** Options of the preview; the first is the default. */
export const looks = [
  { name: "page", options: ["sign_in", "home", "expired", "walled"] },
  { name: "scheme", options: ["light", "dark"] },
  { name: "width", options: ["phone", "wide"] },
] as const;
export type Look = Readonly<Partial<Record<(typeof looks)[number]["name"], string>>>;

export function readLook(chosen: (name: string) => unknown): Look {
  return Object.fromEntries(
    looks.map(({ name, options }) => [name, options.find((one) => one === chosen(name)) ?? options[0]]),
  );
}

/** The real page with an unsaved brand and made-up data; see framedHeaders. */
export function showPreview(visit: StaffVisit): Response {
  const { by, query, view, request } = visit;
  requireFlag(by, "setting_manage");
  const values = brandValues((key) => query.get(key));
  const { page: chosen = "", scheme = "light" } = readLook((name) => query.get(name));
  const brand = brandWith(visit, values, scheme);
  const { words, locale } = chooseLanguage(request.headers.get("accept-language"), "", brand.ispId);
  const record: View = { words, format: new Format(locale, words), brand, now: visit.now };
  const { sample } = view.words.settings.branding;
  const { line, renewal, subscriber } = makeSample(visit, record.brand, chosen);
  const element =
    chosen === "sign_in" ? (
      <SignInPage view={record} formToken="" request={request} />
    ) : chosen === "walled" ? (
      <CaptivePage
        view={record}
        captive={{ reason: "expired", line, renewal, ...subscriber }}
        request={request}
      />
    ) : (
      <HomePage
        view={record}
        formToken=""
        hasCards={false}
        name={sample.name}
        line={line}
        renewal={renewal}
        unpaid={{ count: 0, amount: 0 }}
        days={sampleDays(visit.now)}
        problem={undefined}
        renewed={undefined}
        offers={[]}
        topped={undefined}
      />
    );
  return page(visit, inScheme(element, scheme), { headers: framedHeaders });
}

/** Valid typed values; the stored value replaces an invalid one. */
export function brandValues(entered: (key: BrandKey) => unknown): Partial<Record<BrandKey, string>> {
  const values = brandKeys.map((key) => {
    const value = entered(key);
    if (typeof value !== "string") return [key, undefined] as const;
    const read = settingDefinitions[key].values.read(value.replaceAll("\r\n", "\n").trim());
    return [key, typeof read === "string" ? read : undefined] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function brandWith(visit: StaffVisit, values: Partial<Record<BrandKey, string>>, scheme: string): Brand {
  const { by, isps } = whoseSettings(visit, visit.query.get("isp"));
  const only = isps.length === 1 ? isps[0] : undefined; // whose subscribers see what is the box's
  const ispId = by.scope.ispId ?? only?.id ?? 0;
  const { brand } = visit.view;
  const own = brand.ispId === ispId ? brand : findBranding(visit.db, ispId);
  if (!own) throw new Error("the ISP of an account is not there");
  const branding = brandingFrom(own.stored, values);
  const colors = `${BRANDING}/colors.css?scheme=${scheme}&color=${encodeURIComponent(branding.color)}`;
  return { ...brandFrom(visit.db, branding), colors };
}

/**
 * The page in a fixed scheme, without scripts, which the sandbox would block with complaints, and with dead links, for their
 * targets are in no frame.
 */
function inScheme(element: ReturnType<typeof SignInPage>, scheme: string): typeof element {
  const script = `<script src="${scriptAsset.path}" type="module"></script>`;
  const text = String(element)
    .replace(styleAsset.path, `${BRANDING}/portal.css?scheme=${scheme}`)
    .replace('content="light dark"', `content="${scheme}"`)
    .replace(script, "")
    .replaceAll(/<noscript>.*?<\/noscript>/gs, "")
    .replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, "$1");
  return Object.assign(element, { toString: () => text });
}

/** A stylesheet of the portal as it is in one scheme. */
export function showStyle(visit: StaffVisit): Response {
  return styleIn(visit, styleAsset.text);
}

export function showColors(visit: StaffVisit): Response {
  const color = visit.query.get("color") ?? "";
  const { values, initially } = settingDefinitions.portal_color;
  return styleIn(visit, colorsCss(values.read(color) ?? initially));
}

function styleIn({ by, query }: StaffVisit, text: string): Response {
  requireFlag(by, "setting_manage");
  const { scheme = "light" } = readLook((name) => query.get(name));
  const fixed = text
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "(min-width: 0)" : "(max-width: 0)")
    .replaceAll("(prefers-color-scheme:dark)", scheme === "dark" ? "(min-width: 0)" : "(max-width: 0)")
    .replaceAll(/color-scheme: light dark/g, `color-scheme: ${scheme}`);
  return new Response(fixed, {
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Online with eleven days to go, or expired yesterday, on the ISP's first package. */
function makeSample({ view, now, db }: StaffVisit, { ispId }: Brand, chosen: string) {
  const { sample } = view.words.settings.branding;
  const isOver = chosen !== "home";
  const sold = firstSold(db, ispId) ?? { name: sample.package, price: 2000, rateLimit: "5M/20M" };
  const expiresAt = isOver ? now - DAY : now + 11 * DAY;
  const line: Line = {
    status: isOver ? "expired" : "active",
    expiresAt,
    packageId: 1,
    packageName: sold.name,
    rateLimit: sold.rateLimit,
    isPrepaid: true,
    quota: null,
    fair: null,
    newestInvoice: 0,
    online: isOver ? null : { address: sample.address, since: now - 3 * 3600 },
  };
  const balance = isOver ? 0 : sold.price;
  const renewal: Renewal = {
    packageName: sold.name,
    price: sold.price,
    duration: 1,
    durationUnit: "month",
    balance,
    due: Math.max(0, sold.price - balance),
    isBilledLater: false,
    reference: makeReference(572),
    username: sample.username,
    isOwn: true,
    isCovered: !isOver,
    renewsItself: false,
  };
  return { line, renewal, subscriber: {} };
}

/** A month of evenings, heavier at weekends. */
function sampleDays(now: number) {
  return lastDays(now, MONTH).map((day, index) => ({
    day,
    down: (4 + ((index * 7) % 5) + (index % 7 > 4 ? 5 : 0)) * 1e9,
    up: (1 + ((index * 3) % 3)) * 3e8,
  }));
}
