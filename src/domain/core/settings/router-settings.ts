import { truth } from "../fields/fields.ts";
import { define } from "./define.ts";

export const routerSettings = {
  config_nightly: define(
    true,
    "whether the configuration of each router with an API account is kept every night. RouterOS writes its export into a file, which is read and removed; that is untried on a router, and where it is refused its menus are read instead",
    truth,
  ),
  config_ftp: define(
    false,
    "whether the account that nas setup makes on routers has the policy ftp, for one that refuses to export its configuration without it: whoever has that account then reads, writes and removes every file of the router",
    truth,
  ),
};
