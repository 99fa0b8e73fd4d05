import type { Captive } from "../../../domain/portal/captive.ts";
import { Icon } from "../icons.tsx";
import { BrandMark, ContactLines, Document, type View } from "../layout.tsx";

/** Instead of the page that somebody without access asked for: who, why, and what to do. */
export function CaptivePage({ view, captive }: { view: View; captive: Captive }) {
  const { captive: words } = view.words;
  const { title, why, todo } = say(view, captive);
  const isGood = captive.reason === "renewed";
  return (
    <Document view={view} title={words.title} kind="door" watch={captive.reason}>
      <main class="door-card captive">
        <BrandMark brand={view.brand} />
        <div class={isGood ? "badge good" : "badge bad"}>
          <Icon name={isGood ? "check" : "alert"} />
        </div>
        <h1>{title}</h1>
        <p class="lead">{why}</p>
        {captive.subscriber && (
          <dl class="who">
            <dt>{words.account}</dt>
            <dd>
              {captive.subscriber.name}
              <span class="hint">{captive.subscriber.username}</span>
            </dd>
          </dl>
        )}
        {todo !== undefined && (
          <section class="todo">
            <h2>{words.todo}</h2>
            <p>{todo}</p>
            <ContactLines lines={view.brand.contact} />
          </section>
        )}
        <p class="hint">{isGood ? "" : words.again}</p>
        <a class="button secondary wide" href="">
          {words.try}
        </a>
      </main>
    </Document>
  );
}

function say({ words, format }: View, { reason, line }: Captive) {
  const { captive: w } = words;
  const name = line?.packageName ?? "";
  switch (reason) {
    case "expired":
      return { title: w.expired, why: w.expiredWhy(name, format.time(line?.expiresAt ?? 0)), todo: w.renew };
    case "quota_used_up":
      return {
        title: w.usedUp,
        why: w.usedUpWhy(format.bytes(line?.quota?.total ?? 0), name),
        todo: w.renew,
      };
    case "disabled":
      return { title: w.disabled, why: w.disabledWhy, todo: w.ask };
    case "inactive":
      return { title: w.inactive, why: w.inactiveWhy, todo: w.ask };
    case "renewed":
      return { title: w.renewed, why: w.renewedWhy, todo: undefined };
    case "unknown":
      return { title: w.unknown, why: w.unknownWhy, todo: w.ask };
  }
}
