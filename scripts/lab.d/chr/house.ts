import type { Row } from "../../../src/routeros/client.ts";
import { VLAN } from "./access.ts";
import type { ChrLab } from "./chr-lab.ts";
import type { RouterApi } from "./router-api.ts";
import { WORLD_NETWORK } from "./place.ts";
import { makePassword } from "./isp.ts";

/** Milliseconds in which a line comes up, or does not. */
const DIAL = 30_000;
/** What it has while it is up, by which it is found again. */
const LINE = "line";

/** The house's end of the cable: a second RouterOS that dials in, takes leases, and fetches pages. */
export class House {
  readonly api: RouterApi;
  readonly #lab: ChrLab;

  private constructor(lab: ChrLab, api: RouterApi) {
    this.#lab = lab;
    this.api = api;
  }

  /** As it is where nothing is plugged in: what a claim before left up is taken down. */
  static async of(lab: ChrLab): Promise<House> {
    const house = new House(lab, await lab.house());
    await house.hangUp();
    for (const name of ["guests", "leases"] as const) await house.giveUp(name);
    for (const [name, id] of Object.entries(VLAN))
      if (((await house.api.print("/interface/vlan", { name })) ?? []).length === 0)
        await house.api.add("/interface/vlan", { name, "vlan-id": id, interface: "ether2" });
    return house;
  }

  /** Dials in by PPPoE; its address, or undefined where it was not let in. */
  async dial(
    username: string,
    { password = makePassword(username), allow = "pap,chap,mschap1,mschap2" } = {},
  ): Promise<string | undefined> {
    const { api } = this;
    await api.add("/interface/pppoe-client", {
      ...{ name: LINE, interface: "ether2", user: username, password, allow },
      ...{ "add-default-route": "no", "use-peer-dns": "no", disabled: "no" },
    });
    try {
      const address = await this.#lab.until("the line", () => this.readAddress(LINE), DIAL);
      await this.#leads(LINE);
      return address;
    } catch {
      await this.hangUp();
      return undefined;
    }
  }

  /** Dials in as somebody who is let in. */
  async line(username: string, options: { password?: string; allow?: string } = {}): Promise<string> {
    const address = await this.dial(username, options);
    if (address === undefined) throw new Error(`${username} was not let in`);
    return address;
  }

  async hangUp(): Promise<void> {
    await this.api.remove("/ip/route", { comment: LINE });
    await this.api.remove("/interface/pppoe-client", { name: LINE });
    await this.#lab.until(
      "the end of the line",
      async () => ((await this.#lab.router.print("/ppp/active")) ?? []).length === 0,
    );
  }

  /** Takes a lease on one of the VLANs; its address. */
  async lease(name: keyof typeof VLAN, gateway: string): Promise<string> {
    await this.api.add("/ip/dhcp-client", {
      ...{ interface: name, "add-default-route": "no", "use-peer-dns": "no", "use-peer-ntp": "no" },
      disabled: "no",
    });
    const address = await this.#lab.until("a lease", () => this.readAddress(name));
    await this.#leads(gateway);
    return address;
  }

  async giveUp(name: keyof typeof VLAN): Promise<void> {
    await this.api.remove("/ip/route", { comment: LINE });
    await this.api.remove("/ip/dhcp-client", { interface: name });
  }

  async readAddress(name: string): Promise<string | undefined> {
    const [row] = (await this.api.print("/ip/address", { interface: name })) ?? [];
    return row?.["address"]?.replace(/\/.*$/, "");
  }

  /** What it got of a page; undefined: nothing. */
  async fetch(url: string, output: "user" | "none" = "user"): Promise<string | undefined> {
    try {
      const rows = await this.api.run("/tool/fetch", `=url=${url}`, `=output=${output}`);
      const isDone = rows.some((row) => row["status"] === "finished");
      return isDone ? rows.map((row) => row["data"] ?? "").join("") : undefined;
    } catch {
      return undefined;
    }
  }

  /** How many of so many large pings were answered: packets both ways. */
  async ping(address: string, count: number, size = 56): Promise<number> {
    const rows: Row[] = await this.api.run(
      "/ping",
      `=address=${address}`,
      `=count=${count}`,
      `=size=${size}`,
      "=interval=100ms",
    );
    return Number(rows.at(-1)?.["received"] ?? 0);
  }

  /** Whether a server answered a question for a name. */
  async asks(name: string, server: string): Promise<boolean> {
    try {
      await this.api.run("/resolve", `=domain-name=${name}`, `=server=${server}`);
      return true;
    } catch {
      return false;
    }
  }

  #leads(gateway: string): Promise<string> {
    return this.api.add("/ip/route", { "dst-address": WORLD_NETWORK, gateway, comment: LINE });
  }
}
