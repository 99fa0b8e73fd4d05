import type { EventType } from "../../domain/core/events/types.ts";
import type { Messages } from "./compiled/messages.ts";
import { diagnosisWords } from "./console/diagnosis.ts";
import { faultWords } from "./console/faults.ts";
import { routerConfigWords } from "./console/router-config.ts";
import { routerSetupWords } from "./console/router-setup.ts";
import { routerWatchWords } from "./console/router-watch.ts";
import { settingsInWords, settingUnits } from "./console/settings.ts";
import { timelineWords } from "./console/timeline.ts";
import { byAction, trailWords } from "./console/trail.ts";
import type { LanguageName } from "./languages.ts";
import { loadMessages } from "./messages.ts";

type Named = Readonly<Record<string, string>>;
type Unit = "second" | "minute" | "hour" | "day" | "week" | "month";

const made = new WeakMap<Messages, ConsoleWords>();

/** Of the console, its commands and its papers. */
export function consoleWords(language: LanguageName, locale: string = language.tag, ispId = 0): ConsoleWords {
  const messages = loadMessages(language.tag, locale, ispId);
  return made.getOrInsertComputed(messages, () => buildWords(messages, language));
}

export type ConsoleWords = ReturnType<typeof buildWords>;

/** Messages, and beside them what is more than a message: tables that are asked for by any name, and lists. */
function buildWords(m: Messages, { tag, dir, name }: LanguageName) {
  const listed = new Intl.ListFormat(tag);
  const either = new Intl.ListFormat(tag, { type: "disjunction" });
  const settings = settingsInWords(m.settingWords);
  const routerWatch = routerWatchWords(m);
  const methods: Named = m.pay.methods;
  const happened: Named = byAction(m.outbox.happened);
  return {
    ...m,
    tag,
    name,
    dir,
    units: m.portal.units,
    durations: { ...m.durations, units: typedUnits(m.durations.units) },
    online: {
      ...m.online,
      cutOff: (boxes: readonly string[]) => m.online.cutOff(boxes.join(m.list.comma), boxes.length),
    },
    pay: {
      ...m.pay,
      what: {
        all: () => m.pay.what.all,
        package: (packageName: string) => packageName,
        owed: () => m.pay.what.owed,
        wallet: () => m.pay.what.wallet,
        later: () => m.pay.what.later,
      },
      /** Others have the ISP's names. */
      methodName: (method: string) => methods[method] ?? method.replaceAll("_", " "),
      payment: (method: string) => m.pay.payment(method.toLocaleLowerCase(tag)),
    },
    packages: {
      ...m.packages,
      ...m.packageFields,
      sessions: (
        counts: Readonly<Record<"changed" | "ended" | "unchanged" | "left" | "refused", number>>,
      ) => {
        const said = m.packages.sessions;
        const kinds = ["changed", "ended", "unchanged", "left", "refused"] as const;
        const parts = kinds.filter((kind) => counts[kind] > 0).map((kind) => said[kind](counts[kind]));
        return parts.join(m.list.comma) || said.none;
      },
    },
    subscriber: { ...m.subscriber, fields: m.subscriber.fields as Named },
    diagnosis: diagnosisWords(m.diagnosis),
    reports: {
      ...m.reports,
      tabs: m.reports.tabs as Named,
      columns: m.reports.columns as Named,
      labels: m.reports.labels as Named,
      values: m.reports.values as Named,
      concessions: m.reports.concessions as Named,
      cardKinds: m.reports.cardKinds as Named,
      nobody: m.reports.nobody as Named,
      whole: m.reports.whole as Named,
      about: m.reports.about as Named,
      belongs: m.reports.belongs as Named,
    },
    timeline: timelineWords(m),
    trail: trailWords(m.trail, m, settings),
    faults: faultWords(m.faults, routerWatch, settings),
    routerWatch,
    routerSetup: routerSetupWords(m),
    routerConfig: routerConfigWords(m),
    routers: {
      ...m.routers,
      sentence: (all: number, count: number) =>
        all === 1
          ? m.routers.heard[count === 1 ? "one" : "none"]
          : count === all
            ? m.routers.heard.all(all)
            : m.routers.heard.some(count, all),
    },
    settings: { ...m.settings, words: settings, units: settingUnits(m.settings.units) },
    bankFiles: {
      ...m.bankFiles,
      dateKinds: {
        "Y-m-d": "2030-01-31",
        "d/m/Y": "31/01/2030",
        "d.m.Y": "31.01.2030",
        "m/d/Y": "01/31/2030",
      },
    },
    cards: {
      ...m.cards,
      inStock: (parts: readonly string[]) => m.cards.inStock(listed.format(parts)),
      runningOut: (parts: readonly string[]) => m.cards.runningOut(listed.format(parts)),
      stock: (parts: readonly string[]) => parts.join(m.list.comma),
      gives: {
        ...m.cards.gives,
        within: (amounts: readonly string[], span: string) =>
          m.cards.gives.within(either.format(amounts), span),
        whenever: (amounts: readonly string[]) => either.format(amounts),
      },
      making: {
        ...m.cardMaking,
        sentence: (parts: readonly string[], money: string) =>
          m.cardMaking.sentence(parts.join(m.list.comma), money),
      },
      batch: {
        ...m.cards.batch,
        strip: {
          ...m.cardStrip,
          gone: (parts: readonly string[]) => m.cardStrip.gone(listed.format(parts)),
          receipts: (numbers: string, first: string, last: string) =>
            first === last ? m.cardStrip.receipt(numbers, first) : m.cardStrip.receipts(numbers, first, last),
        },
      },
      card: {
        ...m.card,
        activeTitle: (parts: readonly string[]) => parts.join(m.list.comma),
        usedUpText: (used: readonly string[]) => m.card.usedUpText(listed.format(used)),
      },
    },
    errors: {
      ...m.errors,
      names: m.errors.names as Named,
      lacks: (does: string | undefined) => m.errors.lacks(does ?? m.errors.doThis),
      ask: (admins: readonly string[]) => m.errors.ask(either.format(admins)),
      rolesThatMay: (roles: readonly string[]) => m.errors.rolesThatMay(either.format(roles)),
    },
    importing: {
      ...m.importing,
      sources: sourceWords(m.importing.sources),
      run: { ...m.importing.run, step: m.importing.run.step as Named },
      columns: { ...m.importing.columns, delimiters: m.importing.columns.delimiters as Named },
    },
    messageChannels: {
      ...m.messageChannels,
      fills: m.messageChannels.fills as Named,
      urlHelp: m.messageChannels.urlHelp(
        "{{to}}, {{digits}}, {{body}}, {{subject}}, {{id}}",
        "{{secret.NAME}}",
      ),
      headersHelp: m.messageChannels.headersHelp("Authorization: Bearer {{secret.token}}"),
      bodyHelp: m.messageChannels.bodyHelp("text={{body}}", "{{line}}"),
    },
    messageTexts: { ...m.messageTexts, fieldsLead: m.messageTexts.fieldsLead("{{ }}") },
    messageWriting: {
      ...m.messageWriting,
      unwanted: m.messageWriting.unwanted as Named,
      bodyHelp: m.messageWriting.bodyHelp("{{name}}"),
    },
    outbox: {
      ...m.outbox,
      says: { ...m.outbox.says, failed: () => m.outbox.says.failed },
      one: { ...m.outbox.one, event: (type: string) => happened[type] ?? type },
    },
    shapers: {
      ...m.shapers,
      short: {
        ...m.shapers.short,
        off: () => m.shapers.short.off,
        new: () => m.shapers.short.new,
        untold: () => m.shapers.short.untold,
      },
    },
    told: {
      ...m.told,
      channels: {
        ...m.told.channels,
        whatsapp: { ...m.told.channels.whatsapp, says: m.told.channels.whatsapp.says("{{1}}") },
      },
      events: byAction(m.told.events) as Readonly<Record<EventType, string>>,
    },
    signIn: { ...m.signIn, fields: new Map(Object.entries(m.signIn.fields)) },
    signUp: {
      ...m.signUp,
      connections: Object.fromEntries(
        m.subscriber.side.kinds.map((kind, n) => [n + 1, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`]),
      ),
    },
    start: {
      ...m.start,
      package: {
        ...m.start.package,
        done: (...parts: readonly [name: string, speed: string, span: string, price: string]) =>
          parts.filter((part) => part !== "").join(m.list.comma),
      },
    },
    subscribers: {
      ...m.subscribers,
      of: (matching: string, all: string) => [matching, m.subscribers.of(all)] as const,
    },
    team: {
      ...m.team,
      flags: m.flags,
      staff: { ...m.team.staff, kinds: m.team.staff.kinds as Readonly<Record<number, string>> },
    },
  };
}

/** Each unit as it may be typed. */
function typedUnits(units: Readonly<Record<Unit, string>>): Readonly<Record<string, Unit>> {
  const all = Object.entries(units) as [Unit, string][];
  return Object.fromEntries(all.flatMap(([unit, typed]) => typed.split(" ").map((each) => [each, unit])));
}

/** Commands beside the steps of an import. */
const commands: Readonly<Record<string, readonly string[]>> = {
  routeros: [
    "/export show-sensitive file=gatehouse",
    "curl -k -u admin https://ROUTER/rest/user-manager/user-profile > user-profile.json",
  ],
  freeradius: [
    "mysqldump --single-transaction --ignore-table=radius.radpostauth radius | gzip > radius.sql.gz",
    "pg_dump --exclude-table=radpostauth radius | gzip > radius.sql.gz",
  ],
  phpnuxbill: ["mysqldump --single-transaction phpnuxbill | gzip > phpnuxbill.sql.gz"],
  radiusdesk: ["mysqldump --single-transaction rd | gzip > radiusdesk.sql.gz"],
};

interface SourceWords {
  readonly name: string;
  readonly lead: string;
  /** Steps; code in the second part. */
  readonly how: readonly { readonly text: string; readonly code?: string | undefined }[];
}

/** By source; others by title. */
function sourceWords(sources: Messages["importing"]["sources"]): Readonly<Record<string, SourceWords>> {
  const all = Object.entries(sources).map(([source, { name, lead, how }]) => {
    const steps: readonly string[] = how;
    return [
      source,
      { name, lead, how: steps.map((text, at) => ({ text, code: commands[source]?.[at] })) },
    ] as const;
  });
  return Object.fromEntries(all);
}
