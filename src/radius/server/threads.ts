import type { Arrived } from "../../domain/goods/nas/arrivals.ts";
import type { QuotaCrossed } from "../../domain/service/accounting/accounting.ts";
import type { Carried } from "../../domain/money/sums/carried.ts";
import type { AccessPlace } from "./access-memory.ts";
import type { PacketCount } from "./counters.ts";
import type { DropLine, FailureLine } from "./journal.ts";
import type { BoundPort } from "../../os/server-socket.ts";
import type { RadsecEnd } from "./radsec-link.ts";
import type { Distribution } from "./timings.ts";

export type Order =
  | {
      kind: "serve";
      folder: string;
      port: BoundPort;
      radsec?: RadsecEnd;
      turns?: SharedArrayBuffer;
      /** Of an access thread. */
      place?: AccessPlace;
    }
  | { kind: "stop" };

export type Notice =
  | { kind: "listening" }
  | { kind: "refused"; message: string }
  | { kind: "decided"; events: string }
  | { kind: "dropped"; line: DropLine }
  | { kind: "authenticator_seen"; nasId: number; address: string }
  | { kind: "quota_crossed"; crossed: QuotaCrossed }
  /** As of AccountingHandlerEvents. */
  | { kind: "crowded"; nas: string }
  /** As of AccessHandlerEvents. */
  | { kind: "guessing"; nas: string }
  | { kind: "batch_lost"; card: string }
  | ({ kind: "failed" } & FailureLine)
  | { kind: "counted"; counts: readonly PacketCount[] }
  /** Bytes booked since the last notice. */
  | { kind: "carried"; sums: readonly Carried[] }
  /** Accounting reports since the last notice, packed by a ReportTally. */
  | { kind: "reported"; packed: Float64Array }
  /** Arrivals since the last notice. */
  | { kind: "arrived"; arrived: readonly Arrived[] }
  /** Every second, also as a sign of life. */
  | { kind: "measured"; timings: readonly Distribution[] }
  | { kind: "stopped" };
