import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { acceptReasons } from "../../../../db/schema.ts";
import { type Acceptance, grantedBy } from "../../../../src/domain/service/access/granted.ts";
import {
  CARD_CLASS_LENGTH,
  CLASS_LENGTH,
  readCardAccept,
  readGranted,
  writeCardAccept,
  writeGranted,
} from "../../../../src/domain/service/sessions/session-class.ts";

const full: Acceptance = {
  accept: true,
  reason: "accepted",
  grant: {
    rateLimit: "10M/20M",
    framedIp: "10.0.0.7",
    framedPool: undefined,
    addressList: "vip",
    sessionTimeout: 86_400,
    idleTimeout: 60,
    totalLimit: 5,
  },
};
const but = (grant: Partial<Acceptance["grant"]>) =>
  grantedBy({ ...full, grant: { ...full.grant, ...grant } });

function written(...granted: Parameters<typeof writeGranted>[1][]): Buffer[] {
  return granted.map((one) => {
    const sessionClass = randomBytes(CLASS_LENGTH);
    writeGranted(sessionClass, one);
    return sessionClass;
  });
}

describe("a Class", () => {
  test.each(acceptReasons)("says what was granted (%s), and is no other's", (acceptedAs) => {
    const granted = { acceptedAs, grantedTerms: 2 ** 48 - 1, grantedRate: 0 };
    const classes = written(granted, granted);
    expect(classes.map(readGranted)).toEqual([granted, granted]);
    expect(new Set(classes.map(String)).size).toBe(2);
  });

  test("of another program, an earlier version or a reason of a later one says nothing", () => {
    const later = Buffer.concat(written(grantedBy(full)));
    later[3] = acceptReasons.length;
    const foreign = [null, Buffer.alloc(0), Buffer.alloc(CLASS_LENGTH), randomBytes(16), later];
    for (const sessionClass of foreign)
      expect(readGranted(sessionClass)).toEqual({ acceptedAs: null, grantedTerms: null, grantedRate: null });
  });
});

describe("the Class of a card", () => {
  const accept = { acceptedAt: 1_790_000_000, sessionTimeout: 21_474_720 };

  test("says what was granted, when, and for how long, and is no other's", () => {
    const classes = [1, 2].map(() => {
      const sessionClass = randomBytes(CARD_CLASS_LENGTH);
      writeGranted(sessionClass, grantedBy(full));
      writeCardAccept(sessionClass, accept);
      return sessionClass;
    });
    expect(classes.map(readGranted)).toEqual([grantedBy(full), grantedBy(full)]);
    expect(classes.map(readCardAccept)).toEqual([accept, accept]);
    expect(new Set(classes.map(String)).size).toBe(2);
  });

  test("is not that of a subscriber, cut off, or of another program", () => {
    const [ofSubscriber = null] = written(grantedBy(full));
    const whole = randomBytes(CARD_CLASS_LENGTH);
    writeCardAccept(whole, accept);
    for (const sessionClass of [
      null,
      ofSubscriber,
      whole.subarray(0, CLASS_LENGTH),
      randomBytes(CARD_CLASS_LENGTH),
    ])
      expect(readCardAccept(sessionClass)).toBeUndefined();
    expect(readGranted(whole.subarray(0, CLASS_LENGTH)).acceptedAs).toBeNull();
  });
});

describe("fingerprints", () => {
  test("stay as they are from version to version: sessions outlive an upgrade", () => {
    expect(grantedBy(full)).toEqual({
      acceptedAs: "accepted",
      grantedTerms: 272_410_923_565_436,
      grantedRate: 220_380_274_811_873,
    });
  });

  test.each([
    ["accepted", "47483100212ae1cddc11b5d70a326319"],
    ["accepted_slowed_down", "47483101212ae1cddc11b5d70a326319"],
    ["accepted_expired", "47483102766837330100b5d70a326319"],
    ["accepted_quota_used_up", "47483103766837330100b5d70a326319"],
  ] as const)("of every term, and the bytes of a Class that carries them, too (%s)", (reason, bytes) => {
    const grant = {
      rateLimit: "1M/1M",
      framedIp: "10.0.0.7",
      framedPool: "pool",
      addressList: "vip",
      framedIpv6Prefix: "2001:db8::/64",
      framedIpv6Pool: "six",
      delegatedIpv6Prefix: "2001:db8:1::/56",
      delegatedIpv6Pool: "pd",
      sessionTimeout: 60,
    };
    const [sessionClass] = written(grantedBy({ accept: true, reason, grant }));
    expect(sessionClass?.toString("hex", 0, 16)).toBe(bytes);
  });

  test("are those of the terms, not of their order, nor of what differs from login to login", () => {
    const reordered = Object.fromEntries(Object.entries(full.grant).toReversed());
    expect(but(reordered)).toEqual(grantedBy(full));
    expect(but({ sessionTimeout: 60, idleTimeout: undefined, totalLimit: 1 })).toEqual(grantedBy(full));
  });

  test("differ with every term that takes a login, and with the rate alone where that is all", () => {
    const { grantedTerms, grantedRate } = grantedBy(full);
    const others = [
      but({ framedIp: "10.0.0.8" }),
      but({ framedIp: undefined, framedPool: "10.0.0.7" }),
      but({ framedIpv6Prefix: "2001:db8::/64" }),
      but({ framedIpv6Pool: "six" }),
      but({ delegatedIpv6Prefix: "2001:db8::/64" }),
      but({ delegatedIpv6Pool: "six" }),
      but({ addressList: undefined }),
      grantedBy({ ...full, reason: "accepted_expired" }),
    ];
    expect(new Set([grantedTerms, ...others.map((one) => one.grantedTerms)]).size).toBe(9);
    expect(new Set([grantedRate, ...others.map((one) => one.grantedRate)]).size).toBe(1);
    const rates = [but({ rateLimit: "1M/1M" }), but({ rateLimit: undefined })];
    expect(new Set([grantedRate, ...rates.map((one) => one.grantedRate)]).size).toBe(3);
    expect(rates.map((one) => one.grantedTerms)).toEqual([grantedTerms, grantedTerms]);
    expect(grantedBy({ ...full, reason: "accepted_slowed_down" })).toMatchObject({
      grantedTerms,
      grantedRate,
    });
  });
});
