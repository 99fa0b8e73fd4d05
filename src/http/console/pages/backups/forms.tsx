import { basename } from "node:path";
import {
  backupIn,
  backupNamed,
  makeBackup,
  takeBackupAway,
  tryBackup,
} from "../../../../domain/machine/backup/desk.ts";
import { dataFolderOf, storeFiles } from "../../../../domain/core/files/files.ts";
import { backupOverview } from "../../../../domain/machine/backup/overview.ts";
import { setBackupPassphrase } from "../../../../domain/machine/backup/passphrase.ts";
import { requireApplianceAdmin } from "../../../../domain/core/actor/actor.ts";
import { requireOperator } from "../../../../domain/core/actor/permissions.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { byOwnPassword } from "../../parts/proof.ts";
import { BackupsPage } from "./page.tsx";
import { BACKUPS } from "../../parts/hrefs.ts";

export function beginBackup(visit: StaffVisit): Response {
  const { db, by, needs, view } = visit;
  const { backups: words } = view.words;
  makeBackup(db, by, needs.backups);
  return flash(visit, { kind: "wait", title: words.made, text: words.runsText }, BACKUPS);
}

/** The named backup; their page without a name. Throws `not_found`. */
const findBackup = ({ db, query }: StaffVisit) =>
  query.has("name") ? backupNamed(db, query.get("name") ?? "") : seeOther(BACKUPS);

const trial = form({
  path: `${BACKUPS}/try`,
  of: (visit) => {
    requireApplianceAdmin(visit.db, visit.by);
    return findBackup(visit);
  },
  content: ({ view }, { file }) => {
    const { backups: words } = view.words;
    return {
      title: words.tryTitle,
      lead: basename(file),
      back: BACKUPS,
      submit: words.trySubmit,
      text: <p>{words.tryText}</p>,
      fields: [
        {
          name: "passphrase",
          as: "password",
          label: words.tryPassphrase,
          max: 1000,
          help: words.tryPassphraseHelp,
        },
      ],
    };
  },
  save: ({ db, by, needs }, { file }, { passphrase }) =>
    tryBackup(db, by, { desk: needs.backups, name: basename(file), ...(passphrase && { passphrase }) }),
  done: ({ view: { words } }) => ({
    kind: "wait",
    title: words.backups.trying,
    text: words.backups.runsText,
  }),
});

/** The download, which needs the own password. */
const download = form({
  path: `${BACKUPS}/download`,
  of: (visit) => {
    const { db, by, now, query } = visit;
    requireOperator(by);
    const name = query.get("name");
    if (name === null) return seeOther(BACKUPS);
    const { folder, backups } = backupOverview(db, by, { now });
    const known = backups.find((one) => one.name === name);
    return { ...(known ?? backupIn(folder, name)), holdsKey: known?.holdsKey };
  },
  content: ({ db, view, account }, { file, bytes, holdsKey }) => {
    const { backups: words } = view.words;
    const name = basename(file);
    return {
      title: words.downloadTitle,
      lead: name,
      back: BACKUPS,
      submit: words.downloadSubmit,
      answersPage: true, // a browser that asks for a file stays on its page
      text: (
        <>
          <input type="hidden" autocomplete="username" value={account.username} />
          <p>{words.downloadText(view.format.bytes(bytes))}</p>
          <p class={holdsKey === true ? "" : "warn-text"}>
            {holdsKey === true ? words.downloadHeld : words.downloadApart(storeFiles(dataFolderOf(db)).key)}
          </p>
        </>
      ),
      fields: [
        {
          name: "password",
          as: "password",
          label: words.password,
          help: words.passwordHelp,
          required: true,
          max: 1000,
          attributes: { autocomplete: "current-password" },
        },
      ],
    };
  },
  save: (visit, { file }, { password = "" }) => {
    const { db, by, now } = visit;
    return byOwnPassword(visit, "password", () =>
      takeBackupAway(db, by, { name: basename(file), password }, { now }),
    );
  },
  done: (_, { file }) =>
    new Response(Bun.file(file), {
      headers: {
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="${basename(file)}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    }),
});

/** Seals the key into every backup from now on. */
const passphrase = form({
  path: `${BACKUPS}/passphrase`,
  on: BACKUPS,
  of: ({ db, by, now }) => backupOverview(db, by, { now }),
  content: (visit, of) => {
    const { backups: words } = visit.view.words;
    const entered = { autocomplete: "new-password", spellcheck: "false" };
    const field = { as: "password", required: true, max: 1000, attributes: entered } as const;
    return {
      title: words.passphrase,
      back: BACKUPS,
      submit: of.holdKey ? words.passphraseReplace : words.passphraseSet,
      text: <p class="hint">{words.passphraseText}</p>,
      fields: [
        { ...field, name: "passphrase", label: words.passphraseNew, help: words.passphraseHelp },
        { ...field, name: "again", label: words.passphraseAgain },
      ],
      frame: (children) => (
        <BackupsPage visit={visit} of={of}>
          {children}
        </BackupsPage>
      ),
    };
  },
  save: ({ db, by, now }, _, { passphrase: chosen = "", again = "" }) =>
    setBackupPassphrase(db, by, { passphrase: chosen, again }, { now }),
  done: ({ view: { words } }) => ({
    title: words.backups.passphraseDone,
    text: words.backups.passphraseDoneText,
  }),
});

export const backupForms = [...trial, ...download, ...passphrase];
