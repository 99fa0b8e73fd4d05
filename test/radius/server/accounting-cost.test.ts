import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { aSubscriber } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";

// What a report costs the disk, which no load of the machine changes: pages of the write-ahead log, and bytes written beside it.

const LINES = 320;
const BATCH = 32;
/** A page and its header in the write-ahead log. */
const FRAME = 4096 + 24;

/** Bytes that this process has handed to the system to write. */
const written = () => Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

test("a report writes its pages of the write-ahead log and nothing beside it", async () => {
  await using handlers = await TestHandlers.open({
    subscribers: Array.from({ length: LINES }, (_, index) => aSubscriber(index + 1)),
  });
  const log = handlers.db.$client.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)");
  const framesNow = () => log.get()?.log ?? 0;

  /** Pages a report, and bytes for each of those pages. */
  const report = (status: AccountingStatus, seconds: number) => {
    const packets = Array.from({ length: LINES }, (_, line) =>
      handlers.client.prepareAccounting(status, [
        ["User-Name", `user${line + 1}`],
        ["Acct-Session-Id", `8100${line.toString(16).padStart(4, "0")}`],
        ["Class", Buffer.from(`class of line ${line}`)],
        ["NAS-Port", 15_728_640 + line],
        ["NAS-Port-Id", "bridge1"],
        [
          "Calling-Station-Id",
          `02:00:00:00:${Buffer.from([line >> 8, line])
            .toString("hex")
            .replace(/..(?=.)/, "$&:")}`,
        ],
        ["Framed-IP-Address", `10.0.${line >> 8}.${line & 255}`],
        ...(seconds > 0
          ? ([
              ["Acct-Session-Time", seconds],
              ["Acct-Input-Octets", seconds * 1000],
              ["Acct-Output-Octets", seconds * 9000],
            ] as const)
          : []),
      ]),
    );
    handlers.db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const before = written();
    let answers = 0;
    for (const [line, { datagram }] of packets.entries()) {
      handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => answers++);
      if (line % BATCH < BATCH - 1) continue;
      while (handlers.accountingHandler.isWaiting) handlers.accountingHandler.commit();
    }
    const frames = framesNow();
    expect(answers).toBe(LINES);
    handlers.clock.now += 300;
    return { pages: frames / LINES, bytes: (written() - before) / frames };
  };

  const costs = [
    report("Start", 0),
    report("Interim-Update", 300),
    report("Interim-Update", 600),
    report("Stop", 900),
  ];
  for (const { bytes } of costs) expect(bytes).toBeLessThan(FRAME * 1.05);
  const [start, first, second, stop] = costs.map(({ pages }) => pages);
  expect(start).toBeLessThan(1.1);
  expect(first).toBeLessThan(0.45);
  expect(second).toBeLessThan(0.45);
  expect(stop).toBeLessThan(0.75);
});
