import { expect, test } from "bun:test";
import { ownPortals } from "../../src/cli/own-portal.ts";

const config = { publicListen: { host: "0.0.0.0", port: 8080 }, tls: null };

test("a client is looked for once a minute, however many requests its page is, and none is kept for ever", async () => {
  const requests: string[] = [];
  let now = 0;
  const towards = async ({ address }: { address: string }) => {
    requests.push(address);
    return "10.0.0.254";
  };
  const portal = ownPortals(config, { towards, now: () => now });
  for (let times = 0; times < 5; times++)
    expect(await portal("10.0.1.1")).toBe("http://10.0.0.254:8080/portal");
  expect(requests).toEqual(["10.0.1.1"]);
  now = 60_000;
  await portal("10.0.1.1");
  expect(requests).toHaveLength(2);

  for (let client = 0; client < 1000; client++) await portal(`10.1.${client >> 8}.${client & 255}`);
  await portal("10.0.1.1");
  expect(requests).toHaveLength(1003);
});

test("without a public listener there is none", async () => {
  expect(await ownPortals({ publicListen: null, tls: null })("10.0.1.1")).toBeNull();
});
