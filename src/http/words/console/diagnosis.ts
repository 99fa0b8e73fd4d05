import type { Messages } from "../compiled/messages.ts";
import type { LoginRun } from "../../../domain/service/access/login-runs.ts";
import type { Act, Code, DiagnosisOf, Outage, Fix } from "../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import type { AccessReason } from "../../../domain/service/access/outcomes.ts";
import type { SessionInScope } from "../../../domain/service/sessions/in-scope.ts";
import type { Seconds } from "../../../domain/core/time/time.ts";

/** Formats of figures, times and devices. */
export interface Phrases {
  /** Isolated stored text. */
  readonly name: (text: string) => string;
  /** A reason that a row keeps, as told to the reader. */
  readonly stored: (text: string) => string;
  /** `14:31`, `Mon 22:51`, `2 Jan`: as much as it needs by now. */
  readonly near: (at: Seconds) => string;
  /** `Saturday 12 January, 18:00`. */
  readonly full: (at: Seconds) => string;
  readonly lasted: (seconds: Seconds) => string;
  /** `3 days ago`. */
  readonly ago: (at: Seconds) => string;
  readonly money: (minor: number) => string;
  readonly bytes: (octets: number) => string;
  /** `30 / 10 Mbit/s`. */
  readonly rate: (rateLimit: string | null) => string;
  /** `a TP-Link, D8:07:B6:1A:4F:C2`. */
  readonly device: (mac: string | null) => string;
  /** `the TP-Link`. */
  readonly maker: (mac: string | null) => string;
}

interface Verdict {
  readonly title: string;
  readonly text: string;
  /** What the first button does. */
  readonly hint?: string;
}

type Verdicts = { readonly [C in Code]: (facts: DiagnosisOf<C>, phrases: Phrases) => Verdict };

interface Pressed {
  readonly money: (minor: number) => string;
  readonly maker: (mac: string | null) => string;
  readonly lasted: (seconds: Seconds) => string;
}

type Labels = {
  readonly [K in Fix["kind"]]: (fix: Extract<Fix, { kind: K }>, phrases: Pressed) => string;
};

