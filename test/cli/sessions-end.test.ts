import { describe, expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { sessions } from "../../db/schema.ts";
import { systemClock } from "../../src/domain/core/time/time.ts";
import { coaPatience, FakeNas, type FakeNasBehaviour } from "../support/fake-nas.ts";
import { CommandLine, smallIsp } from "./harness.ts";

const now = systemClock();

/** sam online twice, tom once, and a name that is nobody's; the router is a fake one. */
class Box implements Disposable {
  readonly cli = new CommandLine();
  readonly nas: FakeNas;

  private constructor(nas: FakeNas) {
    this.nas = nas;
  }

  static async open(behaviour: FakeNasBehaviour = {}): Promise<Box> {
    const box = new Box(await FakeNas.start(behaviour));
    await box.cli.import({
      ...smallIsp(),
      settings: { max_coa_wait: coaPatience(behaviour), disconnect_confirm: 0 },
      nas: [
        {
          id: 1,
          isp_id: 1,
          name: "core",
          address: "127.0.0.1",
          secret: "testing123",
          coa_port: box.nas.port,
          disconnect_method: "coa",
        },
      ],
    });
    const db = openStore(box.cli.data, { now });
    const open = (username: string, subscriberId: number | null, acctSessionId: string) =>
      db
        .insert(sessions)
        .values({
          nasId: 1,
          nasAddress: "127.0.0.1",
          acctSessionId,
          username,
          subscriberId,
          startedAt: now - 60,
          updatedAt: now,
        })
        .run();
    open("sam", 1, "a");
    open("sam", 1, "b");
    open("tom", 2, "b");
    open("stranger", null, "c");
    db.$client.close();
    return box;
  }

  /** Output and exit code, and what is still open. */
  async run(argv: string) {
    const { code, stdout, stderr } = await this.cli.run(argv);
    const open = await this.cli.json("sessions list");
    const left = Array.isArray(open) ? open.map((one) => `${one.username} ${one.session_id}`) : [];
    return { code, output: stdout + stderr, left };
  }

  [Symbol.dispose](): void {
    this.nas[Symbol.dispose]();
    this.cli[Symbol.dispose]();
  }
}

describe("sessions end", () => {
  test.each([
    ["sessions end SAM", ["tom b", "stranger c"], 2],
    ["sessions end sam --session b", ["sam a", "tom b", "stranger c"], 1],
    ["sessions end a", ["sam b", "tom b", "stranger c"], 1],
    ["sessions end stranger", ["sam a", "sam b", "tom b"], 1],
  ])("%s asks the router", async (argv, left, requests) => {
    using box = await Box.open();
    expect(await box.run(argv)).toEqual({
      code: 0,
      output: "ended: the router has acknowledged it\n",
      left,
    });
    expect(box.nas.requests).toHaveLength(requests);
    const again: Record<string, string> = {
      "sessions end SAM": "nothing to do: offline already\n",
      "sessions end stranger":
        "gatehouse: there is no open session stranger, and nobody of that name is online; look up what is open (gatehouse sessions list, or the usage of the subscriber)\n",
    };
    const oneOfSam = argv.replace(/end a$/, "end sam --session a");
    expect((await box.run(oneOfSam)).output).toBe(
      again[argv] ?? `nothing to do: sam has no open session ${oneOfSam.slice(-1)}\n`,
    );
  });

  test("what the router does not do stays open; in the books it is closed without asking", async () => {
    using box = await Box.open({ answer: "nak", errorCause: 501 });
    const refused = await box.run("sessions end tom");
    expect(refused).toMatchObject({ code: 1, left: ["sam a", "sam b", "tom b", "stranger c"] });
    expect(refused.output).toContain("refused the Disconnect-Request: Error-Cause 501");
    expect(refused.output).toEndWith("end it in the books: add --books-only\n");
    const requests = box.nas.requests.length;
    expect(await box.run("sessions end tom --books-only")).toEqual({
      code: 0,
      output: "closed in the books; the router was not asked\n",
      left: ["sam a", "sam b", "stranger c"],
    });
    expect(await box.cli.json("sessions end c --books-only")).toEqual({ outcome: "closed" });
    expect(box.nas.requests).toHaveLength(requests);
    const db = openStore(box.cli.data, { now });
    const closed = db.$client.query(
      "SELECT closed_by, terminate_cause FROM sessions WHERE stopped_at IS NOT NULL ORDER BY id",
    );
    expect(closed.values()).toEqual([
      ["hand", "lost"],
      ["hand", "lost"],
    ]);
    expect(
      db.$client.query("SELECT after FROM audit_entries WHERE action = 'session.close'").values().flat(),
    ).toEqual([
      JSON.stringify({ session_id: "b", username: "tom", user_id: 2 }),
      JSON.stringify({ session_id: "c", username: "stranger", user_id: null }),
    ]);
    db.$client.close();
  });

  test("every session of a router, by its whole name", async () => {
    using box = await Box.open();
    expect(await box.run("sessions end --nas 127.0.0.1")).toEqual({
      code: 1,
      output:
        "gatehouse: every session of a router ends by its whole name alone: must be the name of the router, core\n",
      left: ["sam a", "sam b", "tom b", "stranger c"],
    });
    expect(await box.run("sessions end --nas core")).toEqual({
      code: 0,
      output: "ended 4 sessions of core\n",
      left: [],
    });
    expect(await box.cli.json("sessions end --nas core")).toEqual({
      ended: 0,
      gone: 0,
      failed: 0,
      reasons: [],
      not_asked: 0,
    });
    expect((await box.run("sessions end --nas core")).output).toBe(
      "nothing to do: nobody is online at core\n",
    );
    expect((await box.run("sessions end --nas edge")).output).toContain("there is no NAS edge");
    expect((await box.run("sessions end")).output).toContain("say whose sessions, or which");
    expect((await box.run("sessions end sam --nas core")).output).toContain("it goes with --json alone");
  });

  test("sessions of a router that refuses stay open, and the exit code says so", async () => {
    using box = await Box.open({ answer: "nak", errorCause: 501 });
    const { code, output: text, left } = await box.run("sessions end --nas core");
    expect({ code, left }).toEqual({ code: 1, left: ["sam a", "sam b", "tom b", "stranger c"] });
    expect(text).toContain("4 sessions failed: ");
    expect(text).toContain("4 sessions of core may still be open; see: gatehouse nas test core");
  });

  test("an id that several have is refused", async () => {
    using box = await Box.open();
    const { code, output: text, left } = await box.run("sessions end b");
    expect({ code, left }).toEqual({ code: 1, left: ["sam a", "sam b", "tom b", "stranger c"] });
    expect(text).toContain("several open sessions have the id b, those of sam, tom; name whose is meant");
    expect(text).toContain("gatehouse sessions end USERNAME --session b");
  });

  test("while disconnecting is switched off only the books can be changed", async () => {
    using box = await Box.open();
    await box.cli.run("settings set disconnect_enabled false");
    expect((await box.run("sessions end tom")).output).toContain("disconnecting is switched off");
    expect((await box.run("sessions end tom --books-only")).code).toBe(0);
  });
});

describe("subscriber disable", () => {
  test("ends what is open, also while disconnecting is switched off", async () => {
    using box = await Box.open();
    await box.cli.run("settings set disconnect_enabled false");
    expect(await box.run("subscriber disable sam")).toEqual({
      code: 0,
      output: "disabled sam; ended 2 sessions\n",
      left: ["tom b", "stranger c"],
    });
    expect((await box.run("subscriber disable sam")).output).toBe("disabled sam; no session was open\n");
  });

  test("says why a session is still open, and what to do", async () => {
    using box = await Box.open({ answer: "nak", errorCause: 501 });
    const { code, output: text, left } = await box.run("subscriber disable tom");
    expect({ code, left }).toEqual({ code: 0, left: ["sam a", "sam b", "tom b", "stranger c"] });
    expect(text).toContain("a session is still open: the router core");
    expect(text).toEndWith("gatehouse sessions end tom --books-only\n");
    expect(await box.cli.json("subscriber show tom")).toMatchObject({ profile_status: "disabled" });
  });
});
