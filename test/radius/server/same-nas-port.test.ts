import { describe, expect, test } from "bun:test";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const one = { subscribers: [aSubscriber(1)] };
const two = {
  packages: [aPackage(2, { simultaneous_use: 2 })],
  subscribers: [aSubscriber(1, { package_id: 2 })],
};

describe("at a NAS that sends no MAC address", () => {
  type NasPort = Record<string, string | number>;
  const LINE: NasPort = { "NAS-Port": 7, "NAS-Port-Id": "slot 1 port 7" };
  const dial = (handlers: TestHandlers, nasPort: NasPort, user = 1, source = FROM) => {
    const attributes = Object.entries(nasPort);
    handlers.login({ name: `user${user}`, password: `pw-${user}`, attributes }, source);
    return handlers.decided.at(-1)?.reason;
  };
  const begin = (handlers: TestHandlers, nasPort: NasPort, id: string, user = 1, source = FROM) =>
    handlers.account(
      "Start",
      [["User-Name", `user${user}`], ["Acct-Session-Id", id], ...Object.entries(nasPort)],
      source,
    );
  const open = (handlers: TestHandlers) =>
    handlers.db.$client
      .query("SELECT acct_session_id FROM sessions WHERE stopped_at IS NULL ORDER BY id")
      .values()
      .flat();

  test.each<[string, NasPort, NasPort]>([
    ["by number and name", LINE, LINE],
    ["by number alone", { "NAS-Port": 7 }, { "NAS-Port": 7 }],
    ["by name alone", { "NAS-Port-Id": "ether2" }, { "NAS-Port-Id": "ether2" }],
    ["by what both tell", LINE, { "NAS-Port": 7 }],
  ])("a login at the same NAS-Port replaces the session there, %s", async (_, before, after) => {
    await using handlers = await TestHandlers.open(one);
    expect(dial(handlers, before)).toBe("accepted");
    await begin(handlers, before, "1");
    handlers.clock.now += 100;
    expect(dial(handlers, after)).toBe("accepted");
    await begin(handlers, after, "2");
    expect(open(handlers)).toEqual(["2"]);
    expect(
      handlers.db.$client.query("SELECT stopped_at, closed_by FROM sessions WHERE id = 1").values(),
    ).toEqual([[NOW + 100, "lost_stop"]]);
  });

  test.each<[string, NasPort, NasPort]>([
    ["another NAS-Port", LINE, { "NAS-Port": 8, "NAS-Port-Id": "slot 1 port 8" }],
    ["one of the same name and another number", LINE, { ...LINE, "NAS-Port": 8 }],
    ["no NAS-Port", LINE, {}],
    ["none after none", {}, {}],
  ])("%s counts", async (_, before, after) => {
    await using handlers = await TestHandlers.open(one);
    await begin(handlers, before, "1");
    handlers.clock.now += 100;
    expect(dial(handlers, after)).toBe("too_many_sessions");
    await begin(handlers, after, "2");
    expect(open(handlers)).toEqual(["1", "2"]);
  });

  test("the same NAS-Port of another NAS counts, and so does a device with a MAC address", async () => {
    await using handlers = await TestHandlers.open({
      ...one,
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" },
        { id: 3, isp_id: 1, name: "edge", address: "127.0.0.3", secret: "testing123" },
      ],
    });
    await begin(handlers, LINE, "1");
    expect(dial(handlers, LINE, 1, { ...FROM, address: "127.0.0.3" })).toBe("too_many_sessions");
    expect(dial(handlers, { ...LINE, "Calling-Station-Id": "02:00:00:00:00:0A" })).toBe("too_many_sessions");
  });

  test("a NAS-Port that the NAS names for somebody else too says nothing", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1), aSubscriber(2)] });
    const same = { "NAS-Port": 0 };
    await begin(handlers, same, "1");
    await begin(handlers, same, "2", 2);
    handlers.clock.now += 100;
    expect(dial(handlers, same)).toBe("too_many_sessions");
    await begin(handlers, same, "3");
    expect(open(handlers)).toEqual(["1", "2", "3"]);
  });

  test("several sessions at once stay beside each other at one NAS-Port, and no more than the package has", async () => {
    await using handlers = await TestHandlers.open(two);
    const same = { "NAS-Port": 0 };
    for (const id of ["1", "2"]) {
      handlers.clock.now += 100;
      expect(dial(handlers, same)).toBe("accepted");
      await begin(handlers, same, id);
    }
    handlers.clock.now += 100;
    expect(dial(handlers, same)).toBe("too_many_sessions");
    expect(open(handlers)).toEqual(["1", "2"]);
  });

  test("with room for two, the one at the NAS-Port is replaced where the other is elsewhere", async () => {
    await using handlers = await TestHandlers.open(two);
    await begin(handlers, LINE, "1");
    await begin(handlers, { "NAS-Port": 9 }, "2");
    handlers.clock.now += 100;
    expect(dial(handlers, LINE)).toBe("accepted");
    await begin(handlers, LINE, "3");
    expect(open(handlers)).toEqual(["2", "3"]);
  });
});
