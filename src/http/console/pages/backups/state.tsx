import type { BackupOverview } from "../../../../domain/machine/backup/overview.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ended } from "./ended.ts";
import { BACKUPS } from "../../parts/hrefs.ts";

interface StateProps {
  visit: StaffVisit;
  of: BackupOverview;
}

const LATE = 2;
const HOUR = 3600;

/** Whether the box could be restored, and the next step towards that. */
export function State({ visit, of }: StateProps) {
  const { view, formToken, needs } = visit;
  const { backups: words } = view.words;
  const { tone, title } = judgeBackups(visit, of);
  const newest = of.backups[0];
  const isBusy = needs.backups.work !== null;
  const isProven = newest?.trial?.fault === null;
  return (
    <Verdict
      tone={tone}
      icon={tone === "good" ? "check" : "alert"}
      label={words.label}
      title={title}
      text={
        <>
          {sentences(visit, of).map((sentence) => (
            <span class="line">{sentence} </span>
          ))}
        </>
      }
      actions={
        <>
          {newest && (
            <Action
              action={`${BACKUPS}/try?name=${encodeURIComponent(newest.name)}`}
              formToken={formToken}
              kind={isProven ? "outline" : "solid"}
              icon="shield"
              disabled={isBusy}
            >
              {words.prove}
            </Action>
          )}
          <Action
            action={`${BACKUPS}/make`}
            formToken={formToken}
            kind={newest ? "outline" : "solid"}
            icon="disk"
            disabled={isBusy}
          >
            {words.make}
          </Action>
          {isBusy && <Button href={BACKUPS}>{words.look}</Button>}
        </>
      }
    />
  );
}

function judgeBackups(
  { view, now }: StaffVisit,
  { backups, fault, everyHours, holdKey, isBeside, nats }: BackupOverview,
) {
  const { backups: words } = view.words;
  const newest = backups[0];
  if (fault !== null) return { tone: "bad", title: words.failing } as const;
  if (!newest)
    return {
      tone: everyHours === 0 ? "bad" : "warn",
      title: everyHours === 0 ? words.off : words.none,
    } as const;
  const tried = backups.find(({ trial }) => trial !== null);
  if (tried?.trial && tried.trial.fault !== null) return { tone: "bad", title: words.broken } as const;
  if (everyHours === 0) return { tone: "warn", title: words.off } as const;
  if (now - newest.at > everyHours * HOUR * LATE) return { tone: "bad", title: words.late } as const;
  if (!holdKey) return { tone: "warn", title: words.fineHere } as const;
  if (nats && (nats.fault !== null || nats.isOld))
    return { tone: "warn", title: words.fineNotInNats } as const;
  if (isBeside && !nats?.last) return { tone: "warn", title: words.fineElsewhere } as const;
  return { tone: "good", title: words.fine } as const;
}

/** Number, schedule, proof, and what another machine would lack. */
function sentences({ view, now }: StaffVisit, of: BackupOverview): string[] {
  const { words, format } = view;
  const { backups: b } = words;
  const { backups, fault, folder, nextAt, disk, holdKey, isBeside } = of;
  const newest = backups[0];
  const tried = backups.find(({ trial }) => trial !== null);
  const failed = tried?.trial?.fault;
  const proven = backups.find(({ trial }) => trial?.fault === null);
  const outcome = [
    ...(fault === null ? [] : [ended(fault)]),
    ...(tried && failed ? [b.brokenText(tried.name, ended(failed))] : []),
    newest
      ? b.lastGood(format.time(newest.at), format.ago(newest.at, now), format.bytes(newest.bytes), folder)
      : nextAt === null
        ? b.offText
        : b.noneText(folder),
    ...(newest && nextAt !== null ? [nextAt <= now ? b.nextSoon : b.next(format.near(nextAt, now))] : []),
    ...(newest && nextAt === null ? [b.offText] : []),
  ];
  if (newest) {
    const at = proven?.trial?.at;
    if (proven === undefined || at === undefined) outcome.push(b.unproven);
    else
      outcome.push(
        proven === newest ? b.proven(format.time(at)) : b.provenOther(proven.name, format.time(at)),
      );
  }
  if (!holdKey) outcome.push(b.notHeld);
  if (isBeside) outcome.push(b.beside);
  outcome.push(...natsSentences(view, of.nats, now));
  if (disk === null) return backups.length > 0 ? [...outcome, b.diskUnknown(folder)] : outcome;
  const [free, needed] = [format.bytes(disk.free), format.bytes(disk.needed)];
  return [...outcome, disk.free < disk.needed ? b.diskShort(free, needed) : b.disk(free, needed)];
}

/** The state of backups on nats-server. */
function natsSentences(
  { words: { backups: b }, format }: StaffVisit["view"],
  nats: BackupOverview["nats"],
  now: number,
): string[] {
  if (!nats) return [];
  const { last, fault, isOld } = nats;
  return [
    last ? b.inNats(format.time(last.at), format.ago(last.at, now), format.bytes(last.bytes)) : b.noneInNats,
    ...(fault === null ? [] : [b.natsFails(ended(fault))]),
    ...(fault === null && isOld ? [b.natsOld] : []),
  ];
}
