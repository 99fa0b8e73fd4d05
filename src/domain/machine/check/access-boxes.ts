import type { Db } from "../../../../db/open.ts";
import type { Claim } from "../access-boxes/claims.ts";
import { primaryLinkState, type PrimaryLinkState } from "../access-boxes/link-state.ts";
import { ownFaults, ownWords, type OwnStanding } from "../access-boxes/own-standing.ts";
import {
  CLOCKS_APART,
  isLate,
  removedButSeen,
  type Standing,
  standings,
} from "../../service/box-standing/standing.ts";
import { commandName } from "../../goods/nas/sources.ts";
import { setting } from "../../core/settings/settings.ts";
import { formatNear, type Seconds } from "../../core/time/time.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const SUBJECT = "access boxes";
const DAY = 86_400;
const LINK_SILENT = 60;
const BEHIND = 30;
const NAMED = 5;

/** Faults of access boxes and the link, on the primary. Nothing without boxes. */
export function checkAccessBoxes(db: Db, now: Seconds): Finding[] {
  const boxes = standings(db, now);
  const removed = removedButSeen(db).map(({ name, heardAt }) =>
    warning(
      SUBJECT,
      `${name} was removed, and still signs in to NATS, the last time at ${formatNear(heardAt, now)}; take its line out of nats-server.conf (gatehouse box server prints it) and run: systemctl reload nats-server`,
      "box_removed",
      { name, at: heardAt },
    ),
  );
  if (boxes.length === 0) return removed;
  const faults = [
    ...checkLink(primaryLinkState(db), now),
    ...(primaryLinkState(db)?.claims ?? []).flatMap((claim) => claimFindings(claim, now)),
    ...boxes.flatMap((box) => [...refusalFindings(box, now), ...boxFindings(box, now)]),
    ...checkWalls(boxes),
    ...removed,
    ...checkDirect(db, boxes, now),
  ];
  if (faults.length > 0) return faults;
  return [
    ok(
      SUBJECT,
      `${boxes.map(({ name }) => name).join(", ")} ${boxes.length === 1 ? "hears" : "hear"} these books`,
    ),
  ];
}

function checkLink(link: PrimaryLinkState | undefined, now: Seconds): Finding[] {
  if (!link || now - link.at > LINK_SILENT)
    return [
      warning(
        SUBJECT,
        `nothing has told the boxes anything${link ? ` since ${formatNear(link.at, now)}` : " yet"}; set GATEHOUSE_NATS_URL in gatehouse.env and start the server: systemctl restart gatehouse`,
        "boxes_untold",
        { at: link?.at ?? null },
      ),
    ];
  if (!link.isConnected)
    return [
      error(
        SUBJECT,
        `NATS is away since ${formatNear(link.since, now)}: boxes log in by what they know, and what they tell waits there; ${link.fault ?? "on its machine: systemctl status nats-server"}`,
        "boxes_nats_away",
        { at: link.since },
      ),
    ];
  const behind = link.behindSince !== null && now - link.behindSince > BEHIND ? link.behindSince : null;
  return [
    ...(behind === null
      ? []
      : [
          warning(
            SUBJECT,
            `${link.waiting} changes wait to be told, always some since ${formatNear(behind, now)}; nats-server or its disk is slow: iostat -x on its machine, journalctl -u gatehouse`,
            "boxes_behind",
            { waiting: link.waiting, at: behind },
          ),
        ]),
    ...(typeof link.spoiltAt === "number" && now - link.spoiltAt < DAY
      ? [
          error(
            SUBJECT,
            `somebody else wrote over what access boxes are told, the last time at ${formatNear(link.spoiltAt, now)}, and all was published anew; no box does that by itself: see which one somebody has taken, then: gatehouse box remove NAME, and write nats-server.conf anew`,
            "boxes_spoilt",
            { at: link.spoiltAt },
          ),
        ]
      : []),
    ...(link.rebuiltAt !== null && now - link.rebuiltAt < DAY
      ? [
          warning(
            SUBJECT,
            `NATS had lost what was published, and all was published anew at ${formatNear(link.rebuiltAt, now)}; nobody was forgotten, but look after the disk of nats-server (its store_dir)`,
            "boxes_rebuilt",
            { at: link.rebuiltAt },
          ),
        ]
      : []),
  ];
}

/** Unproven claims: the primary goes on, but a person has to know. */
function claimFindings({ who, epoch, at }: Claim, now: Seconds): Finding[] {
  if (now - at > DAY) return [];
  const findings = `says that other books count, with epoch ${epoch}, and they have not signed it, so these go on`;
  const advice =
    "if you have made others count (gatehouse box promote), stop these: systemctl stop gatehouse";
  return [
    who === null
      ? error(
          SUBJECT,
          `what lies on nats-server ${findings}; ${advice}. Else GATEHOUSE_NATS_URL names the nats-server of another appliance`,
          "boxes_other_books",
          { who },
        )
      : error(
          SUBJECT,
          `${who} ${findings}, and take nothing from it; ${advice}. Else do not trust it any more: gatehouse box remove ${who}, and set it up anew`,
          "boxes_other_books",
          { who },
        ),
  ];
}

