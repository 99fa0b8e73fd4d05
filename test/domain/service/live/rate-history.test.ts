import { expect, test } from "bun:test";
import { RateHistory } from "../../../../src/domain/service/live/rate-history.ts";
import { rateHistory } from "../../../../src/domain/service/live/rates-of.ts";
import { type Reported, ReportTally, unpackReports } from "../../../../src/domain/service/live/reported.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const report = (values: Partial<Reported> = {}): Reported => ({
  sessionId: 1,
  subscriberId: 1,
  cardId: null,
  nasId: 1,
  at: NOW,
  input: 1000,
  output: 2000,
  isOver: false,
  ...values,
});

test("what was told of sessions comes out of the tally as it went in, once, and of a flood no more than 4096", () => {
  const tally = new ReportTally();
  const reports = [
    report(),
    report({ subscriberId: null, nasId: null, input: null, output: null, isOver: true }),
  ];
  for (const one of reports) tally.add(one);
  expect([...unpackReports(tally.take())]).toEqual(reports);
  expect(tally.take()).toHaveLength(0);
  for (let i = 0; i < 5000; i++) tally.add(report({ sessionId: i }));
  const kept = [...unpackReports(tally.take())];
  expect([kept.length, kept.at(-1)?.sessionId]).toEqual([4096, 4095]);
});

test("a session's rates stand at its reports; what is late or repeated adds none, and after its end the line is still", () => {
  const history = new RateHistory();
  history.add(report({ input: null, output: null }));
  history.add(report({ at: NOW + 300 }));
  history.add(report({ at: NOW + 300, output: 9 }));
  history.add(report({ at: NOW + 200, output: 9 }));
  history.add(report({ at: NOW + 400, output: 5e9, isOver: true }));
  expect(history.of(1)).toEqual([
    { at: NOW, input: 0, output: 0 },
    { at: NOW + 300, input: 1000, output: 2000 },
    { at: NOW + 400, input: 1000, output: 2 ** 32 - 1 },
    { at: NOW + 401, input: 0, output: 0 },
  ]);
  expect(history.of(2)).toEqual([]);
});

test("six hours of reports every ten seconds fit, the newest as they came, the older ones as means", () => {
  const history = new RateHistory();
  const end = NOW + 6 * 3600;
  for (let at = NOW; at <= end; at += 10) history.add(report({ at, output: at % 20 === 0 ? 0 : 2000 }));
  const samples = history.of(1);
  expect(samples.length).toBeLessThanOrEqual(96);
  expect(samples[0]?.at).toBe(NOW);
  expect(samples.slice(-10).map(({ output }) => output)).toEqual(
    [0, 2000, 0, 2000, 0, 2000, 0, 2000, 0, 2000].toReversed(),
  );
  const mean = (from: number) => samples.slice(1, -48).reduce((sum, { output }) => sum + output, from);
  expect(mean(0) / samples.slice(1, -48).length).toBeCloseTo(1000, -2);
});

test("a session is forgotten a day after its last report, and of too many those that began first", () => {
  const history = new RateHistory();
  history.add(report());
  for (let count = 0; count < 1024; count++) history.add(report({ sessionId: 2, at: NOW + 86_401 + count }));
  expect([history.of(1).length, history.of(2).length > 0]).toEqual([0, true]);
  for (let id = 3; id < 40_000; id++) history.add(report({ sessionId: id, at: NOW + 86_401 }));
  expect(history.sessions).toBeLessThanOrEqual(32_768);
  expect(history.sessions).toBeGreaterThan(31_000);
  expect([history.of(2).length, history.of(39_999).length]).toEqual([0, 1]);
});

test("the rates of a subscriber are those of its open sessions, and of those that ended within a day", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1), aSubscriber(2)] });
  insertSessions(
    store.db,
    { startedAt: NOW - 200_000, stoppedAt: NOW - 90_000, closedBy: "stop" },
    { startedAt: NOW - 80_000, stoppedAt: NOW - 70_000, closedBy: "stop" },
    { startedAt: NOW - 60 },
    { subscriberId: 2 },
  );
  const history = new RateHistory();
  for (const sessionId of [1, 2, 3, 4]) history.add(report({ sessionId }));
  const samples = [{ at: NOW, input: 1000, output: 2000 }];
  expect(rateHistory(store.db, by, { subscriberId: 1 }, { now: NOW, history })).toEqual([
    { sessionId: 2, startedAt: NOW - 80_000, stoppedAt: NOW - 70_000, samples },
    { sessionId: 3, startedAt: NOW - 60, stoppedAt: null, samples },
  ]);
});
