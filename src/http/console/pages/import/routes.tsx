import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { listMoves } from "../../../../domain/machine/imports/moves.ts";
import {
  loadLooks,
  loadResult,
  loadNotices,
  NOTICES_PAGE,
  noticesFile,
} from "../../../../domain/machine/imports/runs/result.ts";
import type { Run, RunOptions } from "../../../../domain/machine/imports/runs/run.ts";
import { sources } from "../../../../domain/machine/imports/sources.ts";
import { type NoticeKind, noticeHeadings } from "../../../../domain/machine/imports/notices.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { verifyPassword } from "../../../../domain/people/staff/passwords.ts";
import { countFailure } from "../../../account-failures.ts";
import { attempt, attemptNow } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, flash } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage, staffUpload } from "../../guard.ts";
import { pageIn } from "../../parts/pager.tsx";
import { runPath } from "./addresses.ts";
import { IMPORT } from "../../parts/hrefs.ts";
import { ChooseFiles } from "./choose.tsx";
import { readColumnChoices } from "./columns-form.ts";
import { ColumnsPage } from "./columns.tsx";
import { ImportHome } from "./home.tsx";
import { MovePage, readMove, undoForm } from "./move.tsx";
import { MovedPage } from "./moved.tsx";
import { EndedPage, WorkingPage } from "./run.tsx";
import { noticeKinds } from "./notices.tsx";
import { TriedPage } from "./tried.tsx";
import { receiveFiles } from "./upload.ts";

const RUN = `${IMPORT}/runs/:id`;
const MOVE = `${IMPORT}/moves/:id`;

/** Moves from other systems: files, columns, the try, the move, its undoing. */
export const importPageRoutes = [
  staffPage(IMPORT, (visit) => {
    const { db, by, needs } = visit;
    const moves = listMoves(db, by, { limit: 50 });
    return page(visit, <ImportHome visit={visit} runs={needs.moving.list(by)} moves={moves} />);
  }),
  staffPage(`${IMPORT}/new/:source`, (visit) => chooseFiles(visit, readSource(visit))),
  staffUpload(`${IMPORT}/upload/:source`, async (visit, isToken) => {
    permit(visit.by, "moveIn");
    const source = readSource(visit);
    const received = await attempt(visit, () => receiveFiles(visit, isToken, source));
    if (!(received instanceof DomainError)) return seeOther(runPath(received.id));
    if (received.kind === "forbidden" || received.kind === "not_found") throw received;
    return chooseFiles(visit, source, received.message);
  }),
  staffPage(RUN, (visit) => showRun(visit, readRun(visit))),
  staffForm(`${RUN}/columns`, (visit, input) => {
    const { needs, by, view } = visit;
    const run = readRun(visit);
    const looks = loadLooks(needs.moving.folder, run.id);
    const refused = attemptNow(visit, () => {
      const { map, isOther } = readColumnChoices(
        input,
        { looks, map: run.map },
        view.words.importing.columns,
      );
      needs.moving.start(by, run.id, isOther ? "look" : "try", { map });
    });
    if (!refused) return seeOther(runPath(run.id));
    if (refused.kind === "not_found") throw refused;
    return page(visit, <ColumnsPage visit={visit} run={run} looks={looks} fault={refused.message} />, {
      status: 422,
    });
  }),
  staffForm(`${RUN}/again`, (visit) => {
    const run = readRun(visit);
    const isLooked =
      run.source !== "csv" || (run.map !== null && loadLooks(visit.needs.moving.folder, run.id).length > 0);
    visit.needs.moving.start(visit.by, run.id, isLooked ? "try" : "look");
    return seeOther(runPath(run.id));
  }),
  staffForm(`${RUN}/move`, (visit, input) => {
    const run = readRun(visit);
    const options = optionsIn(input);
    // changed choices are previewed before the import
    const isOther = !isDeepStrictEqual(options, run.options ?? optionsIn({}));
    if (input["then"] === "try" || (run.state === "tried" && isOther)) {
      visit.needs.moving.start(visit.by, run.id, "try", { options });
      return seeOther(runPath(run.id));
    }
    const found = loadResult(visit.needs.moving.folder, run.id);
    if (found?.report.undecided !== undefined) return seeOther(`${runPath(run.id)}?columns=1`);
    const { id } = visit.needs.moving.start(visit.by, visit.params["id"] ?? "", "move");
    return seeOther(runPath(id));
  }),
  staffForm(`${RUN}/stop`, async (visit) => {
    const { words } = visit.view;
    const run = await visit.needs.moving.stop(visit.by, visit.params["id"] ?? "");
    const isStopped = run.state === "stopped";
    const { run: phrases } = words.importing;
    return flash(
      visit,
      { kind: isStopped ? "good" : "wait", title: isStopped ? phrases.said.stopped : phrases.tooLate },
      runPath(run.id),
    );
  }),
  staffForm(`${RUN}/discard`, (visit) => {
    visit.needs.moving.discard(visit.by, visit.params["id"] ?? "");
    return flash(visit, { kind: "good", title: visit.view.words.importing.run.said.discarded }, IMPORT);
  }),
  staffForm(`${RUN}/passwords`, async (visit, input) => {
    const run = readRun(visit);
    const isOwn = await attempt(visit, () =>
      requireOwnPassword(visit, readTextField(input, "password", 1000)),
    );
    if (isOwn instanceof DomainError) return showRun(visit, run, isOwn.message, 422);
    const text = await visit.needs.moving.takePasswords(visit.by, run.id);
    return csvFile("new-passwords.csv", text);
  }),
  staffPage(`${RUN}/told.csv`, (visit) => {
    const file = noticesFile(visit.needs.moving.folder, readRun(visit).id);
    if (!existsSync(file)) throw new DomainError("not_found", phrase`nothing was tried yet`);
    return csvFile("told.csv", Bun.file(file));
  }),
  staffPage(MOVE, (visit) => showMove(visit)),
  ...undoForm,
];

