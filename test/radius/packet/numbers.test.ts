import { expect, test } from "bun:test";

import type {
  Attribute,
  AttributeType,
  Kind,
  Microsoft,
  Mikrotik,
  Vendor,
} from "../../../src/radius/packet/numbers.ts";
import type { integer, ipv4, text, value } from "../../../src/radius/packet/packet.ts";
import type { PacketWriter } from "../../../src/radius/packet/writer.ts";

// The compiler is what fails here: each answer has a type that is `true` or `false` alone.

type Takes<Parameter, Type> = Type extends Parameter ? true : false;
type Reads<F extends (packet: never, type: never) => unknown, Type> = Takes<Parameters<F>[1], Type>;
type Writes<M extends "text" | "integer" | "ipv4", Type> = Takes<Parameters<PacketWriter[M]>[0], Type>;
type OfMikrotik = AttributeType<Kind, typeof Vendor.Mikrotik>;

type Name = (typeof Attribute)["User-Name"];
type Port = (typeof Attribute)["NAS-Port"];
type Address = (typeof Attribute)["Framed-IP-Address"];

test("an attribute is read and written as what it is", () => {
  const answers: [
    Reads<typeof text, Name>,
    Reads<typeof integer, Port>,
    Reads<typeof ipv4, Address>,
    Reads<typeof value, Name>,
    Writes<"text", Name>,
    Writes<"integer", Port>,
    Takes<OfMikrotik, (typeof Mikrotik)["Mikrotik-Rate-Limit"]>,
  ] = [true, true, true, true, true, true, true];
  expect(answers).not.toContain(false);
});

test("and as nothing else", () => {
  const answers: [
    Reads<typeof integer, Name>,
    Reads<typeof ipv4, Name>,
    Reads<typeof text, Port>,
    Reads<typeof integer, number>,
    Reads<typeof value, (typeof Mikrotik)["Mikrotik-Rate-Limit"]>,
    Writes<"integer", Name>,
    Writes<"ipv4", Port>,
    Takes<OfMikrotik, (typeof Microsoft)["MS-CHAP-Error"]>,
    Takes<OfMikrotik, Name>,
  ] = [false, false, false, false, false, false, false, false, false];
  expect(answers).not.toContain(true);
});
