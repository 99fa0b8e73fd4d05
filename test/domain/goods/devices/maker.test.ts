import { expect, test } from "bun:test";
import { shortName } from "../../../../scripts/maker-names.ts";
import { findMaker } from "../../../../src/domain/goods/devices/maker.ts";

test.each([
  ["2C:C8:1B:77:0E:5A", "MikroTik"],
  ["E0:19:1D:5B:C2:08", "Huawei"],
  ["50:C7:BF:A0:11:4D", "TP-Link"],
  ["c8-3a-35-12-e7-44", "Tenda"],
  ["788A20C46F91", "Ubiquiti"],
  ["00:00:00:00:00:01", "Xerox"],
])("%s is made by %s", (mac, maker) => {
  expect(findMaker(mac)).toBe(maker);
});

test.each([
  ["an address that a telephone made up", "02:11:9A:5D:E3:0C", "private address"],
  ["a prefix with the same bit that was given out", "AA:00:03:00:00:01", "Digital Equipment"],
  ["a prefix whose owner is not told", "AC:DE:48:00:11:22", null],
  ["the prefix after the last", "FC:FF:FF:00:11:22", null],
  ["no address", "somewhere", null],
  ["no text", "", null],
])("%s", (_, mac, maker) => {
  expect(findMaker(mac)).toBe(maker);
});

test.each([
  ["TP-LINK TECHNOLOGIES CO.,LTD.", "TP-Link"],
  ["Routerboard.com", "MikroTik"],
  ["Tenda Technology Co.,Ltd.Dongguan branch", "Tenda"],
  ["Shenzhen Skyworth Digital Technology CO., Ltd", "Skyworth"],
  ["Texas Instruments", "Texas Instruments"],
  ["ASKEY COMPUTER CORP", "Askey"],
  ["IBM Corp", "IBM"],
  ["Universal Global Scientific Industrial Co., Ltd.", "Universal Global"],
  ["IEEE Registration Authority", undefined],
  ["Private", undefined],
])("the registry's %s is called %s", (registered, short) => {
  expect<string | undefined>(shortName(registered)).toBe(short);
});