export function diagnosisWords(m: Messages["diagnosis"]) {
  const on = ({ nasName, session }: SessionInScope, phrases: Phrases) =>
    phrases.name(nasName ?? session.nasAddress);
  const at = (run: LoginRun, phrases: Phrases) => phrases.name(run.nasName ?? run.nasAddress);
  const whoDid = (act: Act | null, phrases: Phrases) =>
    act ? m.did(phrases.name(act.by), phrases.near(act.at)) : m.whoDid;
  const places: Record<Outage["kind"], string> = m.places;

  function asks(run: LoginRun, phrases: Phrases): string {
    if (run.times === 1) return m.asks(phrases.near(run.at));
    const every = Math.round((run.at - run.since) / (run.times - 1));
    if (every <= 90 && every >= 50) return m.asks2;
    return m.asks3(every, phrases.lasted(every));
  }

  const where = (isSame: boolean, run: LoginRun, phrases: Phrases) =>
    isSame ? m.where : m.where2(at(run, phrases));
  const online = (session: SessionInScope, phrases: Phrases) =>
    m.online2(
      phrases.near(session.session.startedAt),
      session.session.framedIp ? m.online(session.session.framedIp) : "",
      on(session, phrases),
    );

  function unpaid({ packageName, since, money, renewal }: DiagnosisOf<"expired">, phrases: Phrases): Verdict {
    const owes = money !== null && money.balance < 0;
    const title = m.unpaid.title2(
      phrases.ago(since),
      owes ? m.unpaid.title(phrases.money(-money.balance)) : "",
    );
    const byItself = renewal ? m.unpaid.byItself(phrases.stored(renewal.reason)) : "";
    const wallet =
      money === null ? "" : m.unpaid.wallet(phrases.money(money.balance), phrases.money(money.price));
    return {
      title,
      text: m.unpaid.text(phrases.name(packageName), phrases.full(since), byItself, wallet),
      ...sum(money, packageName, phrases),
    };
  }

  /** `28.00 = 6.00 owed + 22.00 for Family 30.` */
  function sum(
    money: DiagnosisOf<"expired">["money"],
    packageName: string,
    phrases: Phrases,
  ): { hint?: string } {
    if (money === null || money.due === 0) return {};
    const { due, balance, price } = money;
    if (balance < 0)
      return {
        hint: m.sum.hint(
          phrases.money(due),
          phrases.money(-balance),
          phrases.money(price),
          phrases.name(packageName),
        ),
      };
    if (balance > 0)
      return {
        hint: m.sum.hint2(
          phrases.money(due),
          phrases.money(price),
          phrases.name(packageName),
          phrases.money(balance),
        ),
      };
    return {};
  }

  const data = (
    { packageName, total, used }: { packageName: string; total: number; used: number },
    phrases: Phrases,
  ) => m.data(phrases.bytes(used), phrases.bytes(total), phrases.name(packageName));

  const verdicts: Verdicts = {
    online: ({ session }, phrases) => ({
      title: m.verdicts.online.title,
      text: m.verdicts.online.text(online(session, phrases)),
    }),
    online_slowed: (facts, phrases) => ({
      title: m.verdicts.online_slowed.title,
      text: m.verdicts.online_slowed.text(data(facts, phrases), phrases.rate(facts.rate)),
      ...sum(facts.money, facts.packageName, phrases),
    }),
    online_held_expired: ({ session, ...facts }, phrases) => {
      const verdict = unpaid({ ...facts, code: "expired" }, phrases);
      return {
        ...verdict,
        text: m.verdicts.online_held_expired.text(verdict.text, phrases.near(session.session.startedAt)),
      };
    },
    online_held_data: (facts, phrases) => ({
      title: m.verdicts.online_held_data.title,
      text: m.verdicts.online_held_data.text(data(facts, phrases)),
      ...sum(facts.money, facts.packageName, phrases),
    }),
    online_held_paid: ({ session, packageName }, phrases) => ({
      ...m.verdicts.online_held_paid,
      text: m.verdicts.online_held_paid.text(
        phrases.name(packageName),
        phrases.near(session.session.startedAt),
      ),
    }),
    online_expired: (facts, phrases) => {
      const verdict = unpaid({ ...facts, code: "expired" }, phrases);
      return {
        ...verdict,
        text: m.verdicts.online_expired.text(verdict.text),
      };
    },
    online_disabled: ({ session, act }, phrases) => ({
      title: m.verdicts.online_disabled.title,
      text: m.verdicts.online_disabled.text(whoDid(act, phrases), on(session, phrases)),
    }),
    online_frozen: ({ session, since }, phrases) => ({
      title: m.verdicts.online_frozen.title,
      text: m.verdicts.online_frozen.text(phrases.near(since), on(session, phrases)),
    }),
    online_unheard: ({ session, outage }, phrases) => ({
      title: outage
        ? m.verdicts.online_unheard.title(phrases.name(outage.name))
        : m.verdicts.online_unheard.title2,
      text: m.verdicts.online_unheard.text3(
        phrases.near(session.session.updatedAt),
        outage
          ? m.verdicts.online_unheard.text(outage.lines, phrases.near(outage.since))
          : m.verdicts.online_unheard.text2(on(session, phrases)),
      ),
    }),
    second_device: ({ session, run, allowed }, phrases) => ({
      ...m.verdicts.second_device,
      text: m.verdicts.second_device.text(
        allowed,
        online(session, phrases),
        phrases.device(session.session.mac),
        phrases.near(run.since),
        phrases.device(run.mac),
        asks(run, phrases),
        at(run, phrases),
      ),
    }),
    archived: ({ since, act }, phrases) => ({
      ...m.verdicts.archived,
      text: m.verdicts.archived.text(phrases.near(since), whoDid(act, phrases)),
    }),
    disabled: ({ act }, phrases) => ({
      title: m.verdicts.disabled.title,
      text: m.verdicts.disabled.text(whoDid(act, phrases)),
    }),
    frozen: ({ since, act }, phrases) => ({
      ...m.verdicts.frozen,
      text: m.verdicts.frozen.text(phrases.near(since), whoDid(act, phrases)),
    }),
    never_activated: ({ packageName, money }, phrases) => ({
      title: m.verdicts.never_activated.title,
      text: m.verdicts.never_activated.text2(
        phrases.name(packageName),
        money
          ? m.verdicts.never_activated.text(phrases.money(money.price), phrases.money(money.balance))
          : "",
      ),
      ...sum(money, packageName, phrases),
    }),
    router_decides: () => m.verdicts.router_decides,
    static_address: ({ address }) => ({
      title: m.verdicts.static_address.title,
      text: m.verdicts.static_address.text2(address ? m.verdicts.static_address.text(address) : ""),
    }),
    outage: ({ outage }, phrases) => ({
      title: m.verdicts.outage.title(
        places[outage.kind],
        phrases.name(outage.name),
        phrases.near(outage.since),
      ),
      text: m.verdicts.outage.text(outage.lines, phrases.near(outage.darkAt)),
    }),
    new_device: ({ run, locked, isSameRouter }, phrases) => ({
      title: m.verdicts.new_device.title,
      text: m.verdicts.new_device.text(
        phrases.device(locked),
        phrases.near(run.since),
        phrases.device(run.mac),
        asks(run, phrases),
        where(isSameRouter, run, phrases),
      ),
      hint: m.verdicts.new_device.hint(phrases.maker(run.mac)),
    }),
    wrong_password: ({ run }, phrases) => ({
      ...m.verdicts.wrong_password,
      text: m.verdicts.wrong_password.text(
        phrases.near(run.since),
        phrases.device(run.mac),
        asks(run, phrases),
        at(run, phrases),
      ),
    }),
    router_secret: ({ run }, phrases) => ({
      title: m.verdicts.router_secret.title(at(run, phrases)),
      text: m.verdicts.router_secret.text(phrases.near(run.since)),
    }),
    other_isp: ({ run }, phrases) => ({
      title: m.verdicts.other_isp.title,
      text: m.verdicts.other_isp.text(
        phrases.near(run.since),
        phrases.device(run.mac),
        asks(run, phrases),
        run.nasAddress,
      ),
    }),
    wrong_connection_type: ({ run }, phrases) => ({
      title: m.verdicts.wrong_connection_type.title,
      text: m.verdicts.wrong_connection_type.text(
        phrases.near(run.since),
        phrases.device(run.mac),
        asks(run, phrases),
        at(run, phrases),
      ),
    }),
    router_login: ({ run }, phrases) => ({
      title: m.verdicts.router_login.title,
      text: m.verdicts.router_login.text(phrases.near(run.at), at(run, phrases)),
    }),
    no_credentials: ({ run }, phrases) => ({
      title: m.verdicts.no_credentials.title,
      text: m.verdicts.no_credentials.text(at(run, phrases), phrases.near(run.since)),
    }),
    expired: unpaid,
    quota_used_up: (facts, phrases) => ({
      title: m.verdicts.quota_used_up.title,
      text: m.verdicts.quota_used_up.text(data(facts, phrases)),
      ...sum(facts.money, facts.packageName, phrases),
    }),
    mended: ({ run }, phrases) => ({
      title: m.verdicts.mended.title,
      text: m.verdicts.mended.text(phrases.near(run.at), reasonOf(run.reason)),
    }),
    ended: ({ last }, phrases) => ({
      title: m.verdicts.ended.title(causeOf(last.session.terminateCause)),
      text: m.verdicts.ended.text(
        phrases.near(last.session.stoppedAt ?? 0),
        on(last, phrases),
        phrases.lasted(sessionLength(last)),
      ),
      hint: m.verdicts.ended.hint,
    }),
    unaccounted: ({ run }, phrases) => ({
      title: m.verdicts.unaccounted.title(at(run, phrases)),
      text: m.verdicts.unaccounted.text(phrases.near(run.at)),
    }),
    router_unsigned: () => m.verdicts.router_unsigned,
    not_asking: ({ last }, phrases) => ({
      ...m.verdicts.not_asking,
      text: m.verdicts.not_asking.text(
        phrases.near(last.session.stoppedAt ?? 0),
        causeOf(last.session.terminateCause),
      ),
    }),
    never_asked: () => m.verdicts.never_asked,
  };

  const sessionLength = ({ session }: SessionInScope) =>
    Math.max(0, (session.stoppedAt ?? session.updatedAt) - session.startedAt);

  const reasons: Readonly<Record<AccessReason, string>> = m.reasons;

  /** Unknown reasons stay. */
  function reasonOf(reason: string): string {
    return Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason;
  }

  const causes: Readonly<Record<string, string>> = m.causes;

  function causeOf(cause: string | null): string {
    return cause === null ? m.causeOf : (causes[cause] ?? cause);
  }

  const labels: Labels = {
    take_device: ({ mac }, { maker }) => m.labels.take_device(maker(mac)),
    unlock: () => m.labels.unlock,
    pay: ({ amount }, { money }) => m.labels.pay(money(amount)),
    renew: () => m.labels.renew,
    trust: () => m.labels.trust,
    activate: () => m.labels.activate,
    package: () => m.labels.package,
    enable: () => m.labels.enable,
    thaw: () => m.labels.thaw,
    restore: () => m.labels.restore,
    password: () => m.labels.password,
    disconnect: () => m.labels.disconnect,
    end_session: () => m.labels.end_session,
    edit: () => m.labels.edit,
    outage: ({ lines }) => m.labels.outage(lines),
    router: () => m.labels.router,
  };

  const diagnosis = {
    ...m,
    verdicts,
    reasonOf,
    causeOf,
    labels,
    evidence: {
      ...m.evidence,
      rejectedTimes: (n: number, isMore: boolean) => m.evidence.rejectedTimes(n, isMore ? "+" : ""),
      times: (n: number, isMore: boolean) => `${n}${isMore ? "+" : ""}×`,
    },
  };

  return diagnosis;
}
