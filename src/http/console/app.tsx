import type { AnyElysia } from "elysia";
import { type Installed, serveWorker } from "../pages/installed.ts";
import { Icon } from "../pages/icons.tsx";
import { Button } from "../pages/parts/button.tsx";
import { pageResponse } from "../pages/respond.tsx";
import { consoleScript, consoleStyle, WORKER } from "./assets.ts";
import type { ConsoleNeeds } from "./guard.ts";
import { Entry } from "./parts/entry.tsx";
import { consoleViewFor } from "./view.ts";

const OFFLINE = "/console/offline";

/** The app on a phone, which keeps nothing of the office: without the box there is one page that says so. */
const installed: Installed = {
  name: "console",
  scope: "/console",
  offline: OFFLINE,
  assets: "^/(?:console/assets|portal/brand)/",
  signOut: ["/console/sign-out"],
};

/** What makes an app of the console. */
export function addConsoleApp(app: AnyElysia, { db, clock }: Pick<ConsoleNeeds, "db" | "clock">): void {
  const hook = { parse: "none", detail: { hide: true } } as const;
  const worker = serveWorker(installed, [consoleStyle.path, consoleScript.path]);
  app.get(WORKER, ({ request }) => worker(request), hook);
  app.get(
    OFFLINE,
    ({ request }) => {
      const view = consoleViewFor(db, { request, now: clock() });
      const words = view.words.me.app;
      return pageResponse(
        <Entry view={view} title={words.offline}>
          <div class="empty">
            <span class="empty-mark">
              <Icon name="alert" />
            </span>
            <h1>{words.offline}</h1>
            <p>{words.offlineText}</p>
            <div class="actions">
              <Button href="" kind="solid">
                {words.again}
              </Button>
            </div>
          </div>
        </Entry>,
      );
    },
    hook,
  );
}
