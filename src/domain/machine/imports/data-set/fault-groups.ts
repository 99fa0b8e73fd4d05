import type { Faults } from "../../../core/errors/errors.ts";
import { isReferenceFault } from "../../../core/references/references.ts";
import { isObject } from "./rows.ts";

export interface FaultGroup {
  readonly section: string;
  /** Empty: the row or section itself. */
  readonly field: string;
  readonly message: string;
  /** Some of the dangling numbers. */
  readonly values: Set<string>;
  varies: boolean;
  /** From 1. */
  readonly rows: Set<number>;
  readonly place: Place;
}

interface Place {
  readonly section: string;
  readonly field: string;
  readonly row: number | undefined;
  /** `username sam`; empty without a name. */
  readonly name: string;
  /** A nested position: `branches 2`. */
  readonly inner: string;
  readonly value: unknown;
}

/** Values of a group that are named. */
const VALUES = 6;

export function groupFaults(faults: Faults, data: unknown): FaultGroup[] {
  const groups = new Map<string, FaultGroup>();
  for (const [pointer, messages] of Object.entries(faults)) {
    const place = find(pointer, data);
    for (const message of messages.map(String)) {
      const key = [place.section, place.field, message.replace(/\d+/g, "0")].join("\0");
      const group = groups.get(key) ?? newGroup(place, message);
      groups.set(key, group);
      group.varies ||= group.message !== message;
      if (place.row !== undefined) group.rows.add(place.row);
      if (isReference(message, place.value) && group.values.size < VALUES)
        group.values.add(String(place.value));
    }
  }
  return [...groups.values()];
}

/** `subscribers: 1,700 rows: nic_number is required, the first is row 12 (username sam)`. */
export function faultText({ section, field, message, values, varies, rows, place }: FaultGroup): string {
  const text = varies ? `${message}, and the like` : message;
  const fault = [field, [...values].join(", "), inRows(text)].filter(Boolean).join(" ");
  if (place.row === undefined) return [section, fault].filter(Boolean).join(field === "" ? " " : ": ");
  const first = `row ${place.row}${place.name && ` (${place.name})`}${place.inner && `, ${place.inner}`}`;
  if (rows.size === 1) return `${section}: ${first}: ${fault}`;
  return `${section}: ${rows.size.toLocaleString("en-US")} rows: ${fault}, the first is ${first}`;
}

function newGroup(place: Place, message: string): FaultGroup {
  const { section, field } = place;
  return { section, field, message, values: new Set(), varies: false, rows: new Set(), place };
}

/** Numbers are no secrets. */
function isReference(message: string, value: unknown): boolean {
  return isReferenceFault(message) && /^\d{1,16}$/.test(String(value));
}

/** Pointers in messages as row numbers. */
function inRows(message: string): string {
  return message.replace(/(?:\/[a-z_]+\/\d+)+/g, (pointer) =>
    pointer
      .replace(/\/([a-z_]+)\/(\d+)/g, (_, list, index) => ` ${list} row ${Number(index) + 1}`)
      .trimStart(),
  );
}

function find(pointer: string, data: unknown): Place {
  const [section = "", ...path] = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  let value = findMember(data, section);
  let list = section;
  let row: number | undefined;
  let name = "";
  const fields: string[] = [];
  const inner: string[] = [];
  for (const member of path) {
    const isList = Array.isArray(value);
    value = findMember(value, member);
    if (!isList) fields.push((list = member));
    else if (row === undefined) {
      row = Number(member) + 1;
      name = rowName(value);
    } else inner.push(`${list} ${Number(member) + 1}`);
  }
  return { section, field: fields.join("/"), row, name, inner: inner.join(", "), value };
}

function findMember(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value[Number(member)];
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

function rowName(row: unknown): string {
  if (!isObject(row)) return "";
  for (const key of ["username", "name"]) {
    const value = row[key];
    if (typeof value === "string" && value !== "") return `${key} ${value.slice(0, 64)}`;
  }
  return "";
}
