import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { ownBoxGauges } from "../../src/metrics/access-box-gauges.ts";
import { Metrics } from "../../src/metrics/metrics.ts";
import { Timings } from "../../src/radius/server/timings.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const systemd = join(import.meta.dir, "../../systemd");

interface Rules {
  groups: { rules: { alert: string; annotations: Record<string, string> }[] }[];
}

/** The names that /metrics tells of, in an appliance that has measured everything once. */
async function metricNames(): Promise<Set<string>> {
  using store = temporaryStore();
  const timings = new Timings();
  for (const measure of ["access_seconds", "accounting_seconds", "commit_seconds", "commit_records"] as const)
    timings.observe(measure, 1);
  const metrics = new Metrics({
    db: store.db,
    folder: store.folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: {
      isListening: () => true,
      counts: () => [],
      timings: () => timings.all(),
      measureSilence: () => undefined,
      buffer: () => undefined,
      lateLogins: () => ({ dropped: 0, droppedAt: null }),
    },
  });
  const text = await metrics.text();
  const ofBox = new Registry();
  ownBoxGauges(ofBox, () => {
    throw new Error("it is asked for names alone");
  });
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
  return new Set([...names, ...ofBox.getMetricsAsArray().map(({ name }) => name)]);
}

test.each(["alerts.yml", "grafana-dashboard.json"])("%s asks for metrics that there are", async (file) => {
  const known = await metricNames();
  const requests = readFileSync(join(systemd, file), "utf8").match(/\bgatehouse_[a-z_]+/g) ?? [];
  expect(requests.length).toBeGreaterThan(10);
  const unknown = requests.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, "")));
  expect(unknown).toEqual([]);
});

test("every alert says what happened and what to do", () => {
  const parsed: Rules = JSON.parse(
    JSON.stringify(Bun.YAML.parse(readFileSync(join(systemd, "alerts.yml"), "utf8"))),
  );
  const rules = parsed.groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  for (const { alert, annotations } of rules)
    expect({ alert, says: Object.keys(annotations) }).toEqual({ alert, says: ["summary", "todo"] });
});

test("the dashboard is one, and no panel covers another", () => {
  const { panels } = JSON.parse(readFileSync(join(systemd, "grafana-dashboard.json"), "utf8"));
  const places = panels.map(
    ({ gridPos }: { gridPos: { x: number; y: number } }) => `${gridPos.x} ${gridPos.y}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

test("books and access boxes have alerts of what fills up, and the head says how boxes are scraped", () => {
  const rules = readFileSync(join(systemd, "alerts.yml"), "utf8");
  for (const requests of [
    "gatehouse_storage_usable == 0",
    "gatehouse_disk_free_bytes <",
    "gatehouse_box_disk_free_bytes <",
  ])
    expect(rules).toContain(`expr: ${requests}`);
  const job = /job="(gatehouse-box)"/.exec(rules)?.[1];
  expect(rules).toContain(`#   - job_name: ${job}`);
});
