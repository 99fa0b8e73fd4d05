import {
  CONTAINER_ADDRESS,
  CONTAINER_WALLED_PORT,
  containerScript,
  routerBesideContainer,
} from "../domain/goods/router-setup/container-script.ts";
import type { ScriptPlace } from "../domain/goods/router-setup/script.ts";
import { CommandError } from "./io.ts";
import { version } from "./version.ts";

/** A folder of RouterOS, without characters that a command would interpret, and without `..`. */
const FOLDER = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[\w.-]+(\/[\w.-]+)*$/;

export interface ContainerOptions {
  disk?: string;
  arch?: string;
  backups?: string;
}

export function containerCommands(
  { disk = "usb1", arch: architecture = "arm64", backups }: ContainerOptions,
  server: string = CONTAINER_ADDRESS,
): { address: string; commands: string[] } {
  if (routerBesideContainer(server) === undefined)
    throw new CommandError(
      `--server is ${server}; for a container it must be one of the two addresses of a /30, such as ${CONTAINER_ADDRESS}, of which the router gets the other`,
    );
  for (const [option, folder] of Object.entries({ disk, backups }))
    if (folder !== undefined && !FOLDER.test(folder))
      throw new CommandError(
        `--${option} is ${folder}; it must be a disk or a folder of the router as /file print shows it, such as usb1`,
      );
  const file = `gatehouse-${version}-container-${architecture}.tar`;
  return { address: server, commands: containerScript({ disk, file, address: server, backups }) };
}

/** A router that runs us in a container asks that container for everything. */
export function containerPlace(address: string): ScriptPlace {
  return {
    server: address,
    authPort: 1812,
    acctPort: 1813,
    walled: { address, port: CONTAINER_WALLED_PORT, portalPort: null },
  };
}
