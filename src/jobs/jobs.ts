import type { Logger } from "pino";
import { checkpoint, type Db } from "../../db/open.ts";
import { trimAuthLog } from "../domain/service/access/trim-auth-log.ts";
import { freeExpiredAddresses } from "../domain/goods/address-pools/free.ts";
import { belowLimitWords } from "../domain/service/cards/below-limit.ts";
import { chargeCards } from "../domain/service/cards/charge.ts";
import type { AutoRenewed, AutoRenewer } from "../domain/service/control/auto-renewer.ts";
import { runBulk } from "../domain/around/bulk/run.ts";
import type { Enforced, Enforcer } from "../domain/service/enforcement/enforce.ts";
import { type ConnectionsEnded, OldConnections } from "../domain/service/enforcement/old-connections.ts";
import type { OpenRouter } from "../domain/goods/router-setup/setup.ts";
import { beginWindows } from "../domain/service/fair-use/begin-windows.ts";
import { tellMoments } from "../domain/core/events/moments.ts";
import { planMessages } from "../domain/around/messages/plan.ts";
import type { MovingRuns } from "../domain/machine/imports/runs/runs.ts";
import { watchBoxes } from "../domain/machine/access-boxes/watch.ts";
import { keepRadsec } from "../domain/goods/radsec/certificate.ts";
import { keepDueConfigs } from "../domain/goods/router-config/due.ts";
import type { ReadRouterConfig } from "../domain/goods/router-config/read.ts";
import { OutageWatch, watchOutages } from "../domain/service/outages/watch.ts";
import { forgetOldRows } from "../domain/machine/retention/forget.ts";
import type { Arrivals } from "../domain/goods/nas/arrivals.ts";
import type { NasTools } from "../domain/goods/router-setup/tools.ts";
import { watchRouters } from "../domain/service/router-watch/watch.ts";
import { closeLostSessions } from "../domain/service/sessions/sweep.ts";
import type { CarriedTally } from "../domain/money/sums/carried.ts";
import { sumDays } from "../domain/money/sums/days.ts";
import { secondsToDaySums } from "../domain/money/sums/pause.ts";
import { rollUpHours, sampleMinute } from "../domain/money/sums/minutes.ts";
import { setting } from "../domain/core/settings/settings.ts";
import { thawOverdue } from "../domain/desk/subscriber-page/freeze-service.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { BackupDesk } from "../domain/machine/backup/desk.ts";
import { clockLeap, type Clock, formatTime } from "../domain/core/time/time.ts";
import { LAG_EVERY } from "../metrics/event-loop-lag.ts";
import { BackupFolder } from "./backup-folder.ts";
import { type BackupStore, copyToNatsWhenDue } from "./nats-copies.ts";
import { backUpWhenDue, tryBackupWhenDue } from "./backups.ts";
import type { Job } from "./repeat.ts";

/** Longest interval in seconds between two sweeps for lost sessions; a shorter interim interval shortens it. */
const SWEEP_AT_LEAST_EVERY = 15;
/** Failures of one run that are logged in detail. */
const LOGGED_FAILURES = 5;

const by = operator("gatehouse", "system");

interface JobNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly folder: string;
  readonly program: string;
  /** Whether we run as a service, whose unit limits where this process may write. */
  readonly isService: boolean;
  /** For trial restores, shared with the console. */
  readonly backups: BackupDesk;
  /** The object store of nats-server; undefined without NATS. */
  readonly backupStore: BackupStore | undefined;
  readonly enforcer: Enforcer;
  readonly arrivals: Arrivals;
  readonly nasTools: NasTools;
  /** Bytes booked by accounting since the last sample. */
  readonly carried: CarriedTally;
  readonly autoRenewer: AutoRenewer;
  readonly webhooks: { run(): void };
  readonly feeds: { run(): void };
  readonly messages: { run(): void };
  /** Checks whether the TLS files have changed; undefined without TLS. */
  readonly lookAtCertificate: (() => void) | undefined;
  readonly tellStatus: () => void;
  readonly followZone: () => void;
  /** The watchdog interval of the service manager in seconds; null: no watchdog. */
  readonly watchdogSeconds: number | null;
  readonly feedWatchdog: () => void;
  readonly measureLag: () => void;
  readonly readConfig: ReadRouterConfig;
  readonly openRouter: OpenRouter;
  readonly moving: Pick<MovingRuns, "cleanUp">;
}

