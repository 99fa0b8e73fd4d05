import { expect, test } from "bun:test";
import { Appliance } from "../support/appliance.ts";
import { NatsServer } from "../support/nats-server.ts";

const dataSet = { isps: [{ id: 1, name: "Northlink" }] };

async function until(isSo: () => boolean | Promise<boolean>, pause = 100): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += pause) {
    if (waited > 90_000) throw new Error(`never: ${isSo.toString()}`);
    await Bun.sleep(pause);
  }
}

test("a box that cannot trust nats-server, or is not known there, says so, and is well when it has heard its books", async () => {
  await using primary = new Appliance();
  await using node = new Appliance({ GATEHOUSE_ROLE: "access", GATEHOUSE_NATS_URL: "tls://127.0.0.1:1" });
  const done = async (one: Appliance, args: string[], stdin = "") => {
    const outcome = await one.run(args, stdin);
    expect({ args, ...outcome }).toMatchObject({ code: 0 });
    return outcome.stdout;
  };
  await primary.load(dataSet);
  await done(primary, ["box", "add", "tower-2"]);
  await using nats = await NatsServer.start(await done(primary, ["box", "server"]));
  const { join: line } = JSON.parse(await done(primary, ["box", "add", "tower-1", "--json"])) as {
    join: string;
  };
  await done(node, ["box", "join"], `${line}\n`);

  const health = async (http: string) => {
    const answer = await fetch(`http://${http}/healthz`);
    return { status: answer.status, said: await answer.text() };
  };
  const expected = async (http: string, words: string) => {
    await until(async () => (await health(http)).said.includes(words));
    expect(await health(http)).toMatchObject({ status: 503, said: expect.stringContaining("knows nobody") });
    await until(() => node.log.includes(words));
    await until(async () => (await node.run(["check"])).stdout.includes(words), 1000);
  };
  const { http } = await node.serve({ GATEHOUSE_NATS_URL: nats.url });
  await expected(http, "does not trust the certificate of nats-server");
  await node.stop();

  const ca = { GATEHOUSE_NATS_CA: nats.certificate };
  const trusting = await node.serve(ca);
  await expected(trusting.http, "does not know this machine");
  nats.reload(await done(primary, ["box", "server"]));
  await primary.serve({ GATEHOUSE_NATS_URL: nats.url, ...ca });
  await until(async () => (await health(trusting.http)).status === 200);
  expect((await health(trusting.http)).said).toContain('"faults":[]');

  // and later, when the way is gone
  await nats.kill();
  await until(async () => (await health(trusting.http)).said.includes("nats-server is not reached"));
  expect((await health(trusting.http)).status).toBe(200);
  await nats.up();
  await until(async () => (await health(trusting.http)).said.includes('"faults":[]'));
});