const optionsIn = (input: Input): RunOptions => ({
  shareNumbers: input["share_numbers"] === "1",
  autoRenew: input["auto_renew"] === "1",
});

/** Throws `not_found`. */
function readSource({ params }: StaffVisit): string {
  const source = params["source"] ?? "";
  if (!Object.hasOwn(sources, source))
    throw new DomainError("not_found", phrase`there is no source ${source}`);
  return source;
}

/** Throws `not_found`. */
function readRun({ needs, by, params }: StaffVisit): Run {
  return needs.moving.get(by, params["id"] ?? "");
}

function chooseFiles(visit: StaffVisit, source: string, fault?: string): Response {
  const { by } = visit;
  permit(by, "moveIn");
  requireWholeIsp(by, "moves from other systems");
  const props = { visit, source, ...(fault !== undefined && { fault }) };
  return page(visit, <ChooseFiles {...props} />, { status: fault === undefined ? 200 : 422 });
}

function showRun(visit: StaffVisit, run: Run, fault?: string, status = 200): Response {
  const { needs, query } = visit;
  const { folder } = needs.moving;
  const isAtWork =
    run.state === "looking" ||
    run.state === "reading" ||
    run.state === "moving" ||
    needs.moving.isQueued(run.id);
  if (isAtWork)
    return page(visit, <WorkingPage visit={visit} run={run} progress={needs.moving.progress(run.id)} />);
  const looks = loadLooks(folder, run.id);
  const isColumns = run.state === "columns" || (run.state !== "moved" && query.has("columns"));
  if (isColumns && looks.length > 0)
    return page(visit, <ColumnsPage visit={visit} run={run} looks={looks} />);
  const found = run.state === "tried" || run.state === "moved" ? loadResult(folder, run.id) : undefined;
  if (!found) return page(visit, <EndedPage visit={visit} run={run} />);
  const kind = kindIn(query, noticeKinds(found.counts));
  const counted = (of: NoticeKind) => pageIn(query, { total: found.counts[of] ?? 0, limit: NOTICES_PAGE });
  const rows = kind === undefined ? [] : loadNotices(folder, run.id, kind, counted(kind));
  const props = { visit, run, found, kind, rows };
  if (run.state === "tried") return page(visit, <TriedPage {...props} />, { status });
  return page(visit, <MovedPage {...props} {...(fault !== undefined && { fault })} />, { status });
}

function showMove(visit: StaffVisit): Response {
  const move = readMove(visit);
  const kind = kindIn(
    visit.query,
    move.report.told.map((one) => one.kind),
  );
  return page(visit, <MovePage visit={visit} move={move} kind={kind} />);
}

function kindIn(query: URLSearchParams, kinds: readonly NoticeKind[]): NoticeKind | undefined {
  const requested = query.get("kind") ?? "";
  const isKind = (name: string): name is NoticeKind => Object.hasOwn(noticeHeadings, name);
  return isKind(requested) && kinds.includes(requested) ? requested : kinds[0];
}

/** Throws `unauthenticated`; counts as a failed sign-in. */
async function requireOwnPassword(visit: StaffVisit, password: string): Promise<void> {
  const { account, source, needs, view } = visit;
  await countFailure(
    needs.accountFailures,
    { holder: `account ${account.id}`, address: source },
    async () => {
      if (await verifyPassword(password, account.passwordHash, { source })) return;
      throw new DomainError("unauthenticated", verbatim(view.words.me.wrongPassword));
    },
  );
}

function csvFile(name: string, body: string | Blob): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}
