import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandLine, smallIsp } from "./harness.ts";

const rex = { id: 3, isp_id: 1, name: "Rex", username: "rex", password: "secret-3", profile_type: 3 };

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  const isp = smallIsp();
  expect(await cli.import({ ...isp, staff: [...isp.staff, rex] })).toMatchObject({ code: 0 });
  return cli;
}

test("cards are made, written to a file for printing, found by the code, listed and made void", async () => {
  using cli = await withIsp();
  const made =
    "card batch create access 3 --package 1 --price 1.50 --duration 1 --duration-unit hour --note fair";
  expect((await cli.run(made)).stdout).toBe("made 3 cards, C-000001 to C-000003: batch 0001\n");
  expect(await cli.json("card batch create refill 2 --price 5")).toMatchObject({
    first: "C-000004",
    last: "C-000005",
    batch: { number: "0002", package_id: null, price: 5, cards_new: 2 },
  });
  expect((await cli.run("card batch list --search fair")).stdout).toMatch(
    /^0001 .* access +Home 10 +1\.50 +3 /m,
  );

  const file = join(cli.data, "codes.csv");
  const csv = ["card", "csv", "1", file, "--from", "2"];
  expect((await cli.run(csv)).stdout).toBe(
    `wrote 2 codes to ${file}. They are money: keep the file to yourself\n`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await cli.run(csv)).stderr).toContain("exists already");
  const [header, second = ""] = readFileSync(file, "utf8").split("\r\n");
  expect(header).toBe("\uFEFFnumber,paper_number,code,code_printed,price");
  const [number, onSheet, inFile = "", printed = ""] = second.split(",");
  const code = inFile.replaceAll("-", ""); // one that looks like a number stands as it is printed
  expect([number, onSheet, printed.replaceAll("-", "")]).toEqual(["C-000002", "0001-002", code]);

  const found = await cli.run("card find --code-stdin", { stdin: `${printed.toLowerCase()}\n` });
  expect(found.stdout).toMatch(/^number +C-000002$/m);
  expect(found.stdout).not.toContain(code);
  expect(await cli.json("card find 0001-002")).toMatchObject({ id: 2, standing: "new", sessions: 0 });
  const refused = await cli.run(["card", "find", code]);
  expect(refused.stderr).toContain("a code is asked for");
  expect(refused.stderr).not.toContain(code);
  expect((await cli.run("card unlock C-000002")).stderr).toContain("locked to no device");

  expect((await cli.run("card void 0001-001 --reason torn")).stdout).toBe("C-000001 is void\n");
  expect((await cli.run("card list --batch 0001 --standing void")).stdout).toMatch(
    /^C-000001 +0001-001 +void/m,
  );
  expect((await cli.run("card list --standing lost")).stderr).toContain("must be one of new, sold");
  expect((await cli.run("card batch void 0001 --reason over")).stdout).toBe(
    "2 cards of batch 0001 are void\n",
  );
  expect((await cli.run("card batch show 1")).stdout).toMatch(/^cards_void +3$/m);
  expect((await cli.run("card batch show nothing")).stderr).toContain("no number of a batch");
});

test("a reseller who gets a batch gets back what is made void of it", async () => {
  using cli = await withIsp();
  await cli.run("payment take rex 10 --staff");
  const handed = "--reseller rex --reseller-price 2 --charge-on handover";
  await cli.run(`card batch create package 4 --package 1 --price 3 ${handed}`);
  expect((await cli.run("card void 1 --reason torn")).stdout).toBe(
    "C-000001 is void\n2.00 went back to Rex\n",
  );
  expect((await cli.run("card batch void 1 --reason back")).stdout).toBe(
    "3 cards of batch 0001 are void; 6.00 went back to Rex\n",
  );
  expect(await cli.json("wallet entries rex --staff")).toMatchObject([
    { kind: "card", amount: 6, balance_after: 10 },
    { kind: "card", amount: 2 },
    { kind: "card", amount: -8 },
    { kind: "payment", amount: 10 },
  ]);
});
