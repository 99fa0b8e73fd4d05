import type { PushDevice } from "../../../domain/people/push/devices.ts";
import { browserName } from "../../pages/browser.ts";
import { FormToken } from "../../pages/document.tsx";
import { Note } from "../../pages/note.tsx";
import type { View } from "../layout.tsx";

export interface PushCardProps {
  readonly key: string;
  readonly devices: readonly PushDevice[];
  readonly isSecure: boolean;
}

const PUSH = "/portal/settings/push";

/** A script shows the state that holds; without one no browser shows notifications. */
export function Notifications({
  view: { words, format, brand },
  formToken,
  push: { key, devices, isSecure },
}: {
  view: View;
  formToken: string;
  push: PushCardProps;
}) {
  const { app } = words;
  const first = isSecure ? "unsupported" : "insecure";
  const state = (name: string) => ({ "data-push-state": name, hidden: name !== first });
  return (
    <section class="card" id="notifications" data-push={key}>
      <h2>{app.notify}</h2>
      <p class="hint">{app.notifyLead}</p>
      <div class="stack">
        <p {...state("unsupported")}>{app.unsupported("iPhone, iPad")}</p>
        <div class="stack" {...state("insecure")}>
          <p>{app.insecure("https://")}</p>
          {brand.portalUrl.startsWith("https:") && (
            <a class="button" href={brand.portalUrl}>
              {app.secure}
            </a>
          )}
        </div>
        <div {...state("denied")}>
          <Note kind="bad">{app.denied}</Note>
        </div>
        <div {...state("failed")}>
          <Note kind="bad">{app.failed}</Note>
        </div>
        <form method="post" action={PUSH} class="stack" data-push-form {...state("off failed")}>
          <FormToken value={formToken} />
          {["endpoint", "p256dh", "auth"].map((name) => (
            <input type="hidden" name={name} />
          ))}
          <p>{app.off}</p>
          <button class="button solid" type="submit">
            {app.get}
          </button>
        </form>
        <form method="post" action={`${PUSH}/remove`} class="stack" data-push-end {...state("on")}>
          <FormToken value={formToken} />
          <input type="hidden" name="endpoint" />
          <p>{app.on}</p>
          <button class="button" type="submit">
            {app.stop}
          </button>
        </form>
        {devices.length > 0 && (
          <>
            <p class="label">{app.devices}</p>
            <ul class="devices">
              {devices.map(({ id, userAgent, createdAt }) => (
                <li class="row ends">
                  <span>
                    <bdi>{browserName(userAgent) ?? "–"}</bdi>{" "}
                    <span class="hint">{app.since(format.time(createdAt))}</span>
                  </span>
                  <form method="post" action={`${PUSH}/remove`}>
                    <FormToken value={formToken} />
                    <input type="hidden" name="id" value={String(id)} />
                    <button class="button quiet" type="submit">
                      {app.remove}
                    </button>
                  </form>
                </li>
              ))}
            </ul>
          </>
        )}
        <p class="hint">{app.install}</p>
      </div>
    </section>
  );
}
