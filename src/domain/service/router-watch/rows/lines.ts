import { type Item, isYes } from "../../../goods/router-setup/values.ts";
import { type Found, found } from "../found.ts";
import { menuRows } from "../reading.ts";
import { planChanges } from "./radius.ts";
import { makeChange, pickPart, type Row } from "./row.ts";

const AAA = "/ppp/aaa";
const PROFILES = "/ip/hotspot/profile";
const isOn = (row: Item) => !isYes(row["disabled"]);

/** Lines use RADIUS and accounting. */
export const linesAsk: Row = {
  kinds: ["lines_ask", "lines_report"],
  needs: [AAA],
  isFromSetup: true,
  find: (reading, { made }) =>
    planChanges(reading, made, ({ menu }) => menu === AAA).flatMap((change): Found[] => {
      const ask = pickPart(change, ["use-radius"]);
      const report = pickPart(change, ["accounting"]);
      return [
        ask && found("lines_ask", {}, { fix: [ask] }),
        report && found("lines_report", {}, { fix: [report] }),
      ].filter((one) => one !== undefined);
    }),
};

/** Hotspots in use have RADIUS and accounting too. */
export const hotspotsAsk: Row = {
  kinds: ["hotspot_ask", "hotspot_report"],
  needs: ["/ip/hotspot", PROFILES],
  isFromSetup: true,
  find: (reading, { made }) => {
    const used = new Set(
      menuRows(reading, "/ip/hotspot")
        .filter(isOn)
        .map((row) => row["profile"] ?? "default"),
    );
    return planChanges(reading, made, ({ menu }) => menu === PROFILES).flatMap((change): Found[] => {
      const profile = change.key["name"] ?? "";
      const ask = pickPart(change, ["use-radius"]);
      const report = pickPart(change, ["radius-accounting"]);
      if (!used.has(profile)) return [];
      return [
        ask && found("hotspot_ask", { profile }, { key: profile, fix: [ask] }),
        report && found("hotspot_report", { profile }, { key: profile, fix: [report] }),
      ].filter((one) => one !== undefined);
    });
  },
};

/** Fewer sessions prove nothing. */
const LEAST_SESSIONS = 4;

/** Sessions send interim updates. */
export const reportsBetween: Row = {
  kinds: ["interim_missing"],
  needs: [AAA],
  isFromSetup: true,
  find: (reading, { made, interims: { sessions, silent } }) => {
    if (sessions < LEAST_SESSIONS || silent * 2 < sessions) return [];
    const fix = [
      ...planChanges(reading, made, ({ menu }) => menu === AAA).map((one) =>
        pickPart(one, ["interim-update"]),
      ),
      ...planChanges(reading, made, ({ menu }) => menu === PROFILES).map((one) =>
        pickPart(one, ["radius-interim-update"]),
      ),
    ].filter((change) => change !== undefined);
    return [found("interim_missing", { silent, sessions }, { state: "", fix })];
  },
};

/** IPv6 counted separately may not be counted at all. */
export const countsIpv6: Row = {
  kinds: ["ipv6_accounting"],
  needs: [AAA],
  find: (reading) =>
    menuRows(reading, AAA)
      .filter((row) => isYes(row["enable-ipv6-accounting"]))
      .map((row) =>
        found("ipv6_accounting", {}, { fix: [makeChange(AAA, row, { "enable-ipv6-accounting": "no" })] }),
      ),
};

const SERVERS = "/interface/pppoe-server/server";
const never = new Set(["0", "0s", "00:00:00", "disabled"]);

/** Dead lines stay listed, and may block a new login. */
export const seesGone: Row = {
  kinds: ["ghosts"],
  needs: [SERVERS],
  find: (reading) =>
    menuRows(reading, SERVERS)
      .filter(isOn)
      .filter((row) => never.has(row["keepalive-timeout"] ?? "") && !isYes(row["one-session-per-host"]))
      .map((row) => {
        const server = row["service-name"] || (row["interface"] ?? "");
        return found(
          "ghosts",
          { server },
          { key: row[".id"] ?? server, fix: [makeChange(SERVERS, row, { "keepalive-timeout": "10" })] },
        );
      }),
};
