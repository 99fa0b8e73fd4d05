import { verbatim } from "../domain/core/errors/phrase.ts";
import type { Command } from "commander";
import {
  createPool,
  deletePool,
  listPools,
  poolAddresses,
  poolById,
  poolNamed,
  updatePool,
} from "../domain/goods/address-pools/pools.ts";
import { namesById } from "../domain/core/references/names.ts";
import { addressPoolToJson, poolAddressToJson } from "../wire/address-pool.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine, printRecord, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";

interface Options {
  readonly isp?: string;
  readonly name?: string;
  readonly range?: string;
  readonly length?: string;
  readonly json?: boolean;
}

const EVERY = { sort: "name", descending: false, limit: Number.MAX_SAFE_INTEGER, offset: 0 } as const;
const RANGE = "10.0.0.2-10.0.3.254, a network such as 10.0.0.0/22, or an IPv6 prefix such as 2001:db8::/40";

export function addPoolCommands(program: Command, cli: Cli): void {
  const command = program.command("pool").description("addresses that subscribers have for good");
  addLists(command, cli);
  command
    .command("add")
    .description("add a pool; packages name it as --address-pool or --delegated-ipv6-from")
    .argument("<name>")
    .argument("<range>", RANGE)
    .option("--length <bits>", "of IPv6: the prefix that each subscriber gets, 56 or 64")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .action(async (name: string, range: string, { isp, length }: Options) => {
      const { by } = cli;
      const { pool, size } = await cli.withStore((db) =>
        createPool(
          db,
          by,
          { isp_id: chooseIsp(db, cli, isp, verbatim("whose it is")), name, range, length },
          { now: cli.now() },
        ),
      );
      printLine(cli.io, `added ${pool.name}: ${size} ${pool.length === null ? "addresses" : "prefixes"}`);
    });
  command
    .command("set")
    .description("change the name or the range of a pool; it shrinks where nobody has an address")
    .argument("<pool>", "its name or id")
    .option("--name <name>", "another name, which its packages follow")
    .option("--range <range>", RANGE)
    .option("--length <bits>", "of IPv6: the prefix that each subscriber gets")
    .action(async (named: string, { name, range, length }: Options) => {
      const { by } = cli;
      const { pool, size } = await cli.withStore((db) =>
        updatePool(
          db,
          by,
          { id: poolNamed(db, by, named).id, input: { name, range, length } },
          { now: cli.now() },
        ),
      );
      printLine(cli.io, `${pool.name} is ${pool.range} now, ${size} in all`);
    });
  command
    .command("remove")
    .description("remove a pool that nobody has an address of")
    .argument("<pool>", "its name or id")
    .action(async (named: string) => {
      const { by } = cli;
      const { name } = await cli.withStore((db) =>
        deletePool(db, by, { id: poolNamed(db, by, named).id }, { now: cli.now() }),
      );
      printLine(cli.io, `removed ${name}`);
    });
}

function addLists(command: Command, cli: Cli): void {
  command
    .command("list")
    .description("print every pool with its use")
    .option("--json", "print JSON")
    .action(async ({ json }: Options) => {
      const { pools, isps } = await cli.withStore((db) => ({
        pools: listPools(db, cli.by, EVERY).records,
        isps: namesById(db, cli.by).isps,
      }));
      if (json) return printJson(cli.io, pools.map(addressPoolToJson));
      printTable(
        cli.io,
        ["ID", "ISP", "NAME", "RANGE", "EACH", "USED", "BY HAND", "FREE", "PACKAGES"],
        pools.map(({ pool, size, used, reserved, packages }) => [
          pool.id,
          isps.get(pool.ispId),
          pool.name,
          pool.range,
          pool.length === null ? "address" : `/${pool.length}`,
          used,
          reserved,
          Math.max(0, size - used - reserved),
          packages.join(", "),
        ]),
      );
    });
  command
    .command("show")
    .description("print a pool with its use, and who has which of its addresses")
    .argument("<pool>", "its name or id")
    .option("--json", "print JSON")
    .action(async (named: string, { json }: Options) => {
      const { by } = cli;
      const { use, records } = await cli.withStore((db) => {
        const pool = poolNamed(db, by, named);
        const every = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
        return { use: poolById(db, by, pool.id), records: poolAddresses(db, by, pool, every).records };
      });
      const record = addressPoolToJson(use);
      const addresses = records.map(poolAddressToJson);
      if (json) return printJson(cli.io, { ...record, addresses });
      printRecord(cli.io, { ...record, packages: record.packages.join(", ") });
      printTable(
        cli.io,
        ["ADDRESS", "USERNAME", "NAME", "UNTIL"],
        addresses.map((one) => [one.address, one.username, one.name, one.current_expiration_date]),
      );
    });
}