/** All periodic jobs of the server, with their intervals. */
export function listJobs(needs: JobNeeds): Job[] {
  const { lookAtCertificate, tellStatus, followZone, watchdogSeconds, feedWatchdog, measureLag } = needs;
  return [
    ...sessionJobs(needs),
    cardJob(needs),
    outageJob(needs),
    ...sumJobs(needs),
    ...termJobs(needs),
    watchJob(needs),
    {
      what: "keep the certificates of RadSec",
      every: 3600,
      run: () => keepRadsec(needs.db, by, { now: needs.clock() }),
    },
    configJob(needs),
    { what: "tell shapers of sessions", every: 1, run: () => needs.feeds.run() },
    { what: "call webhooks", every: 1, run: () => needs.webhooks.run() },
    ...messageJobs(needs),
    ...storeJobs(needs),
    // the listeners have just read the files
    ...(lookAtCertificate
      ? [{ what: "look at the certificate", every: 30, run: lookAtCertificate, isFirstLater: true }]
      : []),
    { what: "follow the time zone of the settings", every: 1, run: followZone },
    { what: "tell the service manager how it goes", every: 30, run: tellStatus },
    // a timer of the event loop, so that a hung loop sends no watchdog message
    ...(watchdogSeconds === null
      ? []
      : [{ what: "feed the watchdog", every: watchdogSeconds / 3, run: feedWatchdog }]),
    { what: "measure the event loop", every: LAG_EVERY, run: measureLag },
  ];
}

function sessionJobs({ db, clock, log, enforcer, openRouter }: JobNeeds): Job[] {
  const since = clock();
  const connections = new OldConnections(db, { clock, open: openRouter });
  return [
    {
      what: "end the connections of lines that have run out",
      every: 5,
      run: async () => logConnections(log, await connections.run()),
    },
    {
      what: "sweep lost sessions",
      every: () => Math.min(setting(db, "acct_interim_interval"), SWEEP_AT_LEAST_EVERY),
      run: async () => {
        const closed = await closeLostSessions(db, by, { since }, { now: clock() });
        if (closed > 0) log.info({ sessions: closed }, "closed sessions that the routers no longer report");
      },
    },
    {
      what: "end sessions that are due",
      every: 10, // a subscriber that expires while online is offline, or in the walled garden, within a minute
      run: async () => logEnforced(log, await enforcer.run()),
    },
    ...fairJobs({ db, clock, log, enforcer }),
  ];
}

/** The jobs for fair use, happy hours and validity windows, which the primary and each access box run. */
export function fairJobs({
  db,
  clock,
  log,
  enforcer,
}: Pick<JobNeeds, "db" | "clock" | "log" | "enforcer">): Job[] {
  return [
    {
      what: "change the rates of open sessions by hours and tiers",
      every: 1,
      // one batch may take a minute, and other routers should not wait for it
      run: () => {
        enforcer.runWaves().then(
          (enforced) => logRates(log, enforced),
          (error: unknown) => log.error({ err: error }, "could not change rates by hours and tiers"),
        );
      },
    },
    {
      what: "begin the windows of data volumes",
      every: 10,
      run: async (signal) => {
        const services = await beginWindows(db, by, { now: clock(), signal });
        if (services > 0) log.info({ services }, "data volumes begin anew by the calendar");
      },
    },
  ];
}

function logConnections(log: Logger, { ended, left, failures }: ConnectionsEnded): void {
  if (ended > 0)
    log.info({ connections: ended }, "ended what lines that have run out had open under FastTrack");
  if (left.length > 0)
    log.warn(
      { routers: left },
      "connections of lines that have run out live on until they close: there are too many to be read, and FastTrack was left",
    );
  for (const reason of failures.slice(0, LOGGED_FAILURES))
    log.warn({ reason }, "could not end the connections of lines that have run out");
}

function logRates(log: Logger, { ended, changed, failures }: Enforced): void {
  if (ended + changed > 0)
    log.info({ changed, ended }, "changed the rates of open sessions by hours and tiers");
  for (const failure of failures.slice(0, LOGGED_FAILURES))
    log.warn(
      { reason: failure },
      "a router did not take the rate of hours or a tier; the session goes on as it was",
    );
  if (failures.length > LOGGED_FAILURES)
    log.warn({ sessions: failures.length }, "routers did not take the rates of hours or tiers");
}

