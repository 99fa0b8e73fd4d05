import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Scope, scopeCondition } from "../../core/actor/actor.ts";

export interface Port {
  readonly ispId: number;
  readonly boxNumber: string;
  readonly port: string;
}

/** The line on a port; `name` is null outside the scope. */
export interface PortHolder {
  readonly id: number;
  readonly name: string | null;
}

/** Another line is on the port; nothing was written. */
export class PortInUse extends DomainError {
  readonly holder: PortHolder;
  readonly port: Port;

  constructor(holder: PortHolder, port: Port) {
    super("refused", phrase`somebody hangs on port ${port.port} of ${port.boxNumber} already`, {
      code: "port_taken",
    });
    this.holder = holder;
    this.port = port;
  }
}

/** Key of a port for confirming that two lines share it. */
export const portKey = ({ boxNumber, port }: Pick<Port, "boxNumber" | "port">) => `${boxNumber} ${port}`;

interface RequestedPort {
  readonly port: Port;
  readonly subscriberId: number;
  /** The port confirmed to be shared by two lines. */
  readonly sharedPort: string | null;
}

/** Throws `PortInUse` when another line is on the port. Two may share it (a splitter, a move), but mostly one is a mistake. */
export function requireFreePort(
  db: Db,
  scope: Scope,
  { port, subscriberId, sharedPort }: RequestedPort,
): void {
  if (sharedPort === portKey(port)) return;
  const holder = portHolder(db, scope, port, subscriberId);
  if (holder) throw new PortInUse(holder, port);
}

function portHolder(
  { $client }: Db,
  scope: Scope,
  { ispId, boxNumber, port }: Port,
  besides: number,
): PortHolder | undefined {
  if (boxNumber === "" || port === "") return undefined;
  const { text, values } = all(scopeCondition(scope));
  return (
    $client
      .query<PortHolder, Value[]>(
        `SELECT s.id, iif(${text || "1"}, s.name, NULL) AS name FROM subscribers s INDEXED BY subscribers_box
         WHERE s.box_number = ? AND s.isp_id = ? AND coalesce(s.uplink_port, s.switch_port) = ? COLLATE NOCASE
           AND s.id <> ? AND s.archived_at IS NULL ORDER BY s.id LIMIT 1`,
      )
      .get(...values, boxNumber, ispId, port, besides) ?? undefined
  );
}

/** Note that a port is shared, for a program that cannot be asked; null: it is not. */
export function sharedPortNote(db: Db, scope: Scope, subscriberId: number): string | null {
  const port = db.$client
    .query<Port, [number]>(
      `SELECT isp_id AS ispId, coalesce(box_number, '') AS boxNumber, coalesce(uplink_port, switch_port, '') AS port
       FROM subscribers WHERE id = ?`,
    )
    .get(subscriberId);
  const holder = port && portHolder(db, scope, port, subscriberId);
  return holder
    ? `Port ${port.port} of ${port.boxNumber} is that of ${holder.name ?? "somebody else"} too.`
    : null;
}
