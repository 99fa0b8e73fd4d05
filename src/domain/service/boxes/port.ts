import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Scope, scopeCondition } from "../../core/actor/actor.ts";

export interface Port {
  readonly ispId: number;
  readonly boxNumber: string;
  readonly port: string;
}

/** Who hangs on a port already; `name` is null for who is out of the scope. */
export interface PortHolder {
  readonly id: number;
  readonly name: string | null;
}

/** Somebody else hangs on the port that a line is to get; nothing was written. */
export class PortInUse extends DomainError {
  readonly holder: PortHolder;
  readonly port: Port;

  constructor(holder: PortHolder, port: Port) {
    super("refused", `somebody hangs on port ${port.port} of ${port.boxNumber} already`, {
      code: "port_taken",
    });
    this.holder = holder;
    this.port = port;
  }
}

/** What a port is called by who says that two lines are meant to share it. */
export const portKey = ({ boxNumber, port }: Pick<Port, "boxNumber" | "port">) => `${boxNumber} ${port}`;

interface RequestedPort {
  readonly port: Port;
  readonly subscriberId: number;
  /** The key of the port of which somebody has said that two lines are meant to share it. */
  readonly sharedPort: string | null;
}

/**
 * Throws `PortInUse` where somebody else hangs on a port. Two lines may: of a house with a splitter, or while one is moved; but mostly one of
 * both is a mistake, and who stands before the box has to know which.
 */
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

/** That somebody else hangs on the port of a line too, for a program that put it there and cannot be asked; null: nobody does. */
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
