import { expect, test } from "bun:test";
import { type Addresses, Appliance } from "../support/appliance.ts";
import { aPackage, aSubscriber, NAS_SECRET } from "../support/isp.ts";

const COUNT = 3000;
const ids = Array.from({ length: COUNT }, (_, index) => index + 1);
const account = { name: "Ada", username: "ada", email: "ada@isp.example", password: "secret-1" };
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, ...account, profile_type: 1, status: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1), aPackage(2)],
  subscribers: ids.map((id) => aSubscriber(id)),
};

interface Job {
  done: number;
  refused: number;
  waiting: number;
  finished_at: string | null;
}

test("an appliance that is killed goes on with a bulk operation when it serves again", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  let at: Addresses = await appliance.serve();
  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { authorization: `Basic ${btoa("ada:secret-1")}`, "idempotency-key": "once" };
    const response = await fetch(`http://${at.http}/api/v1${path}`, { ...init, headers });
    expect(response.status).toBe(200);
    return response.json() as Promise<T>;
  };
  /** When it is so far. */
  const job = async (isThere: (job: Job) => boolean): Promise<Job> => {
    for (;;) {
      const now = await call<Job>("/bulk/get/1");
      if (isThere(now)) return now;
      await Bun.sleep(10);
    }
  };
  const form = new URLSearchParams({ operation: "package", package_id: "2", ids: ids.join(",") });
  const begin = () => call<object>("/bulk/start", { method: "POST", body: form });
  const begun = { success: "Bulk operation started.", id: 1 };
  expect(await begin()).toEqual(begun);

  const { waiting } = await job(({ done }) => done > 0);
  expect(waiting).toBeGreaterThan(0);
  await appliance.stop("SIGKILL");
  at = await appliance.serve();
  expect(await begin()).toEqual(begun);
  expect(await job(({ finished_at }) => finished_at !== null)).toMatchObject({
    done: COUNT,
    refused: 0,
    waiting: 0,
  });
  expect(await call<unknown[]>("/bulk/list")).toHaveLength(1);
  expect(await call<unknown[]>("/subscriber/list?package_id=1")).toEqual([]);
});
