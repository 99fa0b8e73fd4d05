import { authorization } from "./data-set.ts";
import type { Product } from "./gatehouse.ts";
import type { Load, Outcome } from "./load.ts";

export interface ApiFigure {
  readonly call: string;
  readonly subscribers: number;
  /** Calls a second, 8 at a time. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** p99 in milliseconds of logins, 1,000 a second, meanwhile. */
  readonly login99: number;
}

const AT_ONCE = 8;

export interface ApiPlan {
  readonly product: Product;
  readonly subscribers: number;
  readonly seconds: number;
  readonly templates: string;
  readonly load: (load: Load) => Promise<Outcome>;
}

/** Calls of the management API as fast as they come back, and what logins notice of it. */
export async function measureApi(plan: ApiPlan): Promise<ApiFigure[]> {
  const { subscribers } = plan;
  let next = 0;
  const id = () => 1 + (next++ % subscribers);
  const offset = (limit: number) => (next++ * limit) % Math.max(1, subscribers - limit);
  const calls: Record<string, () => Promise<Response>> = {
    nothing: async () => {
      await Bun.sleep(50);
      return new Response();
    },
    usage: () => get(plan, `/api/v1/subscriber/usage/${id()}`),
    get: () => get(plan, `/api/v1/subscriber/get/${id()}`),
    "list of 100": () => get(plan, `/api/v1/subscriber/list?limit=100&offset=${offset(100)}`),
    "list of 1,000": () => get(plan, `/api/v1/subscriber/list?limit=1000&offset=${offset(1000)}`),
    activate: () =>
      fetch(`${plan.product.http}/api/v1/activation/activate`, {
        method: "POST",
        headers: { authorization },
        body: new URLSearchParams({ user_id: String(id()), package_id: "1" }),
      }),
  };
  const figures: ApiFigure[] = [];
  for (const [call, ask] of Object.entries(calls)) {
    next = 0;
    figures.push({ call, subscribers, ...(await measure(plan, ask)) });
  }
  return figures;
}

/** A call by the Admin of the data set. */
export function get({ product }: Pick<ApiPlan, "product">, path: string): Promise<Response> {
  return fetch(product.http + path, { headers: { authorization } });
}

/** One call over and over, so many at once, beside 1,000 logins a second. */
export async function measure(
  { product, templates, seconds, load }: ApiPlan,
  ask: () => Promise<Response>,
  atOnce = AT_ONCE,
) {
  const logins = load({
    port: product.port,
    templates,
    seconds,
    warmup: 0.3,
    drive: { rate: 1000 },
    first: 0,
  });
  const took: number[] = [];
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const one = async () => {
    while (performance.now() < end) {
      const startedAt = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      took.push(performance.now() - startedAt);
      if (!response.ok) failed++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const rate = took.length / ((performance.now() - began) / 1000);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { rate, p50: at(0.5), p99: at(0.99), failed, login99: (await logins).p99 / 1000 };
}
