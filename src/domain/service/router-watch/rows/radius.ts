import { type Change, planSetup } from "../../../goods/router-setup/plan.ts";
import { type Item, isYes, pick } from "../../../goods/router-setup/values.ts";
import { valuesIn } from "../../../goods/router-setup/versions.ts";
import { MARK } from "../../../goods/router-setup/mark.ts";
import type { Desired, DesiredRows } from "../../../goods/router-setup/parts.ts";
import { type Found, found } from "../found.ts";
import type { Made } from "../known.ts";
import { menuRows, type Reading } from "../reading.ts";
import { makeChange, pickPart, type Row, toRouterState } from "./row.ts";

const MENU = "/radius";
const isRequested = (one: Desired): one is DesiredRows => one.kind === "rows" && one.menu === MENU;
const desiredParts = (made: Made) => ("wanted" in made ? made.wanted : []);
const rememberedParts = (made: Made) => ("memory" in made ? made.memory : []);

/** Properties of our row that decide whether it works. */
const deciding = [
  ...["address", "authentication-port", "accounting-port", "service", "disabled", "protocol", "certificate"],
];
/** Properties that limit another's row to some logins. */
const ofSome = ["called-id", "domain", "realm"];

/** The RADIUS servers of the set-up. */
export const asks: Row = {
  kinds: ["radius_missing", "radius_changed", "radius_order", "radius_unsigned"],
  needs: [MENU],
  isFromSetup: true,
  find: (reading, known) => {
    const desired = desiredParts(known.made).find(isRequested);
    if (!desired) return [];
    const { changes } = planSetup(toRouterState(reading), [desired], rememberedParts(known.made));
    const address = desired.rows[0]?.["address"] ?? "";
    const moved = changes.filter(({ kind }) => kind !== "set");
    return [
      ...(moved.length > 0 ? [movedRows(moved, address)] : []),
      ...changes.flatMap((change) => changedRow(reading, change)),
      ...(moved.length > 0 ? [] : othersFirst(reading, desired)),
    ];
  },
};

/** Rows that are missing, or in the wrong position. */
function movedRows(changes: readonly Change[], address: string): Found {
  const added = changes.filter(({ kind }) => kind === "add");
  const keys = (some: readonly Change[]) => some.map(({ key }) => JSON.stringify(key)).toSorted();
  const gone = changes.filter(({ kind }) => kind === "remove");
  const state = JSON.stringify([keys(added), keys(gone)]);
  if (gone.length === 0) return found("radius_missing", { address }, { state, fix: changes });
  if (Bun.deepEquals(keys(added), keys(gone)))
    return found("radius_order", { first: address }, { key: "own", state, fix: changes });
  const properties = "address";
  return found("radius_changed", { address, properties }, { key: "rows", state, fix: changes });
}

function changedRow(reading: Reading, change: Change): Found[] {
  if (change.kind !== "set") return [];
  const row = menuRows(reading, MENU).find((item) => item[".id"] === change.id) ?? {};
  const address = row["address"] ?? "";
  const key = change.id ?? "";
  const unsigned =
    change.before["require-message-auth"] === "no" && pickPart(change, ["require-message-auth"]);
  const other = pickPart(change, deciding);
  return [
    ...(unsigned ? [found("radius_unsigned", { address }, { key, fix: [unsigned] })] : []),
    ...(other
      ? [
          found(
            "radius_changed",
            { address, properties: Object.keys(other.values).join(", ") },
            { key, state: JSON.stringify(pick(row, deciding)), fix: [other] },
          ),
        ]
      : []),
  ];
}

/** Whether a row points to us, whoever wrote it. */
const pointsToUs = (desired: DesiredRows) => {
  const addresses = new Set(desired.rows.map((values) => values["address"]));
  return (row: Item) => row["comment"] === MARK || addresses.has(row["address"]);
};

const logins = new Set(["ppp", "hotspot", "dhcp"]);
const listServices = (row: Item) => (row["service"] ?? "").split(",").filter((one) => logins.has(one));
const isOn = (row: Item) => !isYes(row["disabled"]);

