import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from "prom-client";
import { storeGauges, type StoreNeeds } from "./store-gauges.ts";
import type { OwnStanding } from "../domain/machine/access-boxes/own-standing.ts";
import { accessBoxGauges, ownBoxGauges } from "./access-box-gauges.ts";
import { messageGauges } from "./message-gauges.ts";
import { webhookGauges } from "./webhook-gauges.ts";
import { EventLoopLag } from "./event-loop-lag.ts";

/** Packets of a NAS with the same outcome, counted by the RADIUS threads. */
export interface PacketCount {
  readonly nas: string | null;
  readonly kind: string;
  readonly outcome: string;
  readonly count: number;
}

/** A histogram; the last bucket counts values above every bound. */
export interface Distribution {
  readonly measure: string;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
}

/** The kernel's receive buffer of a port. */
interface PortBuffer {
  readonly size: number;
  readonly dropped: number;
  /** UTC seconds; null: never. */
  readonly droppedAt: number | null;
}

interface MetricsNeeds extends StoreNeeds {
  /** On an access box, which has no primary database: its link state. */
  readonly ownBox?: () => OwnStanding;
  readonly version: string;
  readonly commit: string;
  /** Whether the TLS files are the pair in use; undefined without TLS. */
  readonly isCertificateUsable?: () => boolean | undefined;
  readonly radius: StoreNeeds["radius"] & {
    readonly isListening: () => boolean;
    readonly counts: (port: "auth" | "acct") => readonly PacketCount[];
    readonly timings: () => readonly Distribution[];
    /** Undefined where the system does not report it. */
    readonly buffer: (port: "auth" | "acct") => PortBuffer | undefined;
    readonly lateLogins: () => { readonly droppedAt: number | null };
  };
}

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const meanings: Readonly<Record<string, string>> = {
  access_seconds: "Time to decide an Access-Request, from its arrival to its reply",
  accounting_seconds: "Time to store an Accounting-Request, from its arrival to its reply",
  commit_seconds: "Time of one commit of accounting",
  commit_records: "Accounting records in one commit",
};

/** The metrics of GET /metrics (Prometheus text format). Values kept elsewhere are read when scraped. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #lag = new EventLoopLag(this.#registry);
  readonly #needs: MetricsNeeds;
  readonly #http = new Histogram({
    name: "gatehouse_http_request_duration_seconds",
    help: "Time of HTTP requests by route and status",
    labelNames: ["method", "route", "status"],
    buckets: HTTP_SECONDS,
    registers: [this.#registry],
  });

  constructor(needs: MetricsNeeds) {
    this.#needs = needs;
    const registry = this.#registry;
    const { radius, version, commit } = needs;
    const info = new Gauge({
      name: "gatehouse_info",
      help: "Version and commit",
      labelNames: ["version", "commit"],
      registers: [registry],
    });
    info.set({ version, commit }, 1);
    registry.registerMetric(
      new Gauge({
        name: "gatehouse_memory_bytes",
        help: "Resident memory",
        registers: [],
        collect() {
          this.set(process.memoryUsage.rss());
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: "gatehouse_radius_listening",
        help: "1 while both RADIUS ports listen",
        registers: [],
        collect() {
          this.set(radius.isListening() ? 1 : 0);
        },
      }),
    );
    const { isCertificateUsable = () => undefined } = needs;
    registry.registerMetric(
      new Gauge({
        name: "gatehouse_certificate_usable",
        help: "1 while the TLS files are what is in use, 0 while they are missing or broken; absent: none are configured",
        registers: [],
        collect() {
          const isUsable = isCertificateUsable();
          if (isUsable === undefined) this.remove();
          else this.set(isUsable ? 1 : 0);
        },
      }),
    );
    packetCounters(registry, radius.counts);
    bufferGauges(registry, radius.buffer);
    registry.registerMetric(
      new Gauge({
        name: "gatehouse_radius_late_timestamp_seconds",
        help: "When a login was dropped last because it had waited too long; absent until one was",
        registers: [],
        collect() {
          const { droppedAt } = radius.lateLogins();
          if (droppedAt === null) this.remove();
          else this.set(droppedAt);
        },
      }),
    );
    if (needs.ownBox) {
      ownBoxGauges(registry, needs.ownBox);
      return;
    }
    storeGauges(registry, needs);
    webhookGauges(registry, { db: needs.db });
    messageGauges(registry, { db: needs.db });
    accessBoxGauges(registry, needs);
  }

  served({
    method,
    route,
    status,
    seconds,
  }: {
    method: string;
    route: string;
    status: number;
    seconds: number;
  }) {
    this.#http.observe({ method, route, status }, seconds);
  }

  async text(): Promise<string> {
    const distributions = this.#needs.radius.timings().map(histogram);
    const timings = AggregatorRegistry.aggregate([distributions]);
    return `${await this.#registry.metrics()}\n${await timings.metrics()}`;
  }

  measureLag(): void {
    this.#lag.measure();
  }
}

const ports = ["auth", "acct"] as const;

/** Gauges by port; the time of the last drop is absent until something was dropped. */
function bufferGauges(registry: Registry, buffer: MetricsNeeds["radius"]["buffer"]): void {
  const gauge = (name: string, help: string, of: (one: PortBuffer) => number | null) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ["port"],
        registers: [],
        collect() {
          for (const port of ports) {
            const one = buffer(port);
            const value = one ? of(one) : null;
            if (value !== null) this.set({ port }, value);
          }
        },
      }),
    );
  gauge("gatehouse_radius_buffer_bytes", "Receive buffer of a RADIUS port", ({ size }) => size);
  gauge(
    "gatehouse_radius_buffer_dropped",
    "Datagrams that the kernel dropped at a RADIUS port since the start, because its receive buffer was full",
    ({ dropped }) => dropped,
  );
  gauge(
    "gatehouse_radius_buffer_dropped_timestamp_seconds",
    "When the kernel dropped one last",
    ({ droppedAt }) => droppedAt,
  );
}

function packetCounters(registry: Registry, counts: MetricsNeeds["radius"]["counts"]): void {
  const all = () => ports.flatMap((port) => counts(port).map((count) => ({ port, count })));
  registry.registerMetric(
    new Counter({
      name: "gatehouse_radius_requests_total",
      help: "RADIUS requests of known routers by port, NAS, kind and outcome",
      labelNames: ["port", "nas", "kind", "outcome"],
      registers: [],
      collect() {
        this.reset();
        for (const { port, count } of all()) {
          const { nas, kind, outcome } = count;
          if (kind !== "dropped") this.inc({ port, nas: nas ?? "", kind, outcome }, count.count);
        }
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: "gatehouse_radius_dropped_total",
      help: "Datagrams that got no answer by port, NAS (empty: unknown) and reason",
      labelNames: ["port", "nas", "reason"],
      registers: [],
      collect() {
        this.reset();
        for (const { port, count } of all()) {
          const { nas, kind, outcome } = count;
          if (kind === "dropped") this.inc({ port, nas: nas ?? "", reason: outcome }, count.count);
        }
      },
    }),
  );
}

/** The form in which prom-client accepts metrics of another thread. */
function histogram({ measure, bounds, counts, sum }: Distribution): object {
  const name = `gatehouse_radius_${measure}`;
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return { labels: { le: bounds[index] ?? "+Inf" }, value: total, metricName: `${name}_bucket` };
  });
  const values = [
    ...buckets,
    { labels: {}, value: sum, metricName: `${name}_sum` },
    { labels: {}, value: total, metricName: `${name}_count` },
  ];
  return { help: meanings[measure] ?? measure, name, type: "histogram", values, aggregator: "sum" };
}
