import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { measureApi } from "./api.ts";
import { startGatehouse } from "./gatehouse.ts";
import type { Load, Outcome } from "./load.ts";
import type { Work } from "./templates.ts";

export interface Growth {
  readonly subscribers: number;
  /** Ended sessions in the books before the measurement. */
  readonly sessions: number;
  /** Each a second. */
  readonly pap: number;
  readonly accounting: number;
  readonly list: number;
  readonly activate: number;
  /** Of the database. */
  readonly bytes: number;
}

/** The same work on books of another size. */
export async function measureGrowth(
  { subscribers, sessions }: { subscribers: number; sessions: number },
  {
    templates,
    load,
    seconds,
  }: {
    templates: Record<Work, string>;
    load: (load: Load) => Promise<Outcome>;
    seconds: number;
  },
): Promise<Growth> {
  const product = await startGatehouse(subscribers, (folder) =>
    writeSessions(folder, { subscribers, sessions }),
  );
  try {
    const drive = { inflight: 32 };
    const pap = await load({
      port: product.port,
      templates: templates.pap,
      seconds,
      warmup: 1,
      drive,
      first: 0,
    });
    const accounting = await load({
      port: product.acctPort ?? 0,
      templates: templates.accounting,
      seconds,
      warmup: 1,
      drive,
      first: 0,
    });
    const api = await measureApi({ product, subscribers, seconds, templates: templates.pap, load });
    const findRate = (call: string) => api.find((figure) => figure.call === call)?.rate ?? 0;
    return {
      subscribers,
      sessions,
      pap: pap.rate,
      accounting: accounting.rate,
      list: findRate("list of 100"),
      activate: findRate("activate"),
      bytes: statSync(join(product.folder, "gatehouse.db")).size,
    };
  } finally {
    await product.stop();
  }
}

/** Ended sessions as accounting leaves them, an hour each, spread evenly over subscribers and the last year. */
export function writeSessions(
  folder: string,
  { subscribers, sessions }: { subscribers: number; sessions: number },
): void {
  if (sessions === 0) return;
  const db = new Database(join(folder, "gatehouse.db"), { strict: true });
  db.run("PRAGMA synchronous = OFF");
  db.run("PRAGMA cache_size = -1000000"); // kB; indexes are written all over the place
  db.query(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $sessions)
     INSERT INTO sessions (nas_id, nas_address, local_address, acct_session_id, username, subscriber_id, class, nas_port,
       nas_port_id, nas_port_type, nas_ip, nas_identifier, called_station_id, mac, framed_ip, started_at, updated_at,
       stopped_at, session_time, input_octets, output_octets, counter_input, counter_output, terminate_cause, closed_by)
     SELECT 1, '127.0.0.1', '127.0.0.1', printf('80%08x', i), printf('user%d', 1 + i % $subscribers), 1 + i % $subscribers,
       randomblob(16), 15728640 + i % $subscribers, 'bridge1', 15, '127.0.0.1', 'MikroTik', 'service1',
       printf('02:00:00:%02X:%02X:%02X', (1 + i % $subscribers) >> 16, ((1 + i % $subscribers) >> 8) & 255,
         (1 + i % $subscribers) & 255),
       printf('10.%d.%d.%d', i % 200, (i / 200) % 256, (i / 51200) % 256),
       $from + i * 31536000.0 / $sessions, $from + i * 31536000.0 / $sessions + 3600,
       $from + i * 31536000.0 / $sessions + 3600, 3600, 1000000, 20000000, 1000000, 20000000, 'User-Request', 'stop' FROM n`.replaceAll(
      "$from + i * 31536000.0 / $sessions",
      "CAST($from + i * 31536000.0 / $sessions AS INTEGER)",
    ),
  ).run({ sessions, subscribers, from: Math.floor(Date.now() / 1000) - 31_540_000 });
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
