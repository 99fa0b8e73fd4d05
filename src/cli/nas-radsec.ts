import { accessSync, closeSync, constants, existsSync, fchmodSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { issueRadsec, revokeRadsec } from "../domain/goods/radsec/certificate.ts";
import { serverAddresses } from "../domain/goods/radsec/keys.ts";
import { bundleName, listRadsecCertificates } from "../domain/goods/radsec/list.ts";
import { endsWords, importCommand, requireServerAddress } from "../domain/goods/radsec/rules.ts";
import { type Nas, nasById } from "../domain/goods/nas/find.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { buildNasScript } from "../domain/goods/router-setup/script.ts";
import { radsecCertificateToJson } from "../wire/radsec.ts";
import type { nasToJson } from "../wire/nas.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine, printTable } from "./io.ts";
import { nasTools } from "./nas-tools.ts";
import { ownAddressTowards } from "./own-address.ts";

interface RadsecOptions {
  server?: string;
  out?: string;
  list?: boolean;
  revoke?: string;
  json?: boolean;
}

export function addNasRadsec(nas: Command, cli: Cli): void {
  nas
    .command("radsec")
    .description(
      "make a certificate with which a router asks by RadSec (RADIUS in TLS, TCP 2083) from now on: writes a PKCS#12, and prints its password and the RouterOS commands; those that it has stay valid",
    )
    .argument("<nas>", "its name, address or id")
    .option(
      "--server <address>",
      "our address as the router dials it, which our certificate is made for (by default the one of the last time, else the one that leads to it)",
    )
    .option(
      "--out <file>",
      "where to write the PKCS#12 (by default gatehouse-radsec-ID.p12 here, or in the data folder where here cannot be written to)",
    )
    .option("--list", "print its certificates instead")
    .option("--revoke <id>", "revoke one of them instead: who has it is put out at once")
    .option("--json", "print JSON")
    .action(async (named: string, options: RadsecOptions) => {
      if (options.list) return printCertificates(cli, named, options);
      if (options.revoke !== undefined) return revoke(cli, named, options.revoke);
      await make(cli, named, options);
    });
}

/** 0600, also where the file was there already. */
function writeOwn(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, "w", 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

function folderFor(dataDir: string): string {
  return isWritable(".") ? "" : dataDir;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Requires a writable file before a certificate is made, which is shown once. Throws CommandError. */
function requireWritable(file: string | undefined): void {
  if (file === undefined || isWritable(existsSync(file) ? file : dirname(file))) return;
  throw new CommandError(
    `${file} cannot be written by the user of the service, as which this runs; leave --out out, or name a file in a folder that it may write to. No certificate was made`,
  );
}

async function make(cli: Cli, named: string, { server, out, json }: RadsecOptions): Promise<void> {
  const { config, io, by } = cli;
  const now = cli.now();
  const { router, issued, address, script } = await cli.withStore(async (db) => {
    const { id } = nasNamed(db, by, named);
    const found = nasById(db, by.scope, id);
    const own = await addressFor(db, found, server, config.radsecListen?.host ?? "0.0.0.0");
    // what could be refused comes first, for the file is given once; who is expired has nothing to do with it
    requireWritable(out);
    const tools = nasTools(db, { config, clock: cli.now });
    const place = await tools.findPlace(found, [], own);
    const made = await issueRadsec(db, by, { nasId: id, server: own }, { now });
    const commands = await buildNasScript(db, by, id, { now, findPlace: async () => place });
    return { router: nasById(db, by.scope, id), issued: made, address: own, script: commands };
  });
  const { certificate, bundle, password } = issued;
  const name = bundleName(certificate);
  const file = out ?? join(folderFor(config.dataDir), name);
  try {
    writeOwn(file, bundle);
  } catch (error) {
    throw new CommandError(
      `the certificate was made and cannot be written to ${file}: ${String(error)}; make another one with --out FILE, and revoke it: gatehouse nas radsec ${router.id} --revoke ${certificate.id}`,
    );
  }
  const commands = [importCommand(certificate, password), ...script];
  if (json)
    return printJson(io, {
      ...radsecCertificateToJson(certificate),
      file,
      password,
      server: address,
      commands,
    });
  printLine(io, `wrote ${file}; its password is not shown again: ${password}`);
  printLine(
    io,
    `our certificate is for ${address}, at which the router has to dial; another: --server ADDRESS`,
  );
  printLine(io, endsWords({ name: router.name, apiHost: router.routerosHost }));
  printLine(
    io,
    dirname(file) === config.dataDir
      ? `copy ${name} to the router's files and remove it from ${config.dataDir}, which it was written to because the folder you are in cannot be; then there:`
      : `copy ${name} to the router's files, then there:`,
  );
  for (const line of commands) printLine(io, line);
  if (config.radsecListen === null)
    printLine(io, "RadSec is off here: take GATEHOUSE_RADSEC_LISTEN=off out, and restart the server");
}

/** The named address, else the one in our certificate, else the one that leads to the router. */
async function addressFor(db: Db, router: Nas, named: string | undefined, listen: string): Promise<string> {
  if (named !== undefined) return requireServerAddress(named);
  return serverAddresses(db)[0] ?? ownAddressTowards(router, listen);
}

async function printCertificates(cli: Cli, named: string, { json }: RadsecOptions): Promise<void> {
  const all = await cli.withStore((db) =>
    listRadsecCertificates(db, cli.by, nasNamed(db, cli.by, named).id).map(radsecCertificateToJson),
  );
  if (json) return printJson(cli.io, all);
  printTable(
    cli.io,
    ["ID", "FOR", "SHA-256", "UNTIL", "MADE", "BY", "REVOKED"],
    all.map((one) => Object.values(one)),
  );
}

async function revoke(cli: Cli, named: string, id: string): Promise<void> {
  if (!/^\d{1,9}$/.test(id)) throw new CommandError("--revoke takes the id of a certificate; see: --list");
  const revoked = await cli.withStore((db) =>
    revokeRadsec(
      db,
      cli.by,
      { nasId: nasNamed(db, cli.by, named).id, certificateId: Number(id) },
      { now: cli.now() },
    ),
  );
  printLine(cli.io, `revoked certificate ${revoked.id}; who has it is put out at once`);
}

export function printEnds(io: Io, { name, radsec, routeros }: ReturnType<typeof nasToJson>): void {
  if (radsec) printLine(io, endsWords({ name, apiHost: routeros?.host ?? null }));
}