/** Books what resellers owe for redeemed cards. */
function cardJob({ db, clock, log }: JobNeeds): Job {
  let since: number | undefined; // before the first run: what was charged is found by a check
  return {
    what: "charge resellers for cards that were used",
    every: 5,
    run: async (signal) => {
      const { cards, below, newest } = await chargeCards(db, by, { now: clock(), signal, since });
      since = newest;
      if (cards > 0) log.info({ cards }, "charged resellers for cards that were used");
      for (const account of below) log.warn({ reseller: account.resellerId }, belowLimitWords(account));
    },
  };
}

function outageJob({ db, clock, log }: JobNeeds): Job {
  const watch = new OutageWatch(db, { since: clock() });
  return {
    what: "look for outages",
    every: 10,
    isFirstLater: true, // routers tell what happened while nobody listened
    run: async () => {
      const { found, ended } = await watchOutages(by, { watch }, { now: clock() });
      if (found + ended > 0) log.warn({ found, ended }, "lines went dark together, or are back");
      const { cutOff, back } = watchBoxes(db, by, { now: clock() });
      if (cutOff.length + back.length > 0)
        log.warn({ cutOff, back }, "access boxes are cut off, or are heard again");
    },
  };
}

/** Saves router configurations; a large router takes minutes to export. */
function configJob({ db, clock, log, readConfig }: JobNeeds): Job {
  return {
    what: "keep the configurations of routers",
    every: 60,
    isFirstLater: true,
    run: async (signal) => {
      const { kept, changed, failures } = await keepDueConfigs(db, by, { clock, read: readConfig, signal });
      if (kept > 0) log.info({ routers: kept, changed }, "kept the configurations of routers");
      for (const reason of failures.slice(0, LOGGED_FAILURES))
        log.warn({ reason }, "could not read the configuration of a router");
    },
  };
}

/** Seconds until a setting of "never" is read again. */
const ASK_AGAIN = 60;

/** Polls routers, a few at a time. */
function watchJob({ db, clock, log, arrivals, nasTools }: JobNeeds): Job {
  const tools = { clock, arrivals, nasTools, listeningSince: clock() };
  return {
    what: "look at the routers",
    every: () => setting(db, "watch_minutes") * 60 || ASK_AGAIN,
    isFirstLater: true,
    run: async (signal) => {
      if (setting(db, "watch_minutes") === 0) return;
      const looked = await watchRouters(db, by, { signal }, tools);
      for (const one of looked)
        if (one.kind === "read" && one.drifted + one.mended > 0)
          log.warn(
            { router: one.name, drifted: one.drifted, mended: one.mended },
            "a router is not as it was",
          );
    },
  };
}

function sumJobs({ db, clock, carried }: JobNeeds): Job[] {
  return [
    {
      what: "take the sample of the minute",
      every: () => 60 - (clock() % 60), // at its end
      isFirstLater: true,
      run: async (signal) => {
        const { unwritten } = carried;
        const [sums, before] = [carried.take(), unwritten.length];
        try {
          sampleMinute(db, by, { carried: sums, unwritten }, { now: clock() });
        } catch (error) {
          if (unwritten.length === before) for (const sum of sums) carried.add(sum);
          throw error;
        }
        await rollUpHours(db, by, { now: clock(), signal });
      },
    },
    {
      what: "sum the traffic and the subscribers of the day",
      every: () => secondsToDaySums(db, clock()),
      run: (signal) => sumDays(db, by, { now: clock(), signal }),
    },
  ];
}

function termJobs({ db, clock, log, autoRenewer }: JobNeeds): Job[] {
  return [
    // a top-up renews at once
    {
      what: "renew what renews by itself",
      every: 1,
      run: async () => logRenewed(log, await autoRenewer.run()),
    },
    {
      what: "tell what time has done",
      every: 5,
      run: async (signal) => {
        await tellMoments(db, by, { now: clock(), signal });
      },
    },
    {
      what: "thaw what was frozen long enough",
      every: 60,
      run: () => {
        const thawed = thawOverdue(db, by, { now: clock() });
        if (thawed > 0)
          log.info({ subscribers: thawed }, "thawed services that may not be frozen any longer");
      },
    },
  ];
}