/** Another server is asked before us for the same logins. */
function othersFirst(reading: Reading, desired: DesiredRows): Found[] {
  const rows = menuRows(reading, MENU).filter(isOn);
  const services = listServices(desired.rows[0] ?? {});
  const ours = rows.filter(pointsToUs(desired));
  const first = ours[0] ? rows.indexOf(ours[0]) : -1;
  const before = rows
    .slice(0, Math.max(first, 0))
    .find(
      (row) =>
        ofSome.every((name) => (row[name] ?? "") === "") &&
        listServices(row).some((one) => services.includes(one)),
    );
  if (!before) return [];
  const place = before[".id"];
  // a set-up cannot move rows, so ours are added before it and the old ones removed
  const part = "radius" as const;
  const put = desired.rows.map((row): Change => {
    const { known } = valuesIn(reading.version, MENU, row);
    const key = pick(known, desired.key);
    const values = Object.assign(known, { comment: MARK });
    return { kind: "add", part, menu: MENU, id: null, key, values, before: {}, place, isForeign: false };
  });
  const gone = ours.map((row): Change => {
    const [id = null, key] = [row[".id"], pick(row, desired.key)];
    return { kind: "remove", part, menu: MENU, id, key, values: {}, before: written(row), isForeign: false };
  });
  const state = JSON.stringify([before["address"], before["service"]]);
  return [found("radius_order", { first: before["address"] ?? "" }, { state, fix: [...put, ...gone] })];
}

/** Writable properties of our row. */
const written = (row: Item) =>
  pick(
    row,
    ["service", "address", "authentication-port", "accounting-port", "timeout", "comment"].filter(
      (name) => row[name] !== undefined,
    ),
  );

/** The secret matches: it is unreadable, so bad replies are counted. */
export const hasOurSecret: Row = {
  kinds: ["radius_secret"],
  needs: [MENU, "/radius/monitor"],
  isFromSetup: true,
  find: (reading, { made, badReplies, isWrongNow }) => {
    const desired = desiredParts(made).find(isRequested);
    if (!desired || desired.rows.some((row) => row["protocol"] === "radsec")) return [];
    const now = readBadReplies(reading);
    return menuRows(reading, MENU)
      .filter((row) => pointsToUs(desired)(row) && isOn(row))
      .flatMap((row): Found[] => {
        const id = row[".id"] ?? "";
        const address = row["address"] ?? "";
        const secret = desired.rows.find((values) => values["address"] === address)?.["secret"];
        const isRising = (now[id] ?? 0) > (badReplies[id] ?? Infinity);
        const isAnother = row["secret"] === undefined ? isRising || isWrongNow : row["secret"] !== secret;
        if (!isAnother || secret === undefined) return [];
        const fix = [withoutBefore(makeChange(MENU, { ...row, secret: "" }, { secret }))];
        return [found("radius_secret", { address }, { key: id, fix })];
      });
  },
};

/** An unread secret cannot be restored. */
const withoutBefore = (change: Change): Change => ({ ...change, before: {}, isForeign: false });

/** Bad replies so far, by row of /radius. */
export function readBadReplies({ counters }: Reading): Record<string, number> {
  return Object.fromEntries(
    [...counters].flatMap(([id, row]) =>
      row["bad-replies"] === undefined ? [] : [[id, Number(row["bad-replies"])]],
    ),
  );
}

/** Whether incoming requests are enabled and pass the router's firewall. */
export const listens: Row = {
  kinds: ["incoming"],
  needs: ["/radius/incoming"],
  isFromSetup: true,
  find: (reading, { made }) =>
    planChanges(reading, made, ({ menu }) => menu === "/radius/incoming").map((change) =>
      found("incoming", {}, { state: JSON.stringify(change.before), fix: [change] }),
    ),
};

const filter = "/ip/firewall/filter";

/** Whether it is our rule that allows an address; those of the walled garden use lists. */
export const isForUs = ({ key, values, before }: Change): boolean =>
  [key, values, before].some((one) => (one["src-address"] ?? "") !== "");

/** Rules that allow our requests before others reject them. */
export const letsIn: Row = {
  kinds: ["incoming_firewall"],
  needs: [filter],
  isFromSetup: true,
  find: (reading, { made }) => {
    const input = menuRows(reading, filter).filter((row) => row["chain"] === "input" && isOn(row));
    if (!input.some((row) => ["drop", "reject", "tarpit"].includes(row["action"] ?? ""))) return [];
    const fix = planChanges(reading, made, ({ menu, part }) => menu === filter && part === "firewall").filter(
      isForUs,
    );
    if (fix.length === 0) return [];
    return [found("incoming_firewall", {}, { state: JSON.stringify(fix.map(({ key }) => key)), fix })];
  },
};

/** The set-up's changes of some parts. */
export function planChanges(
  reading: Reading,
  made: Made,
  which: (one: Desired) => boolean,
): readonly Change[] {
  return planSetup(toRouterState(reading), desiredParts(made).filter(which), rememberedParts(made)).changes;
}
