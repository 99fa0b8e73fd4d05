import { basename } from "node:path";
import {
  backupNamed,
  makeBackup,
  takeBackupAway,
  tryBackup,
} from "../../../../domain/machine/backup/desk.ts";
import { dataFolderOf, storeFiles } from "../../../../domain/core/files/files.ts";
import { backupOverview } from "../../../../domain/machine/backup/overview.ts";
import { setBackupPassphrase } from "../../../../domain/machine/backup/passphrase.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { requireAdminOfAll } from "../../../../domain/core/actor/actor.ts";
import { requireOperator } from "../../../../domain/core/actor/permissions.ts";
import { countFailure } from "../../../account-failures.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { drawer, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ended } from "./ended.ts";
import { showBackups } from "./page.tsx";
import { BACKUPS } from "./work.tsx";
import { DrawerForm } from "../../drawer-form.tsx";

/** Begins to make a backup. */
export function beginBackup(visit: StaffVisit): Response {
  const { db, by, needs, view } = visit;
  const { backups: words } = view.words;
  makeBackup(db, by, needs.backups);
  return said(visit, { kind: "wait", title: words.made, text: words.runsText }, BACKUPS);
}

/** Asks whether a backup is to be tried as on another machine. */
export function tryDrawer(visit: StaffVisit): Response {
  const { db, by, view, query } = visit;
  requireAdminOfAll(db, by);
  if (!query.has("name")) return seeOther(BACKUPS);
  const { backups: words } = view.words;
  const { file } = backupNamed(db, query.get("name") ?? "");
  const action = `${BACKUPS}/try`;
  return drawer(visit, {
    title: words.tryTitle,
    lead: basename(file),
    place: "settings",
    back: BACKUPS,
    children: (
      <DrawerForm action={action} visit={visit}>
        <div class="drawer-body">
          <input type="hidden" name="name" value={basename(file)} />
          <p>{words.tryText}</p>
          <Field
            name="passphrase"
            type="password"
            label={words.tryPassphrase}
            help={words.tryPassphraseHelp}
            attributes={{ autocomplete: "off", maxlength: 1000 }}
          />
        </div>
        <div class="drawer-foot">
          <Button kind="solid" size="large" icon="shield">
            {words.trySubmit}
          </Button>
        </div>
      </DrawerForm>
    ),
  });
}

/** Begins a trial restore. */
export function beginTrial(visit: StaffVisit, input: Input): Response {
  const { db, by, needs, view } = visit;
  const { backups: words } = view.words;
  const passphrase = textOf(input, "passphrase", 1000);
  tryBackup(db, by, {
    desk: needs.backups,
    name: textOf(input, "name", 200),
    ...(passphrase !== "" && { passphrase }),
  });
  return said(visit, { kind: "wait", title: words.trying, text: words.runsText }, BACKUPS);
}

/** Asks for the password before a backup is handed out. */
export function downloadDrawer(visit: StaffVisit, name: string, fault?: string): Response {
  const { db, by, view, formToken, now, account } = visit;
  requireOperator(by);
  if (name === "") return seeOther(BACKUPS);
  const { words, format } = view;
  const { backups: b } = words;
  const { file, bytes } = backupNamed(db, name);
  const known = backupOverview(db, by, { now }).backups.find((one) => one.name === name);
  return drawer(visit, {
    title: b.downloadTitle,
    lead: basename(file),
    place: "settings",
    back: BACKUPS,
    status: fault === undefined ? 200 : 422,
    children: (
      // a browser that asks for a file stays on its page
      <form method="post" action={`${BACKUPS}/download`}>
        <div class="drawer-body">
          <FormToken value={formToken} />
          <input type="hidden" name="name" value={name} />
          <input type="hidden" autocomplete="username" value={account.username} />
          <p>{b.downloadText(format.bytes(bytes))}</p>
          <p class={known?.holdsKey === true ? "" : "warn-text"}>
            {known?.holdsKey === true ? b.downloadHeld : b.downloadApart(storeFiles(dataFolderOf(db)).key)}
          </p>
          <Field
            name="password"
            type="password"
            label={b.password}
            help={b.passwordHelp}
            fault={fault}
            required
            attributes={{ autocomplete: "current-password", maxlength: 1000 }}
          />
        </div>
        <div class="drawer-foot">
          <Button kind="solid" size="large" icon="download">
            {b.downloadSubmit}
          </Button>
        </div>
      </form>
    ),
  });
}

/** The file of a backup, for who says the own password once more. */
export async function download(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs, account, source, view } = visit;
  const name = textOf(input, "name", 200);
  const password = textOf(input, "password", 1000);
  const found = await attempt(visit, () =>
    countFailure(needs.accountFailures, { holder: `account ${account.id}`, address: source }, () =>
      takeBackupAway(db, by, { name, password }, { now }),
    ),
  );
  if (found instanceof DomainError) {
    if (found.code === "unauthenticated")
      return downloadDrawer(visit, name, view.words.backups.wrongPassword);
    if (found.code === "too_soon") return downloadDrawer(visit, name, ended(found.message));
    throw found;
  }
  return new Response(Bun.file(found.file), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Puts the key into every backup from now on. */
export async function setPassphrase(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { backups: words } = view.words;
  const typed = { passphrase: textOf(input, "passphrase", 1000), again: textOf(input, "again", 1000) };
  const refused = await attempt(visit, () => setBackupPassphrase(db, by, typed, { now }));
  if (refused) {
    if (refused.code !== "invalid") throw refused;
    return showBackups(visit, refused.fields ?? {});
  }
  return said(visit, { kind: "good", title: words.passphraseDone, text: words.passphraseDoneText }, BACKUPS);
}
