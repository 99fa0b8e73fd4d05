import type { Seconds } from "../../../../core/time/time.ts";
import type { MovedService, MovedSubscriber, PasswordLoss } from "../../model.ts";
import { RowFault, type Reading } from "./reading.ts";
import { deciding, parseTruth, type Standing } from "./standing.ts";
import { type ConnectionWord, isNothing, parseBytes, parseConnection } from "./values.ts";

const plain = [
  "nic_number",
  "mobile_number",
  "phone_number",
  "email",
  "address",
  "city",
  "area",
  "subarea",
  "branch",
  "salesperson",
  "static_ip",
  "global_note",
  "box_number",
  "box_address",
  "uplink_port",
  "framed_ipv6_prefix",
  "delegated_ipv6_prefix",
] as const;

type Person = Pick<
  MovedSubscriber,
  (typeof plain)[number] | "name" | "latitude" | "longitude" | "balance" | "createdAt"
>;

/** A subscriber of a row, with or without a line. Throws RowFault. */
export function readPerson(row: Reading): Person {
  const texts = Object.fromEntries(plain.map((target) => [target, row.text(target)]));
  return {
    ...texts,
    name:
      row.text("name") ?? ([row.text("first_name"), row.text("last_name")].filter(Boolean).join(" ") || null),
    ...readPlace(row),
    balance: row.amount("balance"),
    ...(row.has("created_at") && { createdAt: readCreated(row) }),
  };
}

export function readSubscriber(row: Reading): MovedSubscriber {
  const username = row.raw("username");
  if (username.trim() === "") throw new RowFault("there is no username in this row");
  const connection = connectionWord(row);
  const expiresAt = row.time("expires_at");
  const quotaUsed = readQuotaUsed(row);
  const packageKey = row.text("package");
  const service: MovedService = { expiresAt, ...(quotaUsed !== undefined && { quotaUsed }) };
  const mac = readMac(row);
  const autoRenew = parseTruth(row.raw("auto_renew"));
  if (connection === "static")
    row.odd(
      `Column "${row.header("connection")}": lines whose address is set by hand come with their paid time; they log in here once their router asks`,
    );
  return {
    at: row.at,
    username,
    password: readPassword(row),
    package: packageKey,
    router: readRouter(row),
    connection: connectionKind(connection),
    service: packageKey === null && expiresAt === null ? null : service,
    enabled: isLetIn(row, expiresAt),
    ...readPerson(row),
    mac_address: mac,
    ...(row.has("mac_lock") && { macLock: mac !== null && parseTruth(row.raw("mac_lock")) === true }),
    ...(autoRenew !== undefined && { autoRenew }),
  };
}

function readPlace(row: Reading): { latitude: string | null; longitude: string | null } {
  const degrees = (text: string | null) => text?.replace(",", ".") ?? null;
  const [, latitude, longitude] =
    /^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(row.raw("coordinates")) ?? [];
  return {
    latitude: latitude ?? degrees(row.text("latitude")),
    longitude: longitude ?? degrees(row.text("longitude")),
  };
}

/** Today is not in the future. */
function readCreated(row: Reading): number | null {
  try {
    const at = row.time("created_at");
    return at === null ? null : Math.min(at, row.now);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    row.odd(
      `Column "${row.header("created_at")}" has dates that cannot be read; the day of the move stands for them`,
    );
    return null;
  }
}

const HASHES = /^(\$(1|2[abxy]?|5|6|argon2[a-z]*)\$|\{(SSHA|SHA|MD5|SMD5|CRYPT|NT)\}|0x[0-9a-f]{32}$)/i;

function readPassword(row: Reading): string | { readonly lost: PasswordLoss } {
  const text = row.raw("password");
  if (text.trim() === "" || /^[*•x]{4,}$/i.test(text.trim())) return { lost: "none" };
  return HASHES.test(text.trim()) ? { lost: "hashed" } : text;
}

function readRouter(row: Reading): string | null {
  const text = row.text("router");
  return text === null || isNothing(text) ? null : text;
}

function readMac(row: Reading): string | null {
  const [first, ...others] = (row.text("mac_address") ?? "").split(/[,;|\s]+/).filter((part) => part !== "");
  if (others.length > 0)
    row.odd(`Column "${row.header("mac_address")}" names several devices; the first is taken`);
  return first ?? null;
}

function readQuotaUsed(row: Reading): number | undefined {
  const text = row.raw("quota_used");
  if (isNothing(text)) return undefined;
  const bytes = parseBytes(text, row.header("quota_used"));
  if (bytes === undefined)
    row.odd(`Column "${row.header("quota_used")}" has values that are no number of bytes; none are set`);
  return bytes;
}

/** Whether no column cuts it off. An ended one needs an end in the past, or paying later would give it free time. */
export function isLetIn(row: Reading, expiresAt: Seconds | null): boolean {
  const standings = deciding.flatMap((column) => row.standings(column));
  const isOver = expiresAt !== null && expiresAt <= row.now;
  return standings.every((standing: Standing) => standing === "on" || (standing === "ended" && isOver));
}

function connectionWord(row: Reading): ConnectionWord {
  const text = row.raw("connection");
  const word = row.map.connection.get(text.trim().toLowerCase()) ?? parseConnection(text);
  if (word !== undefined) return word;
  row.odd(
    `Column "${row.header("connection")}": "${text.trim().slice(0, 40)}" is neither PPPoE nor hotspot; say what it is under "connection" in the map`,
  );
  return "any";
}

function connectionKind(word: ConnectionWord): "ppp" | "hotspot" | null {
  if (word === "ppp" || word === "own_ppp") return "ppp";
  return word === "hotspot" || word === "own_hotspot" ? "hotspot" : null;
}
