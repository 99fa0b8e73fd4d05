import {
  CONTAINER_ADDRESS,
  CONTAINER_WALLED_PORT,
  containerScript,
  routerBesideContainer,
} from "../domain/goods/router-setup/container-script.ts";
import type { ScriptPlace } from "../domain/goods/router-setup/script.ts";
import { CommandError } from "./io.ts";
import { version } from "./version.ts";

/** As RouterOS names them, without what a command would read as its own, and no way up. */
const FOLDER = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[\w.-]+(\/[\w.-]+)*$/;

/** What says where the container goes; each has a default. */
export interface ContainerOptions {
  disk?: string;
  arch?: string;
  backups?: string;
}

/** The commands for a router that runs us itself, and where it then finds us. */
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

/** Where the router of a container asks, and where it sends who has expired: all of it is the container. */
export function placeOfContainer(address: string): ScriptPlace {
  return {
    server: address,
    authPort: 1812,
    acctPort: 1813,
    walled: { address, port: CONTAINER_WALLED_PORT, portalPort: null },
  };
}