function messageJobs({ db, clock, messages }: JobNeeds): Job[] {
  return [
    {
      what: "plan messages to people",
      every: 5,
      run: async (signal) => {
        await planMessages(db, by, { now: clock(), signal });
      },
    },
    { what: "send messages to people", every: 1, run: () => messages.run() },
  ];
}

function logRenewed(log: Logger, { renewed, refused, messages }: AutoRenewed): void {
  if (renewed + refused > 0) log.info({ renewed, refused }, "renewed services by themselves");
  for (const what of messages.slice(0, LOGGED_FAILURES)) log.warn({ what }, "a service renewed by itself");
}

function storeJobs(needs: JobNeeds): Job[] {
  const { db, clock, log, moving } = needs;
  const backupFolder = new BackupFolder(needs);
  return [
    {
      what: "move the write-ahead log into the database",
      every: 1,
      run: () => checkpoint(db, setting(db, "checkpoint_megabytes")),
    },
    { what: "look at the clock", every: 60, run: () => logLeap(log, clock) },
    { what: "trim the log of login decisions", every: 600, run: () => trimAuthLog(db, by, { now: clock() }) },
    {
      what: "free addresses of pools",
      every: 3600,
      run: () => {
        const freed = freeExpiredAddresses(db, by, { now: clock() });
        if (freed > 0) log.info({ subscribers: freed }, "freed addresses of those who expired long ago");
      },
    },
    {
      what: "forget old rows",
      every: 3600,
      run: async (signal) => {
        const forgotten = await forgetOldRows(db, by, { now: clock(), signal });
        if (Object.values(forgotten).some((rows) => rows > 0)) log.info(forgotten, "forgot what is too old");
      },
    },
    {
      what: "go on with the operations on many subscribers",
      every: 1,
      run: async (signal) => {
        for (const error of (await runBulk(db, by, { clock, signal })).slice(0, LOGGED_FAILURES))
          log.error({ err: error }, "could not do to one subscriber what is done to many");
      },
    },
    { what: "remove uploads that nobody needs", every: 3600, run: () => moving.cleanUp() },
    // the command that changes the setting waits for the result
    { what: "try the folder of the backups", every: 1, run: () => backupFolder.look() },
    {
      what: "make a backup",
      every: 60,
      run: (signal) => backUpWhenDue({ ...needs, signal }, backupFolder),
      isFirstLater: true, // a server that crashes at its start makes none
    },
    {
      what: "put a backup into NATS",
      every: 10,
      run: (signal) => copyToNatsWhenDue({ ...needs, signal }),
      isFirstLater: true, // it is not connected yet
    },
    {
      what: "try to restore a backup",
      every: 600,
      run: (signal) => tryBackupWhenDue({ ...needs, signal }, needs.backups),
      isFirstLater: true,
    },
  ];
}

function logLeap(log: Logger, clock: Clock): void {
  const leap = clockLeap();
  if (leap === 0) return;
  const [ours, theirs] = [formatTime(clock()), formatTime(clock() + leap)];
  log.error(
    { leap },
    `the system's clock leapt and says ${theirs}; here time goes on from ${ours} until that has stood for an hour: set the clock (timedatectl set-ntp true), or restart gatehouse if it is right`,
  );
}

/** Logs which sessions were disconnected or changed, and what failed. */
export function logEnforced(log: Logger, { ended, changed, failures, untold = [] }: Enforced): void {
  if (ended + changed > 0)
    log.info({ ended, changed }, "ended or changed sessions that may not go on as they were");
  for (const what of untold.slice(0, LOGGED_FAILURES))
    log.warn({ reason: what }, "a router ends a session of a card before the card's time is over");
  if (untold.length > LOGGED_FAILURES)
    log.warn({ sessions: untold.length }, "routers end sessions of cards before their time is over");
  for (const failure of failures.slice(0, LOGGED_FAILURES))
    log.warn({ reason: failure }, "a session that has run out, or whose subscriber is disabled, goes on");
  if (failures.length > LOGGED_FAILURES)
    log.warn(
      { sessions: failures.length },
      "sessions that have run out, or whose subscriber is disabled, go on",
    );
}