function checkWalls(boxes: readonly Standing[]): Finding[] {
  const named = (some: readonly Standing[]) => some.map(({ name }) => name).join(", ");
  const old = boxes.filter(({ isOld }) => isOld);
  if (old.length > 0)
    return [
      warning(
        SUBJECT,
        `${named(old)} ${old.length === 1 ? "is" : "are"} of 0.2.0: until every box is upgraded all share one key, and whoever takes one reads what the others are told; install this version there`,
        "boxes_old",
        { names: named(old) },
      ),
    ];
  const open = boxes.filter(({ state, isWalled }) => state === "heard" && isWalled === false);
  if (open.length === 0) return [];
  return [
    warning(
      SUBJECT,
      `nats-server lets ${named(open)} listen to others and delete what they read by; give it its configuration anew: gatehouse box server >nats-server.conf, as /etc/nats-server.conf on its machine, then there: systemctl reload nats-server`,
      "boxes_open",
      { names: named(open) },
    ),
  ];
}

/** A box that reported foreign rows. */
function refusalFindings({ id, name, refused, refusal }: Standing, now: Seconds): Finding[] {
  if (refusal === null) return [];
  return [
    error(
      SUBJECT,
      `${name} tells of what is not its own: ${refused} rows were not booked, the last at ${formatNear(refusal.at, now)} (${refusal.what}); see whether somebody has taken it, then: gatehouse box remove ${name}. If it is yours, its routers may be those of a box for others: gatehouse box list`,
      "box_strange",
      { id, name, rows: refused, at: refusal.at },
    ),
  ];
}

function boxFindings(
  { id, name, state, heardAt, report, ahead, isDiskNearlyFull, isUnderstood }: Standing,
  now: Seconds,
): Finding[] {
  if (state === "new")
    return [
      warning(
        SUBJECT,
        `${name} was added and has not been heard; on that machine: gatehouse box join, with GATEHOUSE_NATS_URL and GATEHOUSE_ROLE=access in gatehouse.env, then: systemctl enable --now gatehouse`,
        "box_new",
        { id, name },
      ),
    ];
  if (state === "cut_off" && heardAt !== null)
    return [
      error(
        SUBJECT,
        `${name} is cut off since ${formatNear(heardAt, now)}: logins go on there by what it knows, and its sessions are shown as last heard; see whether it has power and the way to nats-server is up: http://${name}:8080/ says how it is`,
        "box_cut_off",
        { id, name, at: heardAt },
      ),
    ];
  const findings: Finding[] = [];
  if (Math.abs(ahead) > CLOCKS_APART)
    findings.push(
      warning(
        SUBJECT,
        `the clock of ${name} is ${Math.abs(ahead)} s ${ahead > 0 ? "behind" : "ahead of"} this one; set it on the one that is wrong: timedatectl set-ntp true`,
        "box_clock",
        { id, name, seconds: Math.abs(ahead) },
      ),
    );
  if (isLate(report))
    findings.push(
      warning(
        SUBJECT,
        `${name} has ${report.waiting ?? "some"} reports to tell, the oldest ${report.waitingFor} s old; if they do not become fewer, see why the books do not take them: journalctl -u gatehouse`,
        "box_late",
        { id, name },
      ),
    );
  if (!isUnderstood)
    findings.push(
      warning(
        SUBJECT,
        `${name} says of itself less than these books ask for, or says it otherwise${report?.version === undefined ? "" : ` (version ${report.version})`}; install the same version on both`,
        "box_version",
        { id, name },
      ),
    );
  if (report?.disk && isDiskNearlyFull)
    findings.push(
      warning(
        SUBJECT,
        `the disk of ${name} has ${Math.round(report.disk.free / 1e6)} MB left, and keeps there what the books do not have while it is cut off; make room on it: df -h`,
        "box_disk",
        { id, name, free: report.disk.free },
      ),
    );
  return findings;
}

/** Routers that ask the primary itself: without it nobody there can log in. */
function checkDirect(db: Db, boxes: readonly Standing[], now: Seconds): Finding[] {
  if (boxes.every(({ state }) => state === "new")) return [];
  const recent = now - 2 * setting(db, "acct_interim_interval");
  const names = db.$client
    .query<{ name: string; address: string }, [Seconds]>(
      `SELECT name, address FROM nas WHERE id IN (SELECT nas_id FROM sessions INDEXED BY sessions_open_board
         WHERE stopped_at IS NULL AND updated_at > ? AND via_box IS NULL) ORDER BY id`,
    )
    .all(recent);
  const [first] = names;
  if (!first) return [];
  const named = names.slice(0, NAMED).map(({ name }) => name);
  const more = names.length > named.length ? ` and ${names.length - named.length} more` : "";
  return [
    warning(
      SUBJECT,
      `${named.join(", ")}${more} still tell these books of sessions themselves; point them at the boxes, so that logins outlive this machine: gatehouse nas script ${commandName(first)} --server ADDRESS,ADDRESS (of the boxes, the nearest first)`,
      "boxes_direct",
      { names: `${named.join(", ")}${more}` },
    ),
  ];
}

export function checkOwnBox(standing: OwnStanding, now: Seconds): Finding[] {
  const words = `the access box ${standing.name}: ${ownWords(standing, now)}`;
  const link = standing.isCutOff
    ? warning(
        "books",
        `${words}; see whether nats-server is reached (GATEHOUSE_NATS_URL) and the books run; what is tried is in the log: journalctl -u gatehouse`,
        "own_box",
        {},
      )
    : ok("books", words);
  return [
    link,
    ...ownFaults(standing).map(({ subject, message }) => warning(subject, message, "own_box", {})),
  ];
}
